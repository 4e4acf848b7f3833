import { groupBy } from "../../../src/base/collections.ts";
import { surfaceId } from "../../../src/dialects/surface.ts";
import { type Address, formatAddress } from "./address.ts";
import { count, el, hidden, renderLegend } from "./el.ts";
import type { Coverage, CoverageRow, CoverageState } from "./read-coverage.ts";
import type { Page } from "./read-page.ts";

const NOT_SERVED = { state: "none", mark: "", words: "not served" } as const;

/** The names and marks of states, the worst first. */
export const STATES: readonly {
  readonly state: CoverageState;
  readonly mark: string;
  readonly words: string;
}[] = [
  { state: "broken", mark: "\u2715", words: "broken" },
  { state: "risk", mark: "\u25b2", words: "at risk or changed" },
  { state: "valid", mark: "\u25cf", words: "valid" },
  NOT_SERVED,
];

const PORTABLE = "\u21c4";

/** Renders where operations are valid, as a grid of operations and chains. */
export function renderCoverage({ coverage, fleet }: Page, { filter }: Address): HTMLElement {
  if (coverage.rows.length === 0) return el("p", { class: "empty" }, "No operations were compared.");
  const rows = coverage.rows.filter(
    ({ operation: { protocol, style } }) =>
      (filter.get("protocol") ?? protocol) === protocol && (filter.get("style") ?? style) === style,
  );
  const legend = renderLegend(
    STATES.map(({ state, mark, words }) => ({
      name: state,
      mark,
      words,
      count: rows.reduce((sum, { states }) => sum + states.filter((other) => other === state).length, 0),
    })),
    rows.some(({ operation }) => operation.portable)
      ? [
          el(
            "li",
            {},
            el("span", { class: "mark portable", "aria-hidden": "true" }, PORTABLE),
            "written once for both styles",
          ),
        ]
      : [],
  );
  const table = renderTable({ ...coverage, rows });
  moveByKeys(table);
  const isBySnapshots = fleet !== null && !fleet.isLive;
  return el(
    "div",
    {},
    legend,
    isBySnapshots &&
      el("p", { class: "soft note" }, "By what the deployments served when the snapshots were made."),
    el("div", { class: "scroll" }, table),
  );
}

function renderTable({ chains, rows }: Coverage): HTMLTableElement {
  const surfaces = [...groupBy(rows, ({ operation }) => surfaceId(operation))];
  return el(
    "table",
    { class: "coverage", role: "grid", "aria-label": "Operations by chain" },
    el(
      "thead",
      { role: "rowgroup" },
      el(
        "tr",
        { role: "row" },
        el("th", { role: "columnheader" }, "Operation"),
        ...chains.map((chain) => el("th", { role: "columnheader", class: "turned" }, el("span", {}, chain))),
      ),
    ),
    ...surfaces.map(([surface, own]) =>
      el(
        "tbody",
        { role: "rowgroup" },
        el(
          "tr",
          { role: "row", class: "surface" },
          el(
            "th",
            { role: "rowheader", colspan: chains.length + 1 },
            surface,
            el("small", {}, ` ${count(own.length, "operation")}`),
          ),
        ),
        ...own.map((row) => renderRow(row, chains)),
      ),
    ),
  );
}

function renderRow({ operation, states }: CoverageRow, chains: readonly string[]): HTMLElement {
  const { name, portable } = operation;
  return el(
    "tr",
    { role: "row" },
    el(
      "th",
      { role: "rowheader" },
      el("code", {}, name),
      portable &&
        el(
          "span",
          { class: "portable", title: "written once for both styles" },
          PORTABLE,
          hidden("portable"),
        ),
    ),
    ...chains.map((chain, index) => {
      const { state, mark, words } = STATES.find((entry) => entry.state === states[index]) ?? NOT_SERVED;
      const label = `${name} on ${chain}: ${words}`;
      const address = formatAddress("coverage", [
        ["operation", `${surfaceId(operation)}/${name}`],
        ["chain", chain],
      ]);
      return el(
        "td",
        { role: "gridcell", class: state },
        state === "none"
          ? el("span", { class: "dot", tabindex: "-1", role: "img", "aria-label": label })
          : el("a", { class: "dot", tabindex: "-1", href: address, "aria-label": label, title: label }, mark),
      );
    }),
  );
}

/**
 * Handles the arrow keys, Home and End in a grid, which is one stop of the Tab key. They move the focus between the
 * elements with a `tabindex` in its cells.
 */
export function moveByKeys(table: HTMLTableElement): void {
  const rows = [...table.rows]
    .map((row) => [...row.cells].flatMap((cell) => cell.querySelector<HTMLElement>("td > [tabindex]") ?? []))
    .filter((row) => row.length > 0);
  const places = new Map(rows.flatMap((row, y) => row.map((cell, x) => [cell, { x, y }] as const)));
  let current = rows[0]?.[0];
  if (current === undefined) return;
  current.tabIndex = 0;
  const focus = (next: HTMLElement | undefined) => {
    if (next === undefined || current === undefined) return;
    current.tabIndex = -1;
    next.tabIndex = 0;
    current = next;
  };
  table.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && places.has(target)) focus(target);
  });
  table.addEventListener("keydown", (event) => {
    const place = event.target instanceof HTMLElement ? places.get(event.target) : undefined;
    if (place === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = nextOf(event.key, place, rows);
    if (next === undefined) return;
    event.preventDefault();
    focus(next);
    next.focus();
  });
}

function nextOf(
  key: string,
  { x, y }: { readonly x: number; readonly y: number },
  rows: readonly (readonly HTMLElement[])[],
): HTMLElement | undefined {
  switch (key) {
    case "ArrowRight":
      return rows[y]?.[x + 1];
    case "ArrowLeft":
      return rows[y]?.[x - 1];
    case "ArrowDown":
      return rows[y + 1]?.[x];
    case "ArrowUp":
      return rows[y - 1]?.[x];
    case "Home":
      return rows[y]?.[0];
    case "End":
      return rows[y]?.at(-1);
    default:
      return undefined;
  }
}
