import { setImmediate } from "node:timers/promises";
import { once } from "../base/collections.ts";
import type { Requirement } from "../compare/decide-outcome.ts";
import { type Judged, type JudgingOptions, judged, resolveJudging } from "../compare/judge-run.ts";
import { selectedSurfaces } from "../dialects/surface.ts";
import { findRetired } from "../fleet/health.ts";
import { introspectTargets, sampleAgain } from "../fleet/introspect-targets.ts";
import { parseMemory } from "../fleet/memory.ts";
import {
  type AskingOptions,
  createProgressReporter,
  type OpenTargets,
  requireHostInCi,
  withTargets,
} from "../fleet/open-targets.ts";
import type { Introspected } from "../fleet/outcome.ts";
import { openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { namesFields } from "../workspace/definition-claims.ts";
import { openWorkspace, selectCommitted, type Workspace } from "../workspace/workspace.ts";
import type { DriftRules, DriftRun } from "./drift/judge-answers.ts";

/** Compares what is served with the snapshots. See `drift` in `src/index.ts`. */
export async function drift(options: DriftOptions): Promise<DriftResult> {
  const startedAt = Date.now();
  const project = await openProject(options);
  const { env, emulator, update = false, memory, memoryPath = "the memory", onProgress } = options;
  if (!emulator) requireHostInCi(project, env);
  const earlier = memory === undefined ? new Map() : parseMemory(memory, memoryPath);
  const rules = { ...resolveJudging(options), update, earlier, startedAt };
  const run = await withTargets(project, options, (opened) =>
    runDrift(project, opened, { ...rules, onProgress }),
  );
  return judged(project, run);
}

/** The options of `drift`. */
export type DriftOptions = AskingOptions &
  JudgingOptions & {
    /** How many deployments of each protocol and style must answer. @default 80 percent */
    readonly require?: Requirement | undefined;
    /** Whether dead and stuck deployments fail the run. Most of them are only found with `memory`. @default false */
    readonly failOnHealth?: boolean | undefined;
    /** Whether to update the snapshots of surfaces with enough answers. @default false */
    readonly update?: boolean | undefined;
    /** The `memory` that the last run returned. @default none, like the first run */
    readonly memory?: string | undefined;
    /** Its name in errors. @default "the memory" */
    readonly memoryPath?: string | undefined;
  };

/** What `drift` found. */
export type DriftResult = DriftRun & Judged;

/**
 * Introspects deployments and compares their schemas with the snapshots. While requests are under way, it loads the code
 * that compares, and validates operations against each schema that has arrived.
 *
 * @throws SchemaError for a missing snapshot and ConfigError for a definition with an unknown field, before any request.
 */
async function runDrift(
  project: Project,
  opened: OpenTargets,
  { onProgress, ...rules }: DriftRules & Pick<AskingOptions, "onProgress">,
): Promise<DriftRun> {
  const workspace = openWorkspace(project);
  const committed = selectCommitted(
    workspace,
    selectedSurfaces(project),
    opened.targets.map(({ deployment }) => deployment),
  );
  // Loaded only if needed, because it loads the parser.
  if (project.definitions.some(namesFields)) {
    const { requireDefinitions } = await import("../workspace/check-definitions.ts");
    requireDefinitions(workspace);
  }
  const count = createProgressReporter(opened.targets.length, onProgress);
  const preparing = prepare(workspace);
  const [outcomes, retired, { judgeAnswers, operations }] = await Promise.all([
    introspectTargets(opened.targets, workspace, {
      snapshots: committed.snapshots,
      onOutcome: (outcome) => {
        count(outcome.deployment.name);
        // Validates after the next request was sent. An error is thrown again where the result is used.
        Promise.all([preparing, setImmediate()])
          .then(([{ judgeOperations, operations }]) => judgeOperations(outcome, operations))
          .catch(() => {});
      },
    }),
    opened.retired.length === 0 ? [] : findRetired(opened.retired, committed.snapshots, project),
    preparing,
  ]);
  const askAgain = (suspects: readonly Introspected[]) => sampleAgain(suspects, opened.targets, project);
  return judgeAnswers({
    workspace,
    opened,
    committed,
    rules,
    outcomes,
    retired,
    operations,
    askAgain,
  });
}

/** Loads the code that judges, and reads the operations unless an earlier run has cached them as valid. */
async function prepare(workspace: Workspace) {
  const surfaces = selectedSurfaces(workspace.project);
  const { readOperationCache } = await import("./drift/operation-cache.ts");
  const cache = await readOperationCache(workspace);
  const read = once(async () => {
    const { readOperations } = await import("../workspace/operations.ts");
    return readOperations(workspace, surfaces);
  });
  if (!surfaces.every(({ id }) => cache.surfaces.has(id))) await read();
  return { operations: { cache, read }, ...(await import("./drift/judge-answers.ts")) };
}
