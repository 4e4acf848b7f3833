import type {
  CoverageRow,
  FindingData,
  PageData,
  PlaceData,
  SourceData,
} from "../../../src/report/html/page-data.ts";
import { type Address, formatAddress } from "./address.ts";
import { el } from "./el.ts";
import { CELLS, holds, type LinePlace, placeIn, textsOf } from "./texts.ts";

/** Renders an operation on a chain: what became of it, what changed in the schema, and its text with the lines marked. */
export function renderOperationDialog(data: PageData, { filter }: Address): HTMLDialogElement | null {
  const wanted = filter.get("operation");
  const chain = filter.get("chain") ?? "";
  const row = data.coverage.rows.find(({ surface, name }) => `${surface}/${name}` === wanted);
  if (row === undefined) return null;
  const index = data.coverage.chains.indexOf(chain);
  const [, kind = "none", , words = ""] = CELLS.find(([letter]) => letter === row.cells[index]) ?? [];
  const texts = textsOf(row, data.sources);
  const hits = data.findings.flatMap((finding): Hit[] => {
    const place = placeIn(finding, row.surface);
    const chains = place?.chains ?? [];
    if (chains.length > 0 && chain !== "" && !chains.includes(chain)) return [];
    const own = finding.operations.filter((one) => one.name === row.name && one.surface === row.surface);
    if (own.length > 0) return [{ finding, place, message: own[0]?.message ?? "", lines: own }];
    // What is wrong with the text itself is found in a file.
    const line = lineOf(finding);
    const isInText = line !== null && texts.some((text) => holds(text, line));
    return isInText ? [{ finding, place, message: finding.message, lines: [line] }] : [];
  });
  const close = el("button", { type: "button", class: "close" }, "Close");
  const dialog = el(
    "dialog",
    { "aria-labelledby": "operation" },
    el(
      "div",
      { class: "title" },
      el("h2", { id: "operation" }, el("code", {}, row.name), chain === "" ? "" : ` on ${chain}`),
      close,
    ),
    el(
      "p",
      { class: "soft" },
      el("span", { class: `word ${kind}` }, words || "known"),
      ` \u00b7 ${row.surface}${row.isPortable ? " \u00b7 portable" : ""}`,
    ),
    ...hits.map(renderHit),
    hits.length === 0 &&
      kind === "broken" &&
      el(
        "p",
        {},
        "It is not valid by what this chain serves. No finding here says why: the difference is accepted, or ",
        el("code", {}, "lockflow diff"),
        " tells of it.",
      ),
    ...renderSources(
      row,
      hits.flatMap(({ lines }) => lines),
      data.sources,
    ),
  );
  close.addEventListener("click", () => dialog.close());
  return dialog;
}

/** Scrolls every text of an open dialog to what is marked in it. */
export function showMarks(dialog: HTMLDialogElement): void {
  for (const text of dialog.querySelectorAll("pre")) {
    const mark = text.querySelector("mark");
    if (mark !== null) text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 2;
  }
}

/** What a finding does to an operation, and where it says so. */
type Hit = {
  readonly finding: FindingData;
  readonly place: PlaceData | undefined;
  readonly message: string;
  readonly lines: readonly LinePlace[];
};

function lineOf({ place }: FindingData): LinePlace | null {
  return place === null || place.line === null ? null : { file: place.file, line: place.line };
}

function renderHit({ finding, place, message }: Hit) {
  const { title, coordinate, acceptance, fingerprint } = finding;
  const { before = null, after = null } = place ?? {};
  return el(
    "section",
    { class: "hit" },
    el(
      "h3",
      {},
      el("a", { href: formatAddress("findings", [["finding", fingerprint]]) }, title),
      acceptance === null ? "" : el("span", { class: "tag" }, "accepted"),
    ),
    el("p", {}, message),
    coordinate === null || (before === null && after === null)
      ? null
      : el(
          "dl",
          { class: "step" },
          el("dt", {}, "before"),
          el(
            "dd",
            { class: "before" },
            el("code", {}, before === null ? "\u2013" : `${coordinate}: ${before}`),
          ),
          el("dt", {}, "after"),
          el(
            "dd",
            { class: after === null ? "gone" : "after" },
            el("code", {}, after === null ? "gone" : `${coordinate}: ${after}`),
          ),
        ),
  );
}

/** The operation itself, and the fragments that something hits. */
function renderSources(
  { file, line }: CoverageRow,
  hits: readonly LinePlace[],
  sources: readonly SourceData[],
): HTMLElement[] {
  const shown = new Set(
    [{ file, line }, ...hits].flatMap((place) => sources.find((source) => holds(source, place)) ?? []),
  );
  if (shown.size === 0) {
    return [el("p", { class: "soft" }, `Its text is in ${file}:${line}; this report does not hold it.`)];
  }
  return [...shown].map((source) =>
    renderSource(
      source,
      hits.filter((hit) => holds(source, hit)),
    ),
  );
}

function renderSource({ file, line, lines }: SourceData, hits: readonly LinePlace[]): HTMLElement {
  const marked = new Set(hits.map((hit) => hit.line));
  return el(
    "figure",
    { class: "source" },
    el("figcaption", {}, el("code", {}, `${file}:${line}`)),
    el(
      "pre",
      { tabindex: "0", "aria-label": `${file} from line ${line}` },
      ...lines.map((text, index) => {
        const number = line + index;
        return el(
          marked.has(number) ? "mark" : "span",
          { class: "line" },
          el("span", { class: "number" }, `${number}`),
          `${text}\n`,
        );
      }),
    ),
  );
}
