import type { CoverageData, CoverageRow, PageData } from "../../../src/report/html/page-data.ts";
import { type Address, formatAddress } from "./address.ts";
import { count, el, hidden, renderLegend } from "./el.ts";
import { CELLS } from "./texts.ts";

const PORTABLE = "\u21c4";

/** Renders where operations are valid, as a grid of operations and chains. */
export function renderCoverage({ coverage, fleet }: PageData, { filter }: Address): HTMLElement {
  if (coverage.rows.length === 0) return el("p", { class: "empty" }, "No operations were compared.");
  const rows = coverage.rows.filter(
    ({ protocol, style }) =>
      (filter.get("protocol") ?? protocol) === protocol && (filter.get("style") ?? style) === style,
  );
  const legend = renderLegend(
    CELLS.map(([cell, name, mark, words]) => ({
      name,
      mark,
      words,
      count: rows.reduce((sum, { cells }) => sum + cells.split(cell).length - 1, 0),
    })),
    rows.some(({ isPortable }) => isPortable)
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

function renderTable({ chains, rows }: CoverageData): HTMLTableElement {
  const surfaces = [...new Set(rows.map(({ surface }) => surface))];
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
    ...surfaces.map((surface) => {
      const own = rows.filter((row) => row.surface === surface);
      return el(
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
      );
    }),
  );
}

function renderRow(row: CoverageRow, chains: readonly string[]): HTMLElement {
  const { name, surface, cells, isPortable } = row;
  return el(
    "tr",
    { role: "row" },
    el(
      "th",
      { role: "rowheader" },
      el("code", {}, name),
      isPortable &&
        el(
          "span",
          { class: "portable", title: "written once for both styles" },
          PORTABLE,
          hidden("portable"),
        ),
    ),
    ...chains.map((chain, index) => {
      const [letter, kind = "none", mark = "", words = ""] =
        CELLS.find(([letter]) => letter === cells[index]) ?? CELLS.at(-1) ?? [];
      const label = `${name} on ${chain}: ${words}`;
      const address = formatAddress("coverage", [
        ["operation", `${surface}/${name}`],
        ["chain", chain],
      ]);
      return el(
        "td",
        { role: "gridcell", class: kind },
        letter === "n"
          ? el("span", { class: "dot", tabindex: "-1", role: "img", "aria-label": label })
          : el("a", { class: "dot", tabindex: "-1", href: address, "aria-label": label, title: label }, mark),
      );
    }),
  );
}

/**
 * Lets a grid be walked through with the arrow keys, Home and End: one stop of the Tab key, whatever its size. What is
 * walked over are the elements with a `tabindex` in its cells.
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
