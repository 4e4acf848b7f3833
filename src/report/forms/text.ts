import type { Severity } from "../../model/finding.ts";
import type { DecidedFinding } from "../../model/outcome.ts";
import { categoryOf } from "../../utils/category-of.ts";
import { displayText } from "../../utils/display-text.ts";
import { changeOf, impactOf, isAcceptable, placeText, titleOf, whereOf } from "../describe-finding.ts";
import { renderTable } from "../render-table.ts";
import type { Renderer, RenderOptions } from "../renderer.ts";
import type { Report } from "../report.ts";
import { silentEndpoints, summarizeEndpoints, summarizeGroups } from "../summarize-endpoints.ts";
import { exitLine, verdictOf } from "../verdict.ts";

/** Text for people: the verdict first, what to do next, and what the exit code means last. */
export const text: Renderer = {
  isForPrograms: false,
  render: (report, options) => {
    const parts = [
      [paint(verdictOf(report), report.outcome.exit === 0 ? "green" : "bold", options)],
      renderEndpoints(report, options),
      renderFindings(report, options),
      renderAccepted(report, options),
      renderNext(report),
      [exitLine(report)],
    ];
    const shown = parts.filter((lines) => lines.length > 0);
    return `${shown.map((lines) => lines.join("\n")).join("\n\n")}\n`;
  },
};

/** What fits on one screen. */
const MOST_FINDINGS = 12;
const MOST_OPERATIONS = 3;
const MOST_SILENT = 6;

function renderEndpoints(report: Report, { verbose }: RenderOptions): string[] {
  const summaries = summarizeEndpoints(report);
  const rows = summaries.map(({ name, text: what }) => [name, what]);
  const groups = summarizeGroups(report).map(({ name, text: what }) => [name, what]);
  const silent = silentEndpoints(report);
  const listed = verbose ? silent : silent.slice(0, MOST_SILENT);
  const lines = rows.length > 0 ? ["Endpoints", renderTable(rows, "  ")] : [];
  if (groups.length > 0) lines.push("Schemas", renderTable(groups, "  "));
  if (silent.length > 0) {
    const failures = listed.map(({ deployment, status, message }) => [
      deployment,
      displayText(message ?? status, []),
    ]);
    lines.push("Without an answer, and so without a verdict", renderTable(failures, "  "));
    if (silent.length > listed.length) lines.push(`  and ${silent.length - listed.length} more`);
  }
  return lines;
}

function renderFindings(report: Report, options: RenderOptions): string[] {
  const news = report.findings.filter(({ accepted }) => !accepted);
  if (news.length === 0) return [];
  const shown = options.verbose ? news : news.slice(0, MOST_FINDINGS);
  const lines = ["Findings"];
  for (const [index, finding] of shown.entries()) {
    lines.push(...renderFinding(finding, report, options));
    // One fix for many is said once, below the last of them.
    const { fix } = finding;
    if (fix !== null && shown[index + 1]?.fix !== fix) {
      lines.push(...fix.split("\n").map((line) => `      ${displayText(line, [])}`));
    }
  }
  const left = news.length - shown.length;
  if (left > 0) lines.push(`  and ${left} more: --verbose shows them, --report json=<file> holds them`);
  return lines;
}

function renderFinding(finding: DecidedFinding, report: Report, options: RenderOptions): string[] {
  const { severity, code, fingerprint, operations } = finding;
  const facts = [
    paint(severity, SEVERITY_COLORS[severity], options),
    titleOf(finding),
    changeOf(finding),
    impactOf(finding),
    whereOf(finding, report),
    `[${code} ${fingerprint}]`,
  ];
  const lines = [`  ${facts.filter((fact) => fact !== "").join("  ")}`];
  const { layer, before, after } = finding;
  if (layer === "generated" && before !== null && after !== null) {
    // Lines of a file, with all that cannot be seen spelled out already: their blanks matter.
    lines.push(`      is:        ${after}`, `      should be: ${before}`);
  }
  const shown = options.verbose ? operations : operations.slice(0, MOST_OPERATIONS);
  for (const operation of shown) {
    const what = displayText(operation.message, []);
    lines.push(`      ${displayText(placeText(operation), [])}  ${displayText(operation.name, [])}  ${what}`);
  }
  if (operations.length > shown.length) {
    lines.push(`      and ${operations.length - shown.length} more places in operations`);
  }
  return lines;
}

function renderAccepted(report: Report, { verbose }: RenderOptions): string[] {
  const accepted = report.findings.filter((finding) => finding.accepted);
  if (accepted.length === 0) return [];
  const shown = verbose ? accepted : accepted.slice(0, MOST_OPERATIONS);
  const lines = shown.map((finding) => {
    const { acceptance } = finding;
    const until = acceptance?.until ? ` until ${acceptance.until}` : "";
    const facts = [titleOf(finding), changeOf(finding), whereOf(finding, report)];
    const reason = displayText(acceptance?.reason ?? "", []);
    return `  ${facts.filter((fact) => fact !== "").join("  ")}${until}: ${reason}`;
  });
  const left = accepted.length - shown.length;
  return ["Accepted", ...lines, ...(left > 0 ? [`  and ${left} more`] : [])];
}

/** The commands that go on from here, ready to be pasted. */
function renderNext({ findings, outcome }: Report): string[] {
  const first = findings.find((finding) => finding.fails) ?? findings.find(isAcceptable);
  if (first === undefined || outcome.exit === 2) return [];
  const lines = [`  lockflow explain ${first.code}`];
  const acceptable = findings.find((finding) => finding.fails && isAcceptable(finding));
  if (acceptable) {
    // What the snapshots show is found again; what was asked or compared once is only in the report of that run.
    const from = OFFLINE.has(categoryOf(acceptable))
      ? ""
      : " --from report.json  (--report text,json=report.json saves it)";
    lines.push(`  lockflow accept ${acceptable.fingerprint} --reason "…"${from}`);
  }
  return ["Next", ...lines];
}

const OFFLINE: ReadonlySet<string> = new Set(["fleet", "parity"]);

type Color = "red" | "yellow" | "green" | "dim" | "bold";

const SEVERITY_COLORS: Readonly<Record<Severity, Color>> = {
  breaking: "red",
  risky: "yellow",
  additive: "green",
  cosmetic: "dim",
};

const CODES: Readonly<Record<Color, number>> = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 };

function paint(words: string, color: Color, options: RenderOptions): string {
  return options.color ? `\u001b[${CODES[color]}m${words}\u001b[0m` : words;
}
