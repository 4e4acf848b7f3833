import { join } from "node:path";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import type { Project } from "../project/project.ts";
import { surfaceId } from "../project/surface.ts";
import type { SchemaHashes } from "../schema/hash-schema.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { readFleetRecord, readSnapshots } from "../snapshots/read-snapshots.ts";
import { readSnapshotHeader } from "../snapshots/render-snapshot.ts";
import { measureSnapshot, type Snapshot } from "../snapshots/snapshot.ts";
import { introspectTargets, type Outcome } from "./introspect-targets.ts";
import { planSnapshots, type SnapshotPlan } from "./plan-snapshots.ts";
import type { Target } from "./resolve-targets.ts";

/** What an introspection of all deployments did. */
export type IntrospectionRun = {
  readonly outcomes: readonly Outcome[];
  readonly plan: SnapshotPlan;
  readonly summary: WriteSummary;
};

/** What is known of the deployments from the last time. */
export type KnownSchemas = {
  readonly rows: readonly FleetRow[];
  readonly snapshots: readonly Snapshot[];
};

/** Introspects the targets and updates the snapshots. */
export async function runIntrospection(
  project: Project,
  targets: readonly Target[],
  onOutcome: (outcome: Outcome) => void,
): Promise<IntrospectionRun> {
  const known = await readKnownSchemas(project);
  const outcomes = await askDeployments(project, targets, known, onOutcome);
  const plan = planSnapshots({
    ...known,
    deployments: project.deployments,
    outcomes,
    follow: project.follow,
  });
  // A run in which nobody answered has nothing to say, not even an empty record.
  const worthWriting = plan.rows.length > 0;
  const summary = worthWriting
    ? await writeFiles(join(project.root, project.output), plan.files, plan.removals)
    : { written: [], unchanged: [], removed: [] };
  return { outcomes, plan, summary };
}

/** Reads the snapshots before anything is asked: an unreadable one ends the run before it costs a request. */
export async function readKnownSchemas(project: Project): Promise<KnownSchemas> {
  const outputRoot = join(project.root, project.output);
  return {
    rows: await readFleetRecord(outputRoot),
    snapshots: await readSnapshots(outputRoot, project.surfaces),
  };
}

/** Introspects the targets, with what is known of them as the measure of a whole schema. */
export function askDeployments(
  project: Project,
  targets: readonly Target[],
  { snapshots }: KnownSchemas,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const sizes = new Map(snapshots.map((snapshot) => [surfaceId(snapshot), measureSnapshot(snapshot)]));
  const known = new Set(
    snapshots.flatMap(({ base, variants }) =>
      [base, ...variants].map(({ text }) => keyOf(readSnapshotHeader(text))),
    ),
  );
  return introspectTargets(targets, {
    chains: project.chains,
    concurrency: project.concurrency,
    timeout: project.timeout,
    knownSize: (deployment) => sizes.get(surfaceId(deployment)) ?? null,
    isKnown: (hashes) => known.has(keyOf(hashes)),
    snapshots,
    onOutcome,
  });
}

function keyOf(hashes: SchemaHashes | null): string {
  return `${hashes?.schema} ${hashes?.docs}`;
}
