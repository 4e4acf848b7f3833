import { openProject } from "../project/load-project.ts";
import { runCheck as check } from "../tasks/check.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { isGiven } from "./option.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./task-options.ts";

/** `lockflow check`: the offline gate. What judges and reports is loaded where there is something to judge or to report. */
export async function runCheck(context: CommandContext, options: Options<"check">): Promise<ExitCode> {
  const startedAt = Date.now();
  const { config, against = null, ...judgingOptions } = options;
  const isPlain = against === null && !Object.values(judgingOptions).some(isGiven);
  const judging = isPlain ? null : (await import("./reporting.ts")).parseJudging(options);
  const project = await openProject(projectOptions(context, { config }));
  const run = await check(project, against, startedAt);
  if (isPlain && run.isClean) {
    context.out(CLEAN);
    return 0;
  }
  const how = judging ?? (await import("./reporting.ts")).parseJudging(options);
  const report = await run.judge(how);
  if (isPlain && report.findings.every(({ accepted }) => accepted)) context.out(CLEAN);
  else {
    const { writeReports } = await import("./reporting.ts");
    const accept = against === null ? "snapshots" : "report";
    await writeReports(context, report, { ...how, place: project, accept });
  }
  return report.outcome.exit;
}

const CLEAN = "Everything generated is current, and every operation is valid.\n";
