import { stripVTControlCharacters, styleText } from "node:util";
import { cleanText, withoutCommands } from "../../base/clean-text.ts";
import { groupBy } from "../../base/collections.ts";
import {
  changeOf,
  impactOf,
  isAcceptable,
  placeText,
  stepOf,
  titleOf,
  whereOf,
} from "../describe-finding.ts";
import { isIdentityMismatch, type Severity } from "../finding.ts";
import type { DecidedFinding } from "../outcome.ts";
import type { Renderer, RenderOptions, Report } from "../report.ts";
import { renderTable } from "../terminal.ts";
import {
  commitsLine,
  type EndpointSummary,
  exitLine,
  silentEndpoints,
  summarizeEndpoints,
  summarizeGroups,
  verdictOf,
} from "../verdict.ts";

/** Text for people: the verdict first, then findings and next steps, and the meaning of the exit code last. */
export const text: Renderer = {
  render: (report, options) => {
    const parts = [
      [paint(verdictOf(report), report.outcome.exit === 0 ? "green" : "bold", options)],
      [commitsLine(report)].filter((line) => line !== null),
      renderEndpoints(report, options),
      renderFindings(report, options),
      renderAccepted(report, options),
      renderMoved(report, options),
      renderNext(report, options),
      [exitLine(report)],
    ];
    const shown = parts.filter((lines) => lines.length > 0);
    return withoutCommands(`${shown.map((lines) => lines.join("\n")).join("\n\n")}\n`);
  },
};

/** As many as fit on one screen. */
const MOST_FINDINGS = 12;
const MOST_COSMETIC = 3;
const MOST_BESIDE = 6;
const MOST_OPERATIONS = 3;
const MOST_SILENT = 6;
const MOST_MOVED = 6;
/** Applies with --verbose too: one cause can have a hundred thousand derived changes. */
const MOST_DERIVED = 100;

function renderEndpoints(report: Report, { verbose }: RenderOptions): string[] {
  const summaries = summarizeEndpoints(report);
  const groups = summarizeGroups(report);
  const silent = silentEndpoints(report);
  const listed = verbose ? silent : silent.slice(0, MOST_SILENT);
  const lines = summaries.length > 0 ? ["Endpoints", ...renderSummaries(summaries)] : [];
  if (groups.length > 0) lines.push("Schemas", ...renderSummaries(groups));
  if (silent.length === 0) return lines;
  const rows = listed.map(({ deployment, message, status }) => [deployment, cleanText(message ?? status)]);
  lines.push("Endpoints without an answer, not compared", renderTable(rows, "  "));
  if (silent.length > listed.length) lines.push(`  and ${silent.length - listed.length} more`);
  return lines;
}

function renderSummaries(summaries: readonly EndpointSummary[]): string[] {
  const width = Math.max(...summaries.map(({ name }) => name.length));
  return summaries.flatMap(({ name, text: what }) => {
    const [first = "", ...others] = wrapFacts([what], " ".repeat(width + 4));
    return [`  ${name.padEnd(width)}  ${first.trimStart()}`, ...others];
  });
}

function renderFindings(report: Report, options: RenderOptions): string[] {
  const news = report.findings.filter(({ accepted }) => !accepted);
  if (news.length === 0) return [];
  const shown = options.verbose ? news : chooseShown(news);
  const lines = ["Findings"];
  for (const [index, finding] of shown.entries()) {
    lines.push(...renderFinding(finding, report, options));
    // Findings with the same fix show it once, below the last of them.
    const { fix } = finding;
    if (fix !== null && shown[index + 1]?.fix !== fix) {
      lines.push(...fix.split("\n").map((line) => `      ${cleanText(line)}`));
    }
  }
  const left = news.length - shown.length;
  if (left > 0) lines.push(`  and ${left} more: use --verbose or --report json=<file>`);
  return options.verbose ? lines : [...lines, ...renderAtRisk(shown)];
}

/**
 * Lists each operation that is at risk once. A variable that holds a whole filter or order is touched by every change of a
 * field, so the findings do not list its operations.
 */
function renderAtRisk(findings: readonly DecidedFinding[]): string[] {
  const all = findings.flatMap((finding) =>
    finding.operations.filter(isAtRisk).map((operation) => ({ finding, operation })),
  );
  const byOperation = groupBy(all, ({ operation }) => `${operation.file} ${operation.name}`);
  const lines = [...byOperation.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const count = new Set(some.map(({ finding }) => finding)).size;
    const { operation } = first;
    const parts = [
      placeText(operation),
      operation.name,
      `through variables, because of ${count === 1 ? "one finding" : `${count} findings`}`,
    ];
    return wrapFacts(
      parts.map((part) => cleanText(part)),
      "  ",
    );
  });
  return lines.length === 0 ? [] : ["", "At risk", ...lines];
}

function isAtRisk({ impact }: DecidedFinding["operations"][number]): boolean {
  return impact === "at-risk";
}

/** Selects the worst findings; of cosmetic ones, and if others fail, only a few examples. */
function chooseShown(news: readonly DecidedFinding[]): readonly DecidedFinding[] {
  const most = news.some(({ fails }) => fails) ? MOST_BESIDE : MOST_FINDINGS;
  let [beside, cosmetic] = [0, 0];
  return news
    .filter(({ severity, fails }) => {
      if (fails) return true;
      if (severity === "cosmetic" && ++cosmetic > MOST_COSMETIC) return false;
      return ++beside <= most;
    })
    .slice(0, MOST_FINDINGS);
}

function renderFinding(finding: DecidedFinding, report: Report, options: RenderOptions): string[] {
  const { severity, code, fingerprint, operations } = finding;
  const facts = [
    paint(severity, SEVERITY_COLORS[severity], options),
    titleOf(finding),
    changeOf(finding),
    impactOf(finding, report),
    // Related findings stay together.
    [whereOf(finding, report), `[${code} ${fingerprint}]`].filter(Boolean).join("  "),
  ];
  const lines = wrapFacts(facts, "  ");
  const { layer, before, after } = finding;
  if (layer === "generated" && before !== null && after !== null) {
    // These are lines of a file: their blanks matter, and invisible characters are escaped already.
    lines.push(`      is:        ${after}`, `      should be: ${before}`);
  }
  lines.push(...renderDerived(finding, options));
  const listed = options.verbose ? operations : operations.filter((operation) => !isAtRisk(operation));
  const shown = options.verbose ? listed : listed.slice(0, MOST_OPERATIONS);
  for (const operation of shown) {
    const parts = [placeText(operation), operation.name, operation.message];
    lines.push(
      ...wrapFacts(
        parts.map((part) => cleanText(part)),
        "      ",
      ),
    );
  }
  const left = listed.length - shown.length;
  if (left > 0) lines.push(`      and ${left} more ${left === 1 ? "place" : "places"} in operations`);
  return lines;
}

/** Names the derived changes that decide the severity; with --verbose, the derived coordinates up to a limit. */
function renderDerived(finding: DecidedFinding, { verbose }: RenderOptions): string[] {
  const { severity, derivedCoordinates = [], worstDerived = [] } = finding;
  const shown = worstDerived.slice(0, verbose ? MOST_DERIVED : 1);
  const more = worstDerived.length - shown.length;
  const lines = shown.flatMap((change, index) => {
    const others = more > 0 && index === shown.length - 1 ? `, and ${more} more` : "";
    const facts = [`${severity} by ${cleanText(change.coordinate)}`, `${stepOf(change)}${others}`];
    return wrapFacts(facts, "      ");
  });
  if (!verbose || derivedCoordinates.length === 0) return lines;
  const names = derivedCoordinates.slice(0, MOST_DERIVED).map((name) => cleanText(name));
  const left = derivedCoordinates.length - names.length;
  if (left > 0) names.push(`and ${left} more: use --report json=<file>`);
  return [...lines, ...wrapFacts(["derived:", ...names], "      ")];
}

function renderAccepted(report: Report, { verbose }: RenderOptions): string[] {
  const accepted = report.findings.filter((finding) => finding.accepted);
  if (accepted.length === 0) return [];
  const shown = verbose ? accepted : accepted.slice(0, MOST_OPERATIONS);
  const lines = shown.flatMap((finding) => {
    const { acceptance } = finding;
    const until = acceptance?.until ? ` until ${acceptance.until}` : "";
    const facts = [titleOf(finding), changeOf(finding), whereOf(finding, report)].filter(Boolean);
    const last = `${facts.pop()}${until}: ${cleanText(acceptance?.reason ?? "")}`;
    return wrapFacts([...facts, last], "  ");
  });
  const left = accepted.length - shown.length;
  return ["Accepted", ...lines, ...(left > 0 ? [`  and ${left} more`] : [])];
}

/** Lists the files that were written, to be reviewed and committed. */
function renderMoved({ moved = [] }: Report, { verbose }: RenderOptions): string[] {
  if (moved.length === 0) return [];
  const shown = verbose ? moved : moved.slice(0, MOST_MOVED);
  const files = shown.map(({ file, change }) => (change === "removed" ? `${file} (removed)` : file));
  const left = moved.length - shown.length;
  return ["Moved", ...wrapFacts([...files, ...(left > 0 ? [`and ${left} more`] : [])], "  ")];
}

/** Lists the next commands, ready to be pasted. */
function renderNext(
  { findings, outcome, moved = [] }: Report,
  { accept, next = [] }: RenderOptions,
): string[] {
  const repairs = next.map((command) => `  ${command}`);
  // The snapshots contain these changes now: they cannot be accepted, and are not found again.
  if (moved.length > 0) return ["Next", ...repairs, "  lockflow generate", "  lockflow check"];
  const first = findings.find((finding) => finding.fails) ?? findings.find(isAcceptable);
  if (first === undefined || outcome.exit === 2) return [];
  const lines = [...repairs, `  lockflow explain ${first.code}`];
  // Findings of the snapshots are found again; findings of live schemas are only in the report of this run.
  const from = accept === "report" ? " --from report.json" : "";
  // Never offer to accept a wrong identity: the URL has to be corrected.
  const acceptable = findings.find(
    (finding) => finding.fails && isAcceptable(finding) && !isIdentityMismatch(finding),
  );
  if (acceptable && accept !== "never") {
    lines.push(`  lockflow accept ${acceptable.fingerprint} --reason "…"${from}`);
  }
  if (findings.some(({ fails, layer }) => fails && layer === "baseline")) {
    lines.push(`  lockflow accept --prune${from}`);
  }
  if (from !== "" && lines.length > repairs.length + 1)
    lines.push("  (--report text,json=report.json saves that report)");
  return ["Next", ...lines];
}

const SEVERITY_COLORS = { breaking: "red", risky: "yellow", additive: "cyan", cosmetic: "dim" } as const;

type Color = (typeof SEVERITY_COLORS)[Severity] | "bold" | "green";

function paint(words: string, color: Color, options: RenderOptions): string {
  // Whether the stream shows colors is decided already.
  return options.color ? styleText(color, words, { validateStream: false }) : words;
}

/** The length of a line in a log. */
const MOST_COLUMNS = 160;

/** Wraps facts to lines, two blanks apart, with a hanging indent; long facts are broken at blanks. */
export function wrapFacts(facts: readonly string[], indent: string): string[] {
  const deeper = `${indent}    `;
  const lines: string[] = [];
  let line = "";
  const put = (words: string, gap: string) => {
    const start = lines.length === 0 ? indent : deeper;
    const longer = line === "" ? words : line + gap + words;
    if (line === "" || widthOf(start + longer) <= MOST_COLUMNS) line = longer;
    else {
      lines.push(start + line);
      line = words;
    }
  };
  for (const fact of facts) {
    if (fact === "") continue;
    if (widthOf(deeper + fact) <= MOST_COLUMNS) put(fact, "  ");
    else for (const [index, word] of fact.split(" ").entries()) put(word, index === 0 ? "  " : " ");
  }
  return [...lines, (lines.length === 0 ? indent : deeper) + line];
}

function widthOf(words: string): number {
  return stripVTControlCharacters(words).length;
}
