import { setImmediate } from "node:timers/promises";
import type { LiveOperations } from "../drift/live-operations.ts";
import { introspectTargets } from "../fleet/introspect-targets.ts";
import { type OpenTargets, openTargets } from "../fleet/open-targets.ts";
import type { Outcome } from "../fleet/outcome.ts";
import { openProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import { isOf } from "../project/surface.ts";
import type { Finding } from "../report/finding.ts";
import { createProgress } from "../report/progress.ts";
import { type CommittedSchemas, readCommittedSchemas, requireSnapshot } from "../snapshots/read-snapshots.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { readMemory } from "./drift-memory.ts";
import { parseJudging } from "./judged-run.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./project-options.ts";
import { renderUnconfigured } from "./render-unconfigured.ts";
import { requireHostInCi } from "./require-host.ts";

/** `lockflow drift`: what is served now against the snapshots, and who serves it and how. */
export async function runDrift(context: CommandContext, options: Options<"drift">): Promise<ExitCode> {
  const startedAt = Date.now();
  const judging = parseJudging(options);
  if (judging.failOnHealth && options.memory === undefined) context.err(FORGETFUL);
  const { environment, emulator: useEmulator, memory, update } = options;
  const asking = { environment, useEmulator };
  const project = await openProject(projectOptions(context, options));
  if (!useEmulator) requireHostInCi(project, context);
  const earlier = await readMemory(context, memory);
  const opened = await openTargets(project, asking, context.env);
  try {
    // Results go out alone: a report may be for a program.
    context.err(`${opened.description}\n${renderUnconfigured(opened, asking)}`);
    const known = await readCommittedSchemas(project);
    await requireSnapshots(project, opened, known);
    const answers = await ask(project, opened, known, context);
    const { finishDrift } = await import("./finish-drift.ts");
    const run = { context, project, opened, known, judging, earlier, memory, update, startedAt };
    return await finishDrift({ ...run, ...answers });
  } finally {
    await opened.close();
  }
}

/** Said to whoever asks for a verdict that one run cannot give. */
const FORGETFUL =
  "Without --memory nobody is known to be dead, and to be stuck only where all are: --fail-on-health fails for no other.\n";

/** @throws SchemaError when there is nothing to compare an answer with. */
async function requireSnapshots(
  project: Project,
  { targets }: OpenTargets,
  { snapshots }: CommittedSchemas,
): Promise<void> {
  for (const { deployment } of targets) {
    if (!snapshots.some(isOf(deployment))) {
      await requireSnapshot(`${project.root}/${project.output}`, deployment);
    }
  }
}

async function ask(
  project: Project,
  { targets, retired }: OpenTargets,
  known: CommittedSchemas,
  context: CommandContext,
): Promise<{
  readonly outcomes: readonly Outcome[];
  readonly retired: readonly Finding[];
  readonly operations: LiveOperations;
}> {
  const progress = createProgress({
    total: targets.length,
    what: "deployments",
    write: context.err,
    isTerminal: context.isTerminal,
  });
  const reading = readOperations(project, known);
  const [outcomes, answering, operations] = await Promise.all([
    introspectTargets(targets, project, known.snapshots, (outcome) => {
      progress.advance(outcome.deployment.name);
      // Judged while others are awaited, and after the next was asked. Whoever needs the result meets the error.
      Promise.all([reading, setImmediate()])
        .then(([operations]) => operations.judge(outcome))
        .catch(() => {});
    }).finally(progress.finish),
    retired.length === 0 ? [] : findRetired(project, retired, known),
    reading,
  ]);
  return { outcomes, retired: answering, operations };
}

/** Loads what judges, too: the network leaves time for it. */
async function readOperations(project: Project, known: CommittedSchemas): Promise<LiveOperations> {
  const { readLiveOperations } = await import("../drift/live-operations.ts");
  const operations = await readLiveOperations(project, known);
  await import("./finish-drift.ts");
  return operations;
}

async function findRetired(
  project: Project,
  retired: OpenTargets["retired"],
  { snapshots }: CommittedSchemas,
): Promise<Finding[]> {
  const { findRetired } = await import("../fleet/find-retired.ts");
  return findRetired(retired, snapshots, project);
}
