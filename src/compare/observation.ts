import { compareCodeUnits } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { SchemaHashes } from "../dialects/canonicalize.ts";
import { isOf } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Where } from "../report/finding.ts";
import type { FleetRow } from "../workspace/fleet-record.ts";
import type { Snapshot, SnapshotFile } from "../workspace/snapshot.ts";
import { type HashedSchema, parseSnapshot } from "../workspace/snapshot-schema.ts";

/** The schema of one deployment, from its answer or from the snapshots. */
export type Observation = {
  readonly deployment: string;
  /** The keys of its chains. */
  readonly chains: readonly string[];
  readonly hashes: SchemaHashes;
  /** The hash of the entity model. */
  readonly entities: string;
  /** Returns the canonical schema. A file is parsed on first use. */
  readonly schema: () => ApiSchema;
  /** Equal for observations with the same schema, which is compared once. */
  readonly text: string;
  /** The snapshot file to compare with. */
  readonly reference: SnapshotFile;
  /** Whether it is known to equal the reference. */
  readonly isSame: boolean;
  /** The second schema of a deployment that returns two in turn. */
  readonly second: HashedSchema | null;
};

/** A deployment's answer. */
export type Answer = {
  readonly deployment: Pick<Deployment, "name" | "chains">;
  readonly reading: HashedSchema & { readonly entities: string };
};

/** Returns the observations of answers. Each is compared with the last known schema of its deployment. */
export function observeAnswers(
  answered: readonly Answer[],
  snapshot: Snapshot,
  rows: readonly FleetRow[],
): Observation[] {
  const rowsByName = new Map(rows.map((row) => [row.name, row]));
  return answered.map(({ deployment: { name, chains }, reading: { schema, hashes, entities } }) => {
    const row = rowsByName.get(name);
    return {
      deployment: name,
      chains,
      hashes,
      entities,
      schema: () => schema,
      text: `${hashes.schema} ${hashes.docs}`,
      reference: fileOf(snapshot, row) ?? snapshot.base,
      isSame: row !== undefined && row.schema === hashes.schema && row.docs === hashes.docs,
      second: null,
    };
  });
}

/** Returns the observations of the fleet record. Each is compared with the snapshot's base. */
export function observeRows(rows: readonly FleetRow[], snapshot: Snapshot): Observation[] {
  return rows.filter(isOf(snapshot)).flatMap((row): Observation[] => {
    const file = fileOf(snapshot, row);
    if (file === undefined) return [];
    return [
      {
        deployment: row.name,
        chains: row.chains,
        hashes: { schema: row.schema, docs: row.docs },
        entities: row.entities,
        schema: () => parseSnapshot(file),
        text: file.path,
        reference: snapshot.base,
        isSame: file === snapshot.base,
        second: null,
      },
    ];
  });
}

/** Returns observations of the last known schemas of deployments that did not answer. */
export function observeAbsent(
  {
    deployments,
    answered,
  }: { readonly deployments: readonly Deployment[]; readonly answered: readonly Observation[] },
  rows: readonly FleetRow[],
  snapshot: Snapshot,
): Observation[] {
  const absent = deployments.filter(({ name }) => !answered.some(({ deployment }) => deployment === name));
  const chainsOf = new Map(absent.map(({ name, chains }) => [name, chains]));
  return observeRows(rows, snapshot).flatMap((observation) => {
    const chains = chainsOf.get(observation.deployment);
    return chains === undefined ? [] : [{ ...observation, chains }];
  });
}

function fileOf({ base, variants }: Snapshot, row: FleetRow | undefined): SnapshotFile | undefined {
  return [base, ...variants].find(({ path }) => path === row?.snapshot);
}

/** Returns the names of deployments in code-unit order. */
export function namesOf(observations: readonly Pick<Observation, "deployment">[]): Where["deployments"] {
  return observations.map(({ deployment }) => deployment).sort(compareCodeUnits);
}
