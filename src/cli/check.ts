import { runCheck as check } from "../drift/run-check.ts";
import { findProject } from "../project/open-project.ts";
import { projectOptions } from "./api-options.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { isGiven } from "./option.ts";
import type { Options } from "./options.ts";

/** `lockflow check`: the offline gate. What judges and reports is loaded where there is something to judge or to report. */
export async function runCheck(context: CommandContext, options: Options<"check">): Promise<ExitCode> {
  const startedAt = Date.now();
  const { config, against = null, ...judgingOptions } = options;
  const isPlain = against === null && !Object.values(judgingOptions).some(isGiven);
  const judging = isPlain ? null : (await import("./parse-judging.ts")).parseJudging(options);
  const project = await findProject(projectOptions(context, { config }));
  const run = await check(project, against, startedAt);
  if (isPlain && run.isClean) {
    context.out(CLEAN);
    return 0;
  }
  const how = judging ?? (await import("./parse-judging.ts")).parseJudging(options);
  const report = await run.judge(how);
  if (isPlain && report.findings.every(({ accepted }) => accepted)) context.out(CLEAN);
  else {
    const { writeReports } = await import("./write-reports.ts");
    const accept = against === null ? "snapshots" : "report";
    await writeReports(context, project, report, { ...how, accept });
  }
  return report.outcome.exit;
}

const CLEAN = "Everything generated is current, and every operation is valid.\n";
