import { el } from "./el.ts";

/** A mark, what it stands for, and how often it is there. */
export type LegendItem = {
  readonly name: string;
  readonly mark: string;
  readonly words: string;
  readonly count: number;
};

/** What the marks of a grid stand for: those that occur, with how often. */
export function renderLegend(items: readonly LegendItem[], more: readonly Node[] = []): HTMLElement {
  return el(
    "ul",
    { class: "legend", "aria-label": "Legend" },
    ...items
      .filter(({ count }) => count > 0)
      .map(({ name, mark, words, count }) =>
        el(
          "li",
          {},
          el("span", { class: `mark ${name}`, "aria-hidden": "true" }, mark),
          el("span", {}, `${words} `),
          el("b", {}, String(count)),
        ),
      ),
    ...more,
  );
}
