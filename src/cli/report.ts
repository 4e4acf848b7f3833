import { resolve } from "node:path";
import { UsageError } from "../base/errors.ts";
import { realPath } from "../base/survey-folder.ts";
import { groupBySurface, isOf } from "../dialects/surface.ts";
import { parseReports, type RequestedReport } from "../report/forms/index.ts";
import { parseReport } from "../report/parse-report.ts";
import type { RenderOptions, Report } from "../report/report.ts";
import { renderParityCounts } from "../report/terminal.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { describeApis, describeFleet, reportForms, writeReports } from "./reporting.ts";
import { readFile } from "./task-options.ts";

/** `lockflow report`: what a run reported as JSON, in any form. */
export async function runReport(context: CommandContext, options: Options<"report">): Promise<ExitCode> {
  const { cwd, positionals } = context;
  const [path = ""] = positionals;
  const reports = parseReports(reportForms(options));
  const report = parseReport(await readFile(cwd, path, "write it with `--report json=<file>`."), path);
  await requireOtherFiles(resolve(cwd, path), cwd, reports);
  const place = { root: cwd, output: "generated" };
  const accept = acceptedFrom(report.run.command);
  const how = { reports, verbose: options.verbose, accept };
  await writeReports(context, place, report, how, (form, text) => {
    const head = form === "text" ? describeHead(report) : [];
    return head.length === 0 ? text : `${head.join("\n")}\n\n${text}`;
  });
  return 0;
}

/**
 * Whoever names the report itself would lose it, and with it what other forms are made of.
 *
 * @throws UsageError
 */
async function requireOtherFiles(
  path: string,
  cwd: string,
  reports: readonly RequestedReport[],
): Promise<void> {
  // What has no path of its own, as a pipe, cannot be named either.
  const own = await realPath(path);
  for (const { form, file } of reports) {
    if (file === null || own === null || (await realPath(resolve(cwd, file))) !== own) continue;
    throw new UsageError({
      sentence: `--report ${form}=${file} would overwrite the report that it is made of.`,
      hint: "name another file.",
    });
  }
}

/** How what a command found is accepted: what the snapshots show is found again, two named schemas are not. */
function acceptedFrom(command: string): RenderOptions["accept"] {
  if (command === "diff" || command === "check") return "snapshots";
  return command.startsWith("diff ") ? "never" : "report";
}

/** What the command itself has in front of its text, as far as its report holds it. */
function describeHead({ run, protocols = [], groups, operations, apis = [] }: Report): string[] {
  if (apis.length > 0) return [describeApis(apis)];
  if (!/^diff( |$)/.test(run.command)) return [];
  const keys = protocols.map(({ protocol }) => protocol);
  const fleets = groupBySurface(groups, (group) => group).map((own) => {
    const [{ protocol, style } = { protocol: "", style: "multichain" as const }] = own;
    return { protocol, groups: own, operations: operations.filter(isOf({ protocol, style })) };
  });
  // In the order of the protocols, as the command has them.
  fleets.sort((a, b) => keys.indexOf(a.protocol) - keys.indexOf(b.protocol));
  return [
    ...(protocols.length === 0 ? [] : [renderParityCounts(protocols)]),
    ...fleets.flatMap(describeFleet),
  ];
}
