import { join } from "node:path";
import { groupBy } from "../../base/collections.ts";
import { writeFiles } from "../../base/write-files.ts";
import {
  compareFleets,
  compareSurface,
  fingerprintSnapshots,
  recordedFindings,
  type SurfaceInput,
} from "../../compare/compare-surface.ts";
import { createCoverage, isAboutServedSchema } from "../../compare/coverage.ts";
import { findShortfalls } from "../../compare/decide-outcome.ts";
import { indexSchema } from "../../compare/indexed-schema.ts";
import { isAdaptable } from "../../compare/is-adaptable.ts";
import { type JudgingRules, judgeRun, type RunDetails } from "../../compare/judge-run.ts";
import { type Observation, observeAbsent, observeAnswers } from "../../compare/observation.ts";
import { collectSources, reportValid } from "../../compare/report-operations.ts";
import { shareRenames } from "../../compare/share-renames.ts";
import { IS_PER_CHAIN, isOf, type OfSurface, type SurfaceId, surfaceId } from "../../dialects/surface.ts";
import { findHealth } from "../../fleet/health.ts";
import { findIdentity } from "../../fleet/identity.ts";
import { type Memory, renderMemory, updateMemory } from "../../fleet/memory.ts";
import type { OpenTargets } from "../../fleet/open-targets.ts";
import { type Introspected, type Outcome, statusOfFailure } from "../../fleet/outcome.ts";
import { planSnapshots, type SnapshotPlan } from "../../fleet/plan-snapshots.ts";
import type { SchemaReading } from "../../fleet/read-schema.ts";
import type { OperationsBySurface } from "../../operations/operation-set.ts";
import { inactiveLifecycle } from "../../project/lifecycle.ts";
import type { Project } from "../../project/project.ts";
import type { Finding } from "../../report/finding.ts";
import type { EndpointStatus } from "../../report/outcome.ts";
import type { MovedFile, OperationReport, Report } from "../../report/report.ts";
import { readBaseline } from "../../workspace/baseline.ts";
import { FLEET_RECORD_PATH, renderFleetRecord } from "../../workspace/fleet-record.ts";
import { openWithTexts } from "../../workspace/former-snapshots.ts";
import {
  type CommittedSchemas,
  isUniform,
  openWorkspace,
  type Workspace,
} from "../../workspace/workspace.ts";
import type { OperationCache, ValidBySurface } from "./operation-cache.ts";
import { reportEndpoints } from "./report-endpoints.ts";

/** The rules of a run of `drift`. */
export type DriftRules = JudgingRules & {
  /** Whether to update the snapshots to what is served. */
  readonly update: boolean;
  /** The memory of earlier runs. */
  readonly earlier: Memory;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
};

/** The report of a run, and what the next run needs of it. */
export type DriftRun = {
  /** What `--report json` writes. */
  readonly report: Report;
  /** The memory for the next run; null if the run could not be done. */
  readonly memory: string | null;
  /** The surfaces whose snapshots were not updated because too few deployments answered; empty without `update`. */
  readonly held: readonly SurfaceId[];
  /**
   * Whether `adapt` repairs operations that most deployments do not accept: at once after an update, else after
   * `lockflow drift --update`.
   */
  readonly isAdaptable: boolean;
};

type AnsweredRun = {
  readonly workspace: Workspace;
  readonly opened: Pick<OpenTargets, "targets" | "unconfigured">;
  readonly committed: CommittedSchemas;
  readonly rules: DriftRules;
  readonly outcomes: readonly Outcome[];
  /** The findings of retired deployments. */
  readonly retired: readonly Finding[];
  readonly operations: KnownOperations;
  /** Introspects deployments with unexpected answers again. Returns their second schemas by name. */
  readonly askAgain: (suspects: readonly Introspected[]) => Promise<ReadonlyMap<string, SchemaReading>>;
};

/** The operations of a run: the cached result of an earlier run, and a function that reads them on first use. */
type KnownOperations = {
  readonly cache: OperationCache;
  readonly read: () => Promise<OperationsBySurface>;
};

/** Validates the operations of a deployment against its schema. The schema memoizes the result. */
export async function judgeOperations(outcome: Outcome, { cache, read }: KnownOperations): Promise<void> {
  if (outcome.kind === "failed") return;
  const { deployment, reading } = outcome;
  if (isValidBy(cache, deployment, [reading])) return;
  const operations = (await read()).get(surfaceId(deployment)) ?? [];
  indexSchema(reading.schema).validate(operations.map(({ document }) => document));
}

/** Whether an earlier run found all operations of a surface valid for all given schemas. */
function isValidBy(
  { surfaces }: OperationCache,
  surface: OfSurface,
  schemas: readonly Pick<SchemaReading, "hashes">[],
): boolean {
  const valid = surfaces.get(surfaceId(surface));
  return valid !== undefined && schemas.every(({ hashes }) => valid.schemas.includes(hashes.schema));
}

/** Compares the answers with the snapshots, updates the snapshots if `update` is set, and builds the report. */
export async function judgeAnswers(run: AnsweredRun): Promise<DriftRun> {
  const { workspace, opened, committed, rules, outcomes, retired } = run;
  const { project } = workspace;
  const { startedAt } = rules;
  const answered = outcomes.filter((outcome) => outcome.kind === "introspected");
  const surfaces = committed.snapshots.map((snapshot) => {
    const ofSurface = answered.filter(({ deployment }) => isOf(snapshot)(deployment));
    const observations = observeAnswers(ofSurface, snapshot, committed.rows);
    const deployments = project.deployments.filter(
      (deployment) => isOf(snapshot)(deployment) && deployment.status !== "retired",
    );
    const absent = observeAbsent({ deployments, answered: observations }, committed.rows, snapshot);
    return { snapshot, observations, absent, all: [...observations, ...absent] };
  });
  const suspects = new Set(
    surfaces.flatMap(({ observations }) => findSuspects(observations).map(({ deployment }) => deployment)),
  );
  const flapping = await run.askAgain(answered.filter(({ deployment }) => suspects.has(deployment.name)));
  const moving = findMoving(run);
  const { cache, read } = run.operations;
  // Comparing an unexpected schema needs the operations themselves.
  const isCached =
    isUniform(committed) &&
    surfaces.every(
      ({ snapshot, observations, all }) =>
        observations.every(({ isSame }) => isSame) && isValidBy(cache, snapshot, all),
    );
  const operations: OperationsBySurface = isCached ? new Map() : await read();
  const inputs = surfaces.map((surface) => ({ ...surface.snapshot, ...surface }));
  const compared = await shareRenames(inputs, ({ snapshot, observations, absent }, renames) =>
    compareSurface({
      snapshot,
      observations: observations.map((observation) => ({
        ...observation,
        second: flapping.get(observation.deployment) ?? null,
      })),
      absent,
      operations: operations.get(surfaceId(snapshot)) ?? [],
      exhaustiveEnums: rules.exhaustiveEnums,
      renames,
      isFleet: false,
      fixes: chooseFixes(surfaceId(snapshot), moving.has(surfaceId(snapshot)), rules),
      followed: IS_PER_CHAIN[snapshot.style] ? project.follow[snapshot.protocol] : undefined,
      output: project.output,
    }),
  );
  const recorded = isUniform(committed)
    ? []
    : await findRecorded(run, operations, new Set(compared.flatMap(({ statuses }) => [...statuses.keys()])));
  const reported = surfaces.map(({ snapshot, all }, index) =>
    isCached
      ? reportValid(cache.surfaces.get(surfaceId(snapshot))?.operations ?? [], all, snapshot)
      : (compared[index]?.operations ?? []),
  );
  if (!isCached) await cache.keep(findValid(surfaces, reported));
  const memory = updateMemory(rules.earlier, { outcomes, now: startedAt }, project);
  const entries = readBaseline(workspace);
  const followed = outcomes.filter(({ deployment }) => !flapping.has(deployment.name));
  const isBroken = compared.some(({ findings }) =>
    findings.some(({ operations: hit }) => hit.some(({ impact }) => impact === "broken")),
  );
  const plan = rules.update || isBroken ? planMove(run, followed, moving) : NO_PLAN;
  const moved = rules.update ? await moveSnapshots(project, plan) : undefined;
  // Updated snapshots have to be read again.
  const shown = entries.some(isAboutServedSchema)
    ? await fingerprintSnapshots(rules.update ? openWorkspace(project) : workspace)
    : new Set<string>();
  const statuses = new Map<string, EndpointStatus>(compared.flatMap(({ statuses }) => [...statuses]));
  const report = judgeRun(
    {
      command: "drift",
      startedAt,
      findings: [
        ...compared.flatMap(({ findings }) => findings),
        ...recorded,
        ...findIdentity(outcomes, project.chains, project.definitions),
        ...findHealth(outcomes, project.chains, { memory, now: startedAt }),
        ...retired,
      ],
      endpoints: (findings) =>
        reportEndpoints({ project, opened, outcomes, statuses, findings, memory, startedAt }),
      groups: compared.flatMap(({ groups }) => groups),
      operations: reported.flat(),
      categories: LOOKED,
      answered: new Set(answered.map(({ deployment }) => deployment.name)),
      covers: createCoverage(LOOKED, shown),
      failure: opened.targets.length === 0 ? "no deployment has a URL" : null,
      moved,
      details: rules.details ? await collectDetails(run) : undefined,
    },
    entries,
    rules,
  );
  const asked = new Set(followed.map(({ deployment }) => surfaceId(deployment)));
  // As it is after an update.
  const texts = new Map(plan.files.map(({ path, content }) => [`${project.output}/${path}`, content]));
  return {
    report,
    memory: report.outcome.exit === 2 ? null : renderMemory(memory),
    held: rules.update ? [...asked].filter((id) => !moving.has(id)) : [],
    isAdaptable: isBroken && (await isAdaptable(openWithTexts(workspace, texts))),
  };
}

/**
 * Finds the differences that the snapshots record for deployments without a new schema. An update records a difference,
 * and does not remove it.
 */
async function findRecorded(
  { workspace: { project }, committed, rules }: AnsweredRun,
  operations: OperationsBySurface,
  changed: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  const names = new Set(project.selected.map(({ name }) => name).filter((name) => !changed.has(name)));
  const rows = committed.rows.filter(({ name }) => names.has(name));
  const { output } = project;
  const { fleets } = await compareFleets({ ...committed, rows }, operations, { ...rules, output });
  return recordedFindings(fleets);
}

/** Returns the surfaces whose operations are all valid, for the cache. */
function findValid(
  surfaces: readonly { readonly snapshot: OfSurface; readonly all: readonly Observation[] }[],
  reported: readonly (readonly OperationReport[])[],
): ValidBySurface {
  return new Map(
    surfaces.flatMap(({ snapshot, all }, index) => {
      const operations = reported[index] ?? [];
      if (operations.some(({ missing }) => missing.length > 0)) return [];
      const schemas = [...new Set(all.map(({ hashes }) => hashes.schema))];
      const listed = operations.map(({ name, file, line, portable }) => {
        return { name, file, line, ...(portable && { portable }) };
      });
      return [[surfaceId(snapshot), { operations: listed, schemas }] as const];
    }),
  );
}

/** Collects the details of a report. The snapshots show the parity, independent of the answers. */
async function collectDetails({ workspace, committed, operations }: AnsweredRun): Promise<RunDetails> {
  const { compareStyles } = await import("../../compare/parity.ts");
  return {
    protocols: compareStyles(workspace.project.protocols, committed.snapshots),
    sources: collectSources(await operations.read()),
  };
}

/** The categories of findings that `drift` looks for. */
const LOOKED = ["drift", "identity", "health"];

/** Returns the surfaces with enough answers to update their snapshots. */
function findMoving({ workspace, outcomes, rules }: AnsweredRun): ReadonlySet<SurfaceId> {
  const answers = outcomes.map((outcome) => ({
    protocol: outcome.deployment.protocol,
    style: outcome.deployment.style,
    status: outcome.kind === "failed" ? statusOfFailure(outcome.error) : ("same" as const),
    ...inactiveLifecycle(outcome.deployment),
  }));
  const unmet = new Set<string>(findShortfalls(answers, rules.require).map(({ name }) => name));
  return new Set(workspace.project.selected.map(surfaceId).filter((id) => !unmet.has(id)));
}

/** Chooses the hints of a surface's findings. An update changes nothing if too few deployments answered. */
function chooseFixes(id: SurfaceId, isMoving: boolean, { update }: DriftRules): SurfaceInput["fixes"] {
  const keep = "most deployments accept the operations: keep them, and wait until the others follow.";
  if (!isMoving) {
    const held = `the snapshot of ${id} stays as it is until enough deployments answer.`;
    return { difference: held, variant: held, minority: keep };
  }
  const end = "list the chains of each operation in the manifest meanwhile.";
  if (!update) {
    return {
      difference: "if the change is intended, run `lockflow drift --update`.",
      variant: "nothing has to be done; `lockflow drift --update` records it.",
      minority: `${keep}\n\`lockflow drift --update\` and \`lockflow generate\` ${end}`,
    };
  }
  const updated = "its snapshot was updated: run `lockflow generate`, then `lockflow check`.";
  const minority = `${keep}\n\`lockflow generate\` will ${end}`;
  return { difference: updated, variant: updated, minority };
}

const NO_PLAN: SnapshotPlan = { files: [], removals: [], rows: [] };

/** Plans the files of the surfaces with enough answers. Deployments without an answer keep their last schema. */
function planMove(
  { workspace: { project }, committed }: AnsweredRun,
  outcomes: readonly Outcome[],
  moving: ReadonlySet<SurfaceId>,
): SnapshotPlan {
  const isMoving = (surface: OfSurface) => moving.has(surfaceId(surface));
  const { files, removals, rows } = planSnapshots({
    ...committed,
    deployments: project.deployments.filter(isMoving),
    outcomes,
    follow: project.follow,
  });
  if (rows.length === 0) return NO_PLAN;
  const record = renderFleetRecord([...rows, ...committed.rows.filter((row) => !isMoving(row))]);
  return {
    files: files.map((file) => (file.path === FLEET_RECORD_PATH ? { ...file, content: record } : file)),
    removals,
    rows,
  };
}

/** Updates the snapshots to what is served, all in one write. */
async function moveSnapshots(
  { root, output }: Project,
  { files, removals }: SnapshotPlan,
): Promise<MovedFile[]> {
  if (files.length === 0) return [];
  const { written, removed } = await writeFiles(join(root, output), files, { removals });
  const moved = (paths: readonly string[], change: MovedFile["change"]) =>
    paths.map((path) => ({ file: `${output}/${path}`, change }));
  return [...moved(written, "written"), ...moved(removed, "removed")];
}

/**
 * Finds the deployments of a surface to introspect again: those with an unexpected answer, unless half of the fleet gives
 * the same one. So many do not flap at once, and introspecting all again could use up a daily quota.
 */
export function findSuspects(observations: readonly Observation[]): Observation[] {
  const all = observations.length;
  return [...groupBy(observations, ({ hashes }) => hashes.schema).values()]
    .filter((same) => all < FLEET || same.length * 2 < all)
    .flatMap((same) => same.filter(({ isSame }) => !isSame));
}

/** In a smaller fleet, half of the deployments may flap at once. */
const FLEET = 4;
