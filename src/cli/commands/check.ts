import { openProject } from "../../project/load-project.ts";
import type { Project } from "../../project/project.ts";
import { runCheck as check } from "../../tasks/check.ts";
import type { CommandContext, ExitCode } from "../context.ts";
import { isGiven } from "../option.ts";
import type { Options } from "../options.ts";
import type { Judging } from "../reporting.ts";
import { projectOptions } from "../task-options.ts";

/** `lockflow check`: the offline gate. A plain run without findings does not load the code that judges and reports. */
export async function runCheck(context: CommandContext, options: Options<"check">): Promise<ExitCode> {
  const startedAt = Date.now();
  const { config, against = null, fix, ...judgingOptions } = options;
  const isPlain = against === null && !Object.values(judgingOptions).some(isGiven);
  const judging = isPlain ? null : (await import("../reporting.ts")).parseJudging(options);
  const project = await openProject(projectOptions(context, { config }));
  if (fix) await printFixes(context, project, judging);
  const run = await check(project, { against, startedAt, beforeWork: () => context.tune?.("generation") });
  if (isPlain && run.isClean) {
    context.out(CLEAN);
    return 0;
  }
  const how = judging ?? (await import("../reporting.ts")).parseJudging(options);
  const report = await run.judge(how);
  if (isPlain && report.findings.every(({ accepted }) => accepted)) context.out(CLEAN);
  else {
    const { writeReports } = await import("../reporting.ts");
    const accept = against === null ? "snapshots" : "report";
    const { nextCommands } = await import("../../tasks/check/next-commands.ts");
    const next = await nextCommands(project, report);
    await writeReports(context, report, { ...how, place: project, accept, next });
  }
  return report.outcome.exit;
}

/** Applies fixes and prints a diff: to standard error if standard output has a report in another form than text. */
async function printFixes(context: CommandContext, project: Project, judging: Judging | null): Promise<void> {
  const { fixVariables } = await import("../../tasks/check/fix-variables.ts");
  const { openWorkspace } = await import("../../workspace/workspace.ts");
  const patch = await fixVariables(openWorkspace(project));
  const isText = judging?.reports.every(({ form, file }) => form === "text" || file !== null) ?? true;
  context[isText ? "out" : "err"](patch);
}

const CLEAN = "Everything generated is current, and every operation is valid.\n";
