import { canonicalize, hashSchema } from "../../../src/dialects/canonicalize.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import type { Introspected } from "../../../src/fleet/outcome.ts";
import type { SchemaReading } from "../../../src/fleet/read-schema.ts";
import type { PlacedOperation } from "../../../src/operations/operation-set.ts";
import type { Deployment } from "../../../src/project/deployment.ts";
import type { FleetRow } from "../../../src/workspace/fleet-record.ts";
import {
  hashEntities,
  type Snapshot,
  type SnapshotFile,
  snapshotPath,
  variantPath,
} from "../../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../../src/workspace/snapshot-schema.ts";
import { type Edits, edit, operationOf } from "../../compare/impact/fixtures.ts";

/** The protocol and style of all these tests. */
export const SURFACE = { protocol: "lockup", style: "subgraph" } as const;

const ENTITIES = `
  enum Kind { Linear Dynamic }
  type Asset @entity { id: String! symbol: String! }
  type Stream @entity { id: String! asset: Asset! kind: Kind! sender: Bytes! alias: String! }`;

/** Returns the answer of an indexer of these entities, after some edits. */
export function servedWith(edits: Edits = [], options: DeriveOptions = {}): SchemaReading {
  const style = styles[SURFACE.style];
  const schema = canonicalize(
    style.deriver.derive(parseEntities(edit(ENTITIES, edits), "entities.graphql"), options),
  );
  return {
    schema,
    hashes: hashSchema(schema),
    entities: hashEntities(style.schemas.read(schema)),
    plainProtocols: [SURFACE.protocol],
    errors: [],
  };
}

/** The deployment of a chain. */
export function deploymentOf(chain: string): Deployment {
  const links = { playground: null, explorer: null };
  return {
    name: `protocol-lockup-${chain}`,
    ...SURFACE,
    chains: [chain],
    status: "active",
    endpoints: [],
    links,
  };
}

/** Returns the snapshot and the fleet record after every chain has answered; the first answer is the base. */
export function recordOf(served: Readonly<Record<string, SchemaReading>>): {
  readonly snapshot: Snapshot;
  readonly rows: readonly FleetRow[];
} {
  const files = new Map<string, SnapshotFile>();
  const rows = Object.entries(served).map(([chain, reading]): FleetRow => {
    const { hashes, entities } = reading;
    const path = files.size === 0 ? snapshotPath(SURFACE) : variantPath(SURFACE, hashes.schema);
    const file = files.get(hashes.schema) ?? {
      path,
      text: renderSnapshot(reading.schema, SURFACE),
      hash: hashes.schema,
    };
    files.set(hashes.schema, file);
    const { name, chains } = deploymentOf(chain);
    return { name, ...SURFACE, chains, ...hashes, entities, snapshot: file.path };
  });
  const [base, ...variants] = files.values();
  if (base === undefined) throw new Error("No deployment serves anything.");
  return { snapshot: { ...SURFACE, base, variants }, rows };
}

/** The answer of a chain's deployment. */
export function answerOf(chain: string, reading: SchemaReading): Introspected {
  return {
    kind: "introspected",
    deployment: deploymentOf(chain),
    reading,
    probe: { chainIds: null, heads: [], hasIndexingErrors: false, deployment: null },
    notes: [],
  };
}

/** An operation in its own file. */
export function placedOperation(text: string): PlacedOperation {
  const place = { file: "a.graphql", line: 1, column: 1 };
  return { ...operationOf(["a.graphql", text]), place, isPortable: false };
}
