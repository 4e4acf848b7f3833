import * as v from "valibot";
import { ReportError } from "../base/errors.ts";
import { isObject, parseShape } from "../base/parse-json.ts";
import { buildReport, type Report } from "./report.ts";
import { REPORT } from "./schema/report.ts";

/**
 * Parses a report of `--report json=<file>`. It may come from a cache, an artifact or another release, so nothing in it
 * is trusted; unknown members are ignored.
 *
 * @param place the file's path, for messages.
 * @throws ReportError `REPORT_INVALID`
 */
export function parseReport(content: string, place: string): Report {
  const report = parseReportAs(content, (reason) => {
    return new ReportError({
      code: "REPORT_INVALID",
      sentence: `${place} is not a valid report: ${reason}.`,
      hint: "write it again with `--report json=<file>` of `lockflow drift`, `lockflow diff`, `lockflow check` or `lockflow plan`.",
    });
  });
  return buildReport(report);
}

/** Parses a report in its own order; `invalid` builds the error from a clause with the problem and its place. */
export function parseReportAs(content: string, invalid: (reason: string) => Error): Report {
  return parseShape(content, MIGRATED, NOUNS, invalid);
}

/** Earlier releases wrote no texts for further places of a finding: they joined only equal texts. */
const MIGRATED = v.pipe(
  v.unknown(),
  v.transform((report) => {
    if (!isObject(report) || !Array.isArray(report.findings)) return report;
    return { ...report, findings: report.findings.map(migrateFinding) };
  }),
  REPORT,
);

function migrateFinding(finding: unknown): unknown {
  if (!isObject(finding) || !Array.isArray(finding.elsewhere)) return finding;
  const { before, after } = finding;
  return {
    ...finding,
    elsewhere: finding.elsewhere.map((place) => (isObject(place) ? { before, after, ...place } : place)),
  };
}

const NOUNS = {
  findings: "finding",
  elsewhere: "place",
  endpoints: "endpoint",
  deployments: "deployment",
  heads: "head",
  earlier: "block",
  groups: "group",
  operations: "operation",
  categories: "category",
  protocols: "protocol",
  rows: "row",
  sources: "source",
  moved: "file",
  apis: "API",
};
