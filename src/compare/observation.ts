import { compareCodeUnits } from "../base/collections.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { SchemaHashes } from "../dialects/canonicalize.ts";
import { isOf } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Where } from "../report/finding.ts";
import type { FleetRow } from "../workspace/fleet-record.ts";
import type { Snapshot, SnapshotFile } from "../workspace/snapshot.ts";
import { type HashedSchema, parseSnapshot } from "../workspace/snapshot-schema.ts";

/** What one deployment serves, wherever that was seen: in its answer, or in the snapshots. */
export type Observation = {
  readonly deployment: string;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  readonly hashes: SchemaHashes;
  /** Hash of the entity model. */
  readonly entities: string;
  /** Canonical. What comes from a file is parsed when it is asked for. */
  readonly schema: () => ApiSchema;
  /** Equal where `schema` is the same text, which is compared once. */
  readonly text: string;
  /** The snapshot file it is compared with. */
  readonly reference: SnapshotFile;
  /** Whether it is known to equal the reference. */
  readonly isSame: boolean;
  /** The other schema of a deployment that answers with two by turns. */
  readonly second: HashedSchema | null;
};

/** What a deployment answered. */
export type Answer = {
  readonly deployment: Pick<Deployment, "name" | "chains">;
  readonly reading: HashedSchema & { readonly entities: string };
};

/** Observes what deployments of one surface answered; each is compared with what it served when it last answered. */
export function observeAnswers(
  answered: readonly Answer[],
  snapshot: Snapshot,
  rows: readonly FleetRow[],
): Observation[] {
  const known = new Map(rows.map((row) => [row.name, row]));
  return answered.map(({ deployment: { name, chains }, reading: { schema, hashes, entities } }) => {
    const row = known.get(name);
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

/** Observes what the fleet record says of the deployments of one surface; each is compared with the snapshot's base. */
export function observeRows(rows: readonly FleetRow[], snapshot: Snapshot): Observation[] {
  return rows.filter(isOf(snapshot)).flatMap((row): Observation[] => {
    const file = fileOf(snapshot, row);
    if (file === undefined) return [];
    const { name, chains, schema, docs, entities } = row;
    const observation = {
      deployment: name,
      chains,
      hashes: { schema, docs },
      entities,
      schema: () => parseSnapshot(file),
      text: file.path,
      reference: snapshot.base,
      isSame: file === snapshot.base,
      second: null,
    };
    return [observation];
  });
}

/** Observes what those of the deployments served last that did not answer. */
export function observeAbsent(
  deployments: readonly Deployment[],
  answered: readonly Observation[],
  rows: readonly FleetRow[],
  snapshot: Snapshot,
): Observation[] {
  const absent = deployments.filter(({ name }) => !answered.some(({ deployment }) => deployment === name));
  const chainsOf = new Map(absent.map(({ name, chains }) => [name, chains]));
  return observeRows(rows, snapshot).flatMap((one) => {
    const chains = chainsOf.get(one.deployment);
    return chains === undefined ? [] : [{ ...one, chains }];
  });
}

function fileOf({ base, variants }: Snapshot, row: FleetRow | undefined): SnapshotFile | undefined {
  return [base, ...variants].find(({ path }) => path === row?.snapshot);
}

/** The names of deployments, as `where` has them. */
export function namesOf(observations: readonly Observation[]): Where["deployments"] {
  return observations.map(({ deployment }) => deployment).sort(compareCodeUnits);
}
