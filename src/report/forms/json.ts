import * as v from "valibot";
import { jsonWithoutCommands } from "../../base/clean-text.ts";
import type { Renderer, Report } from "../report.ts";
import { Report as REPORT } from "../schema/report.ts";

/** JSON as `docs/report.schema.json` describes it; two runs over the same facts differ in `run` only. */
export const json: Renderer = {
  render: (report) => `${renderJson(report, 2)}\n`,
};

/**
 * Renders a report as JSON that no log takes for a command. The schema gives the order of the keys, fills in empty lists
 * and drops other members. A value that the schema refuses is written as it is.
 */
export function renderJson(report: Report, indent = 0): string {
  return jsonWithoutCommands(JSON.stringify(v.safeParse(REPORT, report).output, null, indent));
}
