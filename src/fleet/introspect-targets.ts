import { cached, mapConcurrently } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { canonicalize, type SchemaHashes } from "../dialects/canonicalize.ts";
import { styles } from "../dialects/index.ts";
import { INTROSPECTION_QUERY, parseIntrospection } from "../dialects/introspection.ts";
import type { ProbeReading } from "../dialects/prober.ts";
import { isOf, surfaceId } from "../dialects/surface.ts";
import { secretsOf, type Target } from "../project/endpoints.ts";
import type { Project } from "../project/project.ts";
import { withBuiltIn } from "../project/protocols.ts";
import {
  measureSnapshot,
  readSnapshotHeader,
  type Snapshot,
  type SnapshotSize,
} from "../workspace/snapshot.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ProtocolCheck, ProtocolDoubt } from "./check-protocol.ts";
import { chainFieldOf, checkIdentity } from "./identity.ts";
import { failureOf, type Introspected, type Outcome } from "./outcome.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { postGraphql } from "./post-graphql.ts";
import { createSchemaReader, findTelling, type SchemaReading } from "./read-schema.ts";

/** What requests need to know of a project. */
export type IntrospectionSettings = Pick<Project, "chains" | "definitions" | "concurrency" | "timeout">;

/**
 * Introspects deployments by two requests each, the schema, then identity and health; gives the outcomes in their order.
 *
 * @param rules.snapshots what is known of the schemas, as the measure of a whole one and of a protocol.
 */
export async function introspectTargets(
  targets: readonly Target[],
  workspace: Workspace,
  { snapshots, onOutcome }: IntrospectionRules,
): Promise<Outcome[]> {
  const { chains, definitions, concurrency, timeout } = workspace.project;
  const secrets = secretsOf(targets);
  const sizes = new Map(snapshots.map((snapshot) => [surfaceId(snapshot), measureSnapshot(snapshot)]));
  const known = withBuiltIn(definitions);
  const readSchema = createSchemaReader(known, secrets);
  const readBack = createReadBack(snapshots);
  const doubt = createLateCheck(workspace, snapshots);
  const introspect = async ({ deployment, url, headers }: Target): Promise<Outcome> => {
    const style = styles[deployment.style];
    const post = (query: string) => postGraphql({ url, headers, query, timeout });
    let probe: ProbeReading | null = null;
    try {
      const reading = readSchema(await post(INTROSPECTION_QUERY), style);
      const doubted = await doubt(deployment, reading);
      // Before its size is judged, which another indexer has its own of.
      if (doubted?.isCertain) throw doubted.error;
      requireWhole(reading.schema, sizes.get(surfaceId(deployment)));
      if (doubted) throw doubted.error;
      await readBack(reading);
      const chain = chainFieldOf(definitions, deployment);
      const { query, parse } = style.prober.buildProbe(reading.schema, chain);
      probe = parse(parseGraphqlBody(await post(query), secrets).data);
      const notes = [
        ...checkIdentity(deployment, chains, probe, chain),
        ...reading.errors.map((message) => `reports "${message}" beside its schema`),
      ];
      return { kind: "introspected", deployment, reading, probe, notes };
    } catch (error) {
      return { kind: "failed", deployment, error: failureOf(error, secrets), probe };
    }
  };
  return mapConcurrently(targets, concurrency, async (target) => {
    const outcome = await introspect(target);
    onOutcome(outcome);
    return outcome;
  });
}

/** What answers are compared with, and what happens with each outcome. */
export type IntrospectionRules = {
  readonly snapshots: readonly Snapshot[];
  readonly onOutcome: (outcome: Outcome) => void;
};

/** Creates a check of what a snapshot would be written of, loaded when the first such schema comes. */
function createReadBack(snapshots: readonly Snapshot[]): (reading: SchemaReading) => Promise<void> {
  const keyOf = (hashes: SchemaHashes | null) => `${hashes?.schema} ${hashes?.docs}`;
  const known = new Set(
    snapshots.flatMap(({ base, variants }) =>
      [base, ...variants].map(({ text }) => keyOf(readSnapshotHeader(text))),
    ),
  );
  const checks = new Map<string, Promise<void>>();
  return async (reading) => {
    const key = keyOf(reading.hashes);
    if (known.has(key)) return;
    await cached(checks, key, async () => {
      const { requireReadable } = await import("../workspace/snapshot-schema.ts");
      requireReadable(reading);
    });
  };
}

/** Creates a check that is loaded when the first schema comes that has not the mark of its protocol. */
function createLateCheck(
  workspace: Workspace,
  snapshots: readonly Snapshot[],
): (...args: Parameters<ProtocolCheck>) => Promise<ProtocolDoubt | null> {
  const definitions = withBuiltIn(workspace.project.definitions);
  const telling = findTelling(definitions);
  let check: Promise<ProtocolCheck> | null = null;
  const load = async () => {
    const { createProtocolCheck } = await import("./check-protocol.ts");
    const { knownModels } = await import("../workspace/models.ts");
    return createProtocolCheck(knownModels(workspace, snapshots), definitions);
  };
  return async (deployment, reading) => {
    const isMarkUnique = telling.has(deployment.protocol);
    if (isMarkUnique && reading.plainProtocols.includes(deployment.protocol)) return null;
    // Nothing is more like a snapshot than the snapshot itself.
    const snapshot = isMarkUnique ? undefined : snapshots.find(isOf(deployment));
    if (snapshot?.base.hash === reading.hashes.schema) return null;
    check ??= load();
    return (await check)(deployment, reading);
  };
}

/** Requires most of what is known: a server that lost tables sends a whole-looking schema of what is left. */
export function requireWhole(schema: ApiSchema, known: SnapshotSize | undefined): void {
  if (known === undefined) return;
  const types = schema.types.length;
  if (types * 2 < known.types) throw onlyPart(`${types} types`, known.types);
  const root = schema.types.find((type) => type.name === schema.queryType);
  const rootFields = root?.kind === "OBJECT" ? root.fields.length : 0;
  if (rootFields * 2 <= known.rootFields) throw onlyPart(`${rootFields} root fields`, known.rootFields);
}

function onlyPart(found: string, known: number): SchemaError {
  return new SchemaError({
    code: "SCHEMA_INCOMPLETE",
    sentence: `The schema has ${found} where the snapshot has ${known}, so it is taken for a part of it.`,
    hint: "try again later; if the API really shrank this much, delete the snapshot file and introspect again.",
  });
}

/** Asks a URL for its canonical schema, with the key and the headers of the target that it is of. */
export async function introspectUrl(url: string, target: Target | null, timeout: number): Promise<ApiSchema> {
  const headers = target?.headers ?? {};
  const bytes = await postGraphql({ url, headers, query: INTROSPECTION_QUERY, timeout });
  if (target === null) return canonicalize(parseIntrospection(parseGraphqlBody(bytes).data));
  const read = createSchemaReader([], secretsOf([target]));
  return read(bytes, styles[target.deployment.style]).schema;
}

/** How often a deployment is asked again at most. */
const SAMPLES = 3;

/** Asks for schemas again, as a gateway may ask indexers by turns; gives second ones by the names of deployments. */
export async function sampleAgain(
  suspects: readonly Introspected[],
  targets: readonly Target[],
  { concurrency, timeout }: Omit<IntrospectionSettings, "chains" | "definitions">,
): Promise<ReadonlyMap<string, SchemaReading>> {
  const read = createSchemaReader([], secretsOf(targets));
  const others = new Map<string, SchemaReading>();
  await mapConcurrently(suspects, concurrency, async ({ deployment, reading }) => {
    const target = targets.find((one) => one.deployment.name === deployment.name);
    if (target === undefined) return;
    const { url, headers } = target;
    try {
      for (let sample = 0; sample < SAMPLES; sample++) {
        const bytes = await postGraphql({ url, headers, query: INTROSPECTION_QUERY, timeout });
        const other = read(bytes, styles[deployment.style]);
        if (other.hashes.schema === reading.hashes.schema) continue;
        others.set(deployment.name, other);
        return;
      }
    } catch {
      // It was read once already, and that counts.
    }
  });
  return others;
}
