import { cleanText } from "../../../src/base/clean-text.ts";
import { surfaceId } from "../../../src/dialects/surface.ts";
import { operationsByPlace, titleOf } from "../../../src/report/describe-finding.ts";
import type { DecidedFinding, OperationReport, SourceReport } from "../../../src/report/types.ts";
import { type Address, formatAddress } from "./address.ts";
import { STATES } from "./coverage.ts";
import { el } from "./el.ts";
import { type FoundPlace, type Page, placesOf } from "./read-page.ts";
import { hasLine, type LinePlace, linesOf, textsOf } from "./texts.ts";

/** Renders an operation on a chain: its state, what changed in the schema, and its text with the lines marked. */
export function renderOperationDialog(page: Page, { filter }: Address): HTMLDialogElement | null {
  const wanted = filter.get("operation");
  const chain = filter.get("chain") ?? "";
  const { coverage, report } = page;
  const row = coverage.rows.find(({ operation }) => `${surfaceId(operation)}/${operation.name}` === wanted);
  if (row === undefined) return null;
  const { operation } = row;
  const surface = surfaceId(operation);
  const { sources = [] } = report;
  const state = row.states[coverage.chains.indexOf(chain)] ?? "none";
  const words = STATES.find((entry) => entry.state === state)?.words ?? "";
  const texts = textsOf(operation, sources);
  const hits = report.findings.flatMap((finding): Hit[] => {
    const place = placesOf(page, finding).find((candidate) => candidate.surface === surface);
    const chains = place?.chains ?? [];
    if (chains.length > 0 && chain !== "" && !chains.includes(chain)) return [];
    const lines = operationsByPlace(finding)
      .filter(({ where }) => where !== null && surfaceId(where) === surface)
      .flatMap(({ operations }) => operations.filter(({ name }) => name === operation.name));
    if (lines.length > 0) return [{ finding, place, message: lines[0]?.message ?? "", lines: lines }];
    // An error in the text itself has a place in a file.
    const line = lineOf(finding);
    const isInText = line !== null && texts.some((text) => hasLine(text, line));
    return isInText ? [{ finding, place, message: finding.message, lines: [line] }] : [];
  });
  const isKnown = coverage.chains.includes(chain);
  const close = el("button", { type: "button", class: "close" }, "Close");
  const dialog = el(
    "dialog",
    { "aria-labelledby": "operation" },
    el(
      "div",
      { class: "title" },
      el("h2", { id: "operation" }, el("code", {}, operation.name), chain === "" ? "" : ` on ${chain}`),
      close,
    ),
    el(
      "p",
      { class: "soft" },
      el("span", { class: `word ${state}` }, isKnown ? words : "known"),
      ` \u00b7 ${surface}${operation.portable ? " \u00b7 portable" : ""}`,
    ),
    ...hits.map(renderHit),
    hits.length === 0 &&
      state === "broken" &&
      el(
        "p",
        {},
        "It is not valid on this chain. No finding in this report gives the reason: the difference was accepted, or ",
        el("code", {}, "lockflow diff"),
        " reports it.",
      ),
    ...renderSources(
      operation,
      hits.flatMap(({ lines }) => lines),
      sources,
    ),
  );
  close.addEventListener("click", () => dialog.close());
  return dialog;
}

/** Scrolls every text of an open dialog to its first mark. */
export function showMarks(dialog: HTMLDialogElement): void {
  for (const text of dialog.querySelectorAll("pre")) {
    const mark = text.querySelector("mark");
    if (mark !== null) text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 2;
  }
}

/** The effect of a finding on an operation, with its lines. */
type Hit = {
  readonly finding: DecidedFinding;
  readonly place: FoundPlace | undefined;
  readonly message: string;
  readonly lines: readonly LinePlace[];
};

function lineOf({ place }: DecidedFinding): LinePlace | null {
  return place === null || place.line === null ? null : { file: place.file, line: place.line };
}

function renderHit({ finding, place, message }: Hit) {
  const { acceptance, fingerprint } = finding;
  const { before = null, after = null } = place ?? {};
  const coordinate = finding.coordinate === null ? null : cleanText(finding.coordinate);
  return el(
    "section",
    { class: "hit" },
    el(
      "h3",
      {},
      el("a", { href: formatAddress("findings", [["finding", fingerprint]]) }, titleOf(finding)),
      acceptance === null ? "" : el("span", { class: "tag" }, "accepted"),
    ),
    el("p", {}, cleanText(message)),
    coordinate === null || (before === null && after === null)
      ? null
      : el(
          "dl",
          { class: "step" },
          el("dt", {}, "before"),
          el(
            "dd",
            { class: "before" },
            el("code", {}, before === null ? "\u2013" : `${coordinate}: ${cleanText(before)}`),
          ),
          el("dt", {}, "after"),
          el(
            "dd",
            { class: after === null ? "gone" : "after" },
            el("code", {}, after === null ? "gone" : `${coordinate}: ${cleanText(after)}`),
          ),
        ),
  );
}

/** The operation itself, and the fragments with hits. */
function renderSources(
  { file, line }: OperationReport,
  hits: readonly LinePlace[],
  sources: readonly SourceReport[],
): HTMLElement[] {
  const shown = new Set(
    [{ file, line }, ...hits].flatMap((place) => sources.find((source) => hasLine(source, place)) ?? []),
  );
  if (shown.size === 0) {
    return [el("p", { class: "soft" }, `Its text is in ${file}:${line}; this report does not hold it.`)];
  }
  return [...shown].map((source) =>
    renderSource(
      source,
      hits.filter((hit) => hasLine(source, hit)),
    ),
  );
}

function renderSource({ file, line, text }: SourceReport, hits: readonly LinePlace[]): HTMLElement {
  const marked = new Set(hits.map((hit) => hit.line));
  return el(
    "figure",
    { class: "source" },
    el("figcaption", {}, el("code", {}, `${file}:${line}`)),
    el(
      "pre",
      { tabindex: "0", "aria-label": `${file} from line ${line}` },
      ...linesOf(text).map((shown, index) => {
        const number = line + index;
        return el(
          marked.has(number) ? "mark" : "span",
          { class: "line" },
          el("span", { class: "number" }, `${number}`),
          `${shown}\n`,
        );
      }),
    ),
  );
}
