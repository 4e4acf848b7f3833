import { cleanText, withoutCommands } from "../../base/clean-text.ts";
import { anchorOf, changeOf, impactOf, placeText, titleOf, whereOf } from "../describe-finding.ts";
import type { DecidedFinding } from "../outcome.ts";
import type { Renderer, Report } from "../report.ts";
import { exitLine } from "../verdict.ts";

/** Commands that GitHub turns into annotations. It silently drops all but ten: so the ten worst, and a count. */
export const github: Renderer = {
  render: (report, { folder }) => {
    const news = report.findings.filter(({ accepted }) => !accepted);
    const shown = news.filter(isWorthALine).slice(0, report.outcome.exit >= 2 ? MOST - 1 : MOST);
    const lines = shown.map((finding) => annotation(finding, report, folder));
    // A run that failed or had too few answers may have no findings.
    if (report.outcome.exit >= 2) lines.unshift(`::error title=lockflow::${data(exitLine(report))}`);
    const more = news.length - shown.length;
    if (more > 0) {
      lines.push(`::notice title=lockflow::${data(`+${more} more in the text, Markdown and JSON reports`)}`);
    }
    return lines.map((line) => `${line}\n`).join("");
  },
};

const MOST = 10;

/** Additive and cosmetic findings are only in the summary. */
function isWorthALine({ fails, severity, operations }: DecidedFinding): boolean {
  return fails || operations.length > 0 || severity === "breaking" || severity === "risky";
}

function annotation(finding: DecidedFinding, report: Report, folder: string): string {
  const level = finding.fails ? "error" : "warning";
  const place = anchorOf(finding);
  // GitHub shows the annotation at its place.
  const subject = place !== null && titleOf(finding) === placeText(place) ? [] : [titleOf(finding)];
  const properties = [
    ...(place ? [`file=${property(folder + place.file)}`] : []),
    ...(place?.line ? [`line=${place.line}`] : []),
    ...(place?.line && place.column ? [`col=${place.column}`] : []),
    `title=${property(cleanText([finding.code, ...subject].join(" ")))}`,
  ];
  const { fix, message } = finding;
  const what = [changeOf(finding), impactOf(finding, report), whereOf(finding, report)].filter(
    (part) => part !== "",
  );
  const said = cleanText(message);
  const lines = [
    what.join("; "),
    ...(what[0] === said ? [] : [said]),
    ...(finding.operations[0] ? [cleanText(finding.operations[0].message)] : []),
    ...(fix === null ? [] : [cleanText(fix)]),
  ];
  return `::${level} ${properties.join(",")}::${data(lines.join("\n"))}`;
}

function data(text: string): string {
  return escapeLine(withoutCommands(text));
}

/** A workflow command ends with its line, and `%` begins an escape. */
function escapeLine(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return withoutCommands(escapeLine(text).replaceAll(":", "%3A").replaceAll(",", "%2C"));
}
