import { resolve } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { realPath } from "../../base/read-files.ts";
import { groupBySurface, isOf } from "../../dialects/surface.ts";
import { parseReports, type RequestedReport } from "../../report/forms/index.ts";
import { parseReport } from "../../report/parse-report.ts";
import { renderParityCounts } from "../../report/render-parity.ts";
import type { RenderOptions, Report } from "../../report/report.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import type { Options } from "../options.ts";
import { describeApis, describeFleet, reportForms, writeReports } from "../reporting.ts";
import { readFile } from "../task-options.ts";

/** `lockflow report`: renders a saved JSON report in another form. */
export async function runReport(context: CommandContext, options: Options<"report">): Promise<ExitCode> {
  const { cwd, positionals } = context;
  const [path = ""] = positionals;
  const reports = parseReports(reportForms(options));
  const report = parseReport(await readFile(cwd, path, "write it with `--report json=<file>`."), path);
  await requireOtherFiles(resolve(cwd, path), cwd, reports);
  const place = { root: cwd, output: "generated" };
  const accept = acceptedFrom(report.run.command);
  const head = describeHead(report).join("\n");
  await writeReports(context, report, { place, reports, verbose: options.verbose, accept, head });
  return 0;
}

/** @throws UsageError for a form that would overwrite the report itself. */
async function requireOtherFiles(
  path: string,
  cwd: string,
  reports: readonly RequestedReport[],
): Promise<void> {
  // A pipe has no path, and cannot be overwritten.
  const reportPath = await realPath(path);
  for (const { form, file } of reports) {
    if (file === null || reportPath === null || (await realPath(resolve(cwd, file))) !== reportPath) continue;
    throw new UsageError({
      sentence: `--report ${form}=${file} would overwrite the report itself.`,
      hint: "choose another file.",
    });
  }
}

/** Returns how findings of a command can be accepted: from snapshots, from the report, or never for two schemas. */
function acceptedFrom(command: string): RenderOptions["accept"] {
  if (command === "diff" || command === "check") return "snapshots";
  return command.startsWith("diff ") ? "never" : "report";
}

/** Returns the lines that the command prints before its text, as far as the report contains them. */
function describeHead({ run, protocols = [], groups, operations, apis = [] }: Report): string[] {
  if (apis.length > 0) return [describeApis(apis)];
  if (!/^diff( |$)/.test(run.command)) return [];
  const keys = protocols.map(({ protocol }) => protocol);
  const fleets = groupBySurface(groups, (group) => group).map((fleet) => {
    const [{ protocol, style } = { protocol: "", style: "multichain" as const }] = fleet;
    return { protocol, groups: fleet, operations: operations.filter(isOf({ protocol, style })) };
  });
  // In the order of the protocols, like the command itself.
  fleets.sort((a, b) => keys.indexOf(a.protocol) - keys.indexOf(b.protocol));
  return [
    ...(protocols.length === 0 ? [] : [renderParityCounts(protocols)]),
    ...fleets.flatMap(describeFleet),
  ];
}
