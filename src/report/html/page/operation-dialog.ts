import type { CoverageRow, FindingData, ImpactData, PageData, PlaceData, SourceData } from "../page-data.ts";
import { type Address, formatAddress } from "./address.ts";
import { el } from "./el.ts";
import { placeIn } from "./place-in.ts";
import { CELLS } from "./states.ts";

/** Renders an operation on a chain: what became of it, what changed in the schema, and its text with the lines marked. */
export function renderOperationDialog(data: PageData, { filter }: Address): HTMLDialogElement | null {
  const wanted = filter.get("operation");
  const chain = filter.get("chain") ?? "";
  const row = data.coverage.rows.find(({ surface, name }) => `${surface}/${name}` === wanted);
  if (row === undefined) return null;
  const index = data.coverage.chains.indexOf(chain);
  const [, kind = "none", , words = ""] = CELLS.find(([letter]) => letter === row.cells[index]) ?? [];
  const hits = data.findings.flatMap((finding) => {
    const own = finding.operations.filter((one) => one.name === row.name && one.surface === row.surface);
    const place = placeIn(finding, row.surface);
    const chains = place?.chains ?? [];
    const isHere = chains.length === 0 || chain === "" || chains.includes(chain);
    return own.length > 0 && isHere ? [{ finding, place, own }] : [];
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
        "It is not valid by what this chain serves; what differs there is accepted or was told before.",
      ),
    ...renderSources(
      row,
      hits.flatMap(({ own }) => own),
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
  readonly own: readonly ImpactData[];
};

function renderHit({ finding, place, own }: Hit) {
  const { title, coordinate, acceptance, fingerprint, message } = finding;
  const { before = null, after = null } = place ?? {};
  const [first] = own;
  return el(
    "section",
    { class: "hit" },
    el(
      "h3",
      {},
      el("a", { href: formatAddress("findings", [["finding", fingerprint]]) }, title),
      acceptance === null ? "" : el("span", { class: "tag" }, "accepted"),
    ),
    el("p", {}, first?.message ?? message),
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
  hits: readonly ImpactData[],
  sources: readonly SourceData[],
): HTMLElement[] {
  const holds = (source: SourceData, place: { readonly file: string; readonly line: number }) =>
    source.file === place.file && place.line >= source.line && place.line < source.line + source.lines.length;
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

function renderSource({ file, line, lines }: SourceData, hits: readonly ImpactData[]): HTMLElement {
  const marked = new Map(hits.map((hit) => [hit.line, hit]));
  return el(
    "figure",
    { class: "source" },
    el("figcaption", {}, el("code", {}, `${file}:${line}`)),
    el(
      "pre",
      { tabindex: "0", "aria-label": `${file} from line ${line}` },
      ...lines.map((text, index) => {
        const number = line + index;
        const hit = marked.get(number);
        const shown = el(
          "span",
          { class: "line" },
          el("span", { class: "number" }, `${number}`),
          `${text}\n`,
        );
        if (hit === undefined) return shown;
        return el(
          "span",
          {},
          el(
            "mark",
            { class: `line ${hit.impact}` },
            el("span", { class: "number" }, `${number}`),
            `${text}\n`,
          ),
        );
      }),
    ),
  );
}
