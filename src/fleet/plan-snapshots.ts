import { cached, compareCodeUnits, groupBy } from "../base/collections.ts";
import type { OutputFile } from "../base/output-file.ts";
import { groupBySurface, IS_PER_CHAIN, isOf, type OfSurface } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { FLEET_RECORD_PATH, type FleetRow, renderFleetRecord } from "../workspace/fleet-record.ts";
import {
  countMembers,
  readSnapshotHeader,
  type Snapshot,
  snapshotPath,
  variantPath,
} from "../workspace/snapshot.ts";
import { renderSnapshot } from "../workspace/snapshot-schema.ts";
import type { CommittedSchemas } from "../workspace/workspace.ts";
import type { Outcome } from "./outcome.ts";
import type { SchemaReading } from "./read-schema.ts";

/** The new snapshot files and fleet record, before anything is written. */
export type SnapshotPlan = {
  readonly files: readonly OutputFile[];
  /** Variant files that no deployment serves any more. */
  readonly removals: readonly string[];
  readonly rows: readonly FleetRow[];
};

type SnapshotInputs = CommittedSchemas &
  Pick<Project, "deployments" | "follow"> & { readonly outcomes: readonly Outcome[] };

/**
 * Plans the new snapshots. The base of a fleet is the schema that most of its chains serve. A failed deployment keeps its
 * last known schema, so that no failure changes a snapshot.
 */
export function planSnapshots(inputs: SnapshotInputs): SnapshotPlan {
  const served = inputs.deployments.filter(({ status }) => status !== "retired");
  const plans = groupBySurface(served, (deployment) => deployment).map((fleet) => planFleet(fleet, inputs));
  const rows = plans.flatMap((plan) => plan.rows);
  return {
    files: [
      ...plans.flatMap((plan) => plan.files),
      { path: FLEET_RECORD_PATH, content: renderFleetRecord(rows) },
    ],
    removals: plans.flatMap((plan) => plan.removals),
    rows,
  };
}

/** A schema without descriptions, and the number of deployments that serve it. */
type Candidate = { readonly hash: string; readonly votes: number; readonly text: string };

function planFleet(deployments: readonly Deployment[], inputs: SnapshotInputs): SnapshotPlan {
  const { protocol, style } = deployments[0] as Deployment;
  const surface = { protocol, style };
  const previous = inputs.snapshots.find(isOf(surface));
  const answered = new Map(
    inputs.outcomes
      .filter((outcome) => outcome.kind === "introspected")
      .map(({ deployment, reading }) => [deployment.name, reading]),
  );
  const lastRows = new Map(inputs.rows.map((row) => [row.name, row]));
  const served: Served[] = deployments.flatMap((deployment) => {
    const reading = answered.get(deployment.name);
    if (reading) return [{ deployment, ...reading.hashes, entities: reading.entities }];
    const row = lastRows.get(deployment.name);
    return row ? [{ deployment, schema: row.schema, docs: row.docs, entities: row.entities }] : [];
  });
  if (served.length === 0) return { files: [], removals: [], rows: [] };

  const readings = served.flatMap(({ deployment }) => answered.get(deployment.name) ?? []);
  const candidates = buildCandidates(served, renderTexts(readings, previous, surface));
  const followed = served.find(({ deployment }) => deployment.name === inputs.follow[protocol]);
  const base = chooseBase(candidates, IS_PER_CHAIN[style] ? followed?.schema : undefined);
  const pathOf = (hash: string) => (hash === base.hash ? snapshotPath(surface) : variantPath(surface, hash));
  const files = candidates.map(({ hash, text }) => ({ path: pathOf(hash), content: text }));
  const paths = new Set(files.map((file) => file.path));
  return {
    files,
    removals: (previous?.variants ?? []).map((variant) => variant.path).filter((path) => !paths.has(path)),
    rows: served
      .filter(({ schema }) => candidates.some((candidate) => candidate.hash === schema))
      .map(({ deployment, schema, docs, entities }) => ({
        name: deployment.name,
        ...surface,
        chains: deployment.chains,
        schema,
        docs,
        entities,
        snapshot: pathOf(schema),
      })),
  };
}

type Served = Pick<FleetRow, "schema" | "docs" | "entities"> & { readonly deployment: Deployment };

/** Returns the snapshot of each schema by its two hashes. */
function renderTexts(
  readings: readonly SchemaReading[],
  previous: Snapshot | undefined,
  surface: OfSurface,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const reading of readings) {
    const key = `${reading.hashes.schema} ${reading.hashes.docs}`;
    cached(texts, key, () => renderSnapshot(reading.schema, surface, reading.hashes));
  }
  // Files of schemas that were not served this time stay unchanged. Others are rewritten, which undoes edits.
  for (const file of previous ? [previous.base, ...previous.variants] : []) {
    const header = readSnapshotHeader(file.text);
    const key = `${header?.schema} ${header?.docs}`;
    if (header) cached(texts, key, () => file.text);
  }
  return texts;
}

function buildCandidates(served: readonly Served[], texts: ReadonlyMap<string, string>): Candidate[] {
  return [...groupBy(served, ({ schema }) => schema)]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([hash, voters]) => {
      // Chains that differ only in descriptions share one file, with the most common descriptions.
      const ranked = [...groupBy(voters, ({ docs }) => docs)]
        .sort(([a, m], [b, n]) => n.length - m.length || compareCodeUnits(a, b))
        .flatMap(([docs]) => texts.get(`${hash} ${docs}`) ?? []);
      return ranked.slice(0, 1).map((text) => ({ hash, votes: voters.length, text }));
    });
}

function chooseBase(candidates: readonly Candidate[], followed: string | undefined): Candidate {
  const ranked = [...candidates].sort(
    (a, b) =>
      b.votes - a.votes || countMembers(b.text) - countMembers(a.text) || compareCodeUnits(a.hash, b.hash),
  );
  return (ranked.find((candidate) => candidate.hash === followed) ?? ranked[0]) as Candidate;
}
