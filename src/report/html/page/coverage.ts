import type { CoverageData, CoverageRow, PageData } from "../page-data.ts";
import { type Address, formatAddress } from "./address.ts";
import { count, el, hidden } from "./el.ts";
import { renderLegend } from "./legend.ts";
import { moveByKeys } from "./move-by-keys.ts";
import { CELLS } from "./states.ts";

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
