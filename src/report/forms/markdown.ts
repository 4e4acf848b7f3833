import { cleanText, withoutCommands } from "../../base/clean-text.ts";
import { changeOf, IMPACT_VERBS, impactOf, placeText, titleOf, whereOf } from "../describe-finding.ts";
import { SEVERITIES } from "../finding.ts";
import type { DecidedFinding } from "../outcome.ts";
import type { Renderer, Report } from "../report.ts";
import {
  commitsLine,
  exitLine,
  silentEndpoints,
  summarizeEndpoints,
  summarizeGroups,
  verdictOf,
} from "../verdict.ts";

/** Markdown for a summary or a comment, which have a size limit: tables first, and as many rows per group as fit. */
export const markdown: Renderer = {
  render: (report) => withoutCommands(renderMarkdown(report)),
};

/** Bytes of UTF-8; a comment holds 64 KiB. */
const MOST_BYTES = 60_000;

/** Rows that every group of findings gets before a worse group gets more. */
const FIRST_ROWS = 3;

/** Findings under one heading, and the rows that fit. */
type Group = {
  readonly title: string;
  readonly findings: readonly DecidedFinding[];
  readonly rows: readonly string[];
};

function renderMarkdown(report: Report): string {
  const news = report.findings.filter(({ accepted }) => !accepted);
  const groups = [
    ...SEVERITIES.map((severity) => ({
      title: severity as string,
      findings: news.filter((finding) => finding.severity === severity),
    })),
    { title: "accepted", findings: report.findings.filter(({ accepted }) => accepted) },
  ]
    .filter(({ findings }) => findings.length > 0)
    .map((group): Group => ({ ...group, rows: [] }));
  const commits = commitsLine(report);
  const head = [
    `## Lockflow: ${prose(verdictOf(report), 400)}`,
    ...(commits === null ? [] : [prose(commits, 400)]),
    ...endpointTable(report),
  ];
  const tail = `\`${exitLine(report).replaceAll("`", "'")}\``;
  let left = MOST_BYTES - size(`${[...head, ...groups.map(renderGroup), tail].join("\n\n")}\n`);
  const fill = (group: Group, most: number): Group => {
    const rows = [...group.rows];
    for (const finding of group.findings.slice(rows.length, most)) {
      const row = findingRow(finding, report);
      const bytes = size(row) + 1;
      if (bytes > left) break;
      left -= bytes;
      rows.push(row);
    }
    return { ...group, rows };
  };
  const filled = groups
    .map((group) => fill(group, FIRST_ROWS))
    .map((group) => fill(group, Number.POSITIVE_INFINITY));
  const details = [...movedDetails(report), ...silentDetails(report), ...operationDetails(report)];
  const fitting = details.filter((block) => {
    const bytes = size(block) + 2;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  return `${[...head, ...filled.map(renderGroup), ...fitting, tail].join("\n\n")}\n`;
}

function endpointTable(report: Report): string[] {
  const rows = [...summarizeEndpoints(report), ...summarizeGroups(report)];
  if (rows.length === 0) return [];
  const lines = rows.slice(0, MOST_LINES).map(({ name, text }) => `| ${name} | ${prose(text, 300)} |`);
  if (rows.length > MOST_LINES) lines.push(`| | and ${rows.length - MOST_LINES} more schemas |`);
  return [["| endpoints | |", "| --- | --- |", ...lines].join("\n")];
}

const MOST_LINES = 30;

function renderGroup({ title, findings, rows }: Group): string {
  const left = findings.length - rows.length;
  return [
    `### ${findings.length} ${title}`,
    "",
    "| what | change | operations | where | code |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    ...(left === 0 ? [] : ["", `…and ${left} more ${title}; the JSON report lists all.`]),
  ].join("\n");
}

function findingRow(finding: DecidedFinding, report: Report): string {
  const { fails, accepted, acceptance, code, fingerprint } = finding;
  const until = acceptance?.until ? ` (until ${acceptance.until})` : "";
  const cells = [
    `${fails && !accepted ? "**✗** " : ""}${cell(titleOf(finding))}`,
    changeCell(finding),
    accepted ? prose(`${acceptance?.reason ?? ""}${until}`, 200) : prose(impactOf(finding, report), 120),
    prose(whereOf(finding, report), 120),
    `${cell(code)} ${cell(fingerprint)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Types are code, and messages are sentences. */
function changeCell(finding: DecidedFinding): string {
  const isCode = finding.coordinate !== null && (finding.before !== null || finding.after !== null);
  return isCode ? cell(changeOf(finding)) : prose(changeOf(finding), 200);
}

function movedDetails({ moved = [] }: Report): string[] {
  const items = moved.map(({ file, change }) => `- ${span(file)} ${change}`);
  return detailsOf("Updated snapshot files", items);
}

function silentDetails(report: Report): string[] {
  const items = silentEndpoints(report).map(
    ({ deployment, status, message }) => `- ${span(deployment)} ${status}: ${prose(message ?? "", 200)}`,
  );
  return detailsOf("Endpoints without an answer, not compared", items);
}

function operationDetails({ findings }: Report): string[] {
  const items = findings
    .filter(({ accepted }) => !accepted)
    .flatMap((finding) =>
      finding.operations.map(
        (operation) =>
          `- ${span(placeText(operation))} ${span(titleOf(finding))} ${IMPACT_VERBS[operation.impact]} ${span(operation.name)}: ${prose(operation.message, 200)}`,
      ),
    );
  return detailsOf("Places in operations", items);
}

const MOST_ITEMS = 40;

function detailsOf(summary: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const left = items.length - MOST_ITEMS;
  const shown = [...items.slice(0, MOST_ITEMS), ...(left > 0 ? [`- and ${left} more`] : [])];
  return [`<details><summary>${summary}: ${items.length}</summary>\n\n${shown.join("\n")}\n\n</details>`];
}

/** Escapes text from outside, so that it contains no link, image, mention or tag, and does not end the table. */
function prose(text: string, longest: number): string {
  // In one pass: escape sequences contain characters that would be escaped again.
  return clip(cleanText(text), longest).replaceAll(
    /[&<>@\\`*_{}[\]()#!|~]|:\/\/|www\./g,
    (mark) => ENTITIES.get(mark) ?? `\\${mark}`,
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["@", "&#64;"],
  ["://", ":&#47;&#47;"],
  ["www.", "www&#46;"],
]);

/** Renders code in a cell of a table, with bars escaped. Outside of tables the backslash would be visible. */
function cell(text: string): string {
  return span(text).replaceAll("|", "\\|");
}

/** Renders code. Its fence is longer than any run of backticks in it. */
function span(text: string): string {
  const code = clip(cleanText(text), 160);
  if (code === "") return "";
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return `${fence}${pad}${code}${pad}${fence}`;
}

function clip(text: string, longest: number): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : text;
}

function size(text: string): number {
  return Buffer.byteLength(text);
}
