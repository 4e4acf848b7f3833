import { basename, dirname, resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { writeFiles } from "../base/disk/write-files.ts";
import { runDrift as drift } from "../drift/run-drift.ts";
import { type Memory, parseMemory, renderMemory } from "../fleet/memory.ts";
import { openTargets } from "../fleet/open-targets.ts";
import { describeTargets } from "../fleet/with-targets.ts";
import { openProject } from "../project/open-project.ts";
import { createProgress } from "../report/progress.ts";
import { projectOptions, renderUnconfigured } from "./api-options.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { parseJudging } from "./parse-judging.ts";
import { requireHostInCi } from "./require-host.ts";

/** `lockflow drift`: what is served now against the snapshots, and who serves it and how. */
export async function runDrift(context: CommandContext, options: Options<"drift">): Promise<ExitCode> {
  const startedAt = Date.now();
  const { cwd, env, err, isTerminal } = context;
  const { environment, emulator: useEmulator, memory: file, update } = options;
  const judging = parseJudging(options);
  if (judging.failOnHealth && file === undefined) err(FORGETFUL);
  const project = await openProject(projectOptions(context, options));
  if (!useEmulator) requireHostInCi(project, context);
  const earlier = await readMemory(cwd, file);
  const asking = { environment, useEmulator, needsRows: false };
  const opened = await openTargets(project, asking, env);
  try {
    // Results go out alone: a report may be for a program.
    err(`${opened.description}\n${renderUnconfigured(describeTargets(opened, environment), environment)}`);
    const total = opened.targets.length;
    const progress = createProgress({ total, what: "deployments", write: err, isTerminal });
    const rules = { ...judging, update, earlier, startedAt };
    const { report, memory, held } = await drift(project, opened, rules, ({ deployment }) =>
      progress.advance(deployment.name),
    ).finally(progress.finish);
    const { moved } = report;
    if (moved)
      err(moved.length === 0 ? "No snapshot moved.\n" : `${moved.length} files of snapshots moved.\n`);
    for (const surface of held) err(`Those of ${surface} stay: too few answered.\n`);
    const { writeReports } = await import("./write-reports.ts");
    await writeReports(context, project, report, { ...judging, accept: "report" });
    if (file !== undefined && memory !== null) {
      const path = resolve(cwd, file);
      await writeFiles(dirname(path), [{ path: basename(path), content: renderMemory(memory) }]);
    }
    return report.outcome.exit;
  } finally {
    await opened.close();
  }
}

/** Said to whoever asks for a verdict that one run cannot give. */
const FORGETFUL =
  "Without --memory nobody is known to be dead, and to be stuck only where all are: --fail-on-health fails for no other.\n";

/** What earlier runs kept: nothing without `--memory`, and nothing in the first run. */
async function readMemory(cwd: string, file: string | undefined): Promise<Memory> {
  const text = file === undefined ? null : await readText(resolve(cwd, file));
  return file === undefined || text === null ? new Map() : parseMemory(text, file);
}
