import { ReportError } from "../base/errors.ts";
import { parseShape } from "../base/parse-json.ts";
import { buildReport, type Report } from "./report.ts";
import { Report as REPORT } from "./schema/report.ts";

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
  return parseShape(content, REPORT, NOUNS, invalid);
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
