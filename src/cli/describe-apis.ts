import { displayText } from "../base/display-text.ts";
import { renderTable } from "../report/render-table.ts";
import type { PlannedApi } from "../report/report.ts";

/** Describes what a plan derived, an API a line. */
export function describeApis(apis: readonly PlannedApi[]): string {
  return renderTable(
    apis.map(({ protocol, style, entities, release, releaseFrom, before, status }) => [
      `${protocol}/${style}`,
      `from ${displayText(entities, [])}`,
      `as ${release} (${SOURCES[releaseFrom]})`,
      status === "compared" ? `against ${displayText(before, [])}` : status,
    ]),
  );
}

const SOURCES: Readonly<Record<PlannedApi["releaseFrom"], string>> = {
  snapshot: "by the snapshot",
  caller: "by --release",
  default: "the default",
};
