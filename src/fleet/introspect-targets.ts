import { cached, mapConcurrently, once } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { canonicalize, type SchemaHashes } from "../dialects/canonicalize.ts";
import { styles } from "../dialects/index.ts";
import { INTROSPECTION_QUERY, parseIntrospection } from "../dialects/introspection.ts";
import type { ProbeReading } from "../dialects/prober.ts";
import { isOf, type Protocol, surfaceId } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
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
import type { ProtocolDoubt } from "./check-protocol.ts";
import { chainFieldOf, checkIdentity } from "./identity.ts";
import { failureOf, type Introspected, type Outcome } from "./outcome.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { postGraphql } from "./post-graphql.ts";
import { createSchemaReader, findUniquelyMarked, type SchemaReading } from "./read-schema.ts";

/** The settings of a project that requests depend on. */
export type IntrospectionSettings = Pick<Project, "chains" | "definitions" | "concurrency" | "timeout">;

/**
 * Introspects deployments with two requests each: the schema, then identity and health. Returns the outcomes in the order
 * of the targets.
 *
 * @param rules.snapshots the snapshots, to recognize incomplete schemas and other protocols.
 */
export async function introspectTargets(
  targets: readonly Target[],
  workspace: Workspace,
  { snapshots, onOutcome }: IntrospectionRules,
): Promise<Outcome[]> {
  const { chains, definitions, concurrency, timeout } = workspace.project;
  const secrets = secretsOf(targets);
  const sizes = new Map(snapshots.map((snapshot) => [surfaceId(snapshot), measureSnapshot(snapshot)]));
  const protocols = withBuiltIn(definitions);
  const readSchema = createSchemaReader(protocols, secrets);
  const readBack = createReadBack(snapshots);
  const checkProtocol = createProtocolCheck(workspace, snapshots);
  const introspect = async (target: Target): Promise<Outcome> => {
    const { deployment } = target;
    const style = styles[deployment.style];
    const post = (query: string) => postGraphql({ target, query, timeout });
    let probe: ProbeReading | null = null;
    try {
      const reading = readSchema(await post(INTROSPECTION_QUERY), style);
      const doubt = await checkProtocol(deployment, reading);
      // Before the size is checked, because another protocol's schema has another size.
      if (doubt?.isCertain) throw doubt.error;
      requireWhole(reading.schema, sizes.get(surfaceId(deployment)));
      if (doubt) throw doubt.error;
      await readBack(reading);
      const chainField = chainFieldOf(definitions, deployment);
      const { query, parse } = style.prober.buildProbe(reading.schema, chainField);
      probe = parse(parseGraphqlBody(await post(query), secrets).data);
      const notes = [
        ...checkIdentity(deployment, { chains, chainField }, probe),
        ...reading.errors.map((message) => `reports "${message}" with its schema`),
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

/** The snapshots to compare answers with, and a callback for each outcome. */
export type IntrospectionRules = {
  readonly snapshots: readonly Snapshot[];
  readonly onOutcome: (outcome: Outcome) => void;
};

/** Creates a check that a schema can be read back from its snapshot. Its code is loaded for the first unknown schema. */
function createReadBack(snapshots: readonly Snapshot[]): (reading: SchemaReading) => Promise<void> {
  const keyOf = (hashes: SchemaHashes | null) => `${hashes?.schema} ${hashes?.docs}`;
  const committed = new Set(
    snapshots.flatMap(({ base, variants }) =>
      [base, ...variants].map(({ text }) => keyOf(readSnapshotHeader(text))),
    ),
  );
  const checks = new Map<string, Promise<void>>();
  return async (reading) => {
    const key = keyOf(reading.hashes);
    if (committed.has(key)) return;
    await cached(checks, key, async () => {
      const { requireReadable } = await import("../workspace/snapshot-schema.ts");
      requireReadable(reading);
    });
  };
}

/**
 * Creates a check that returns why a deployment does not serve its protocol; null if it does. Its code is loaded for the
 * first schema without its protocol's mark.
 */
function createProtocolCheck(
  workspace: Workspace,
  snapshots: readonly Snapshot[],
): (deployment: Deployment, reading: SchemaReading) => Promise<ProtocolDoubt | null> {
  const definitions = withBuiltIn(workspace.project.definitions);
  const uniquelyMarked = findUniquelyMarked(definitions);
  const load = once(async () => {
    const { findProtocolDoubt } = await import("./check-protocol.ts");
    const { knownModels } = await import("../workspace/models.ts");
    return { findProtocolDoubt, modelOf: knownModels(workspace, snapshots) };
  });
  const doubts = new Map<string, Promise<ProtocolDoubt | null>>();
  return async (deployment, reading) => {
    const { protocol, style } = deployment;
    const isMarkUnique = uniquelyMarked.has(protocol);
    if (isMarkUnique && reading.plainProtocols.includes(protocol)) return null;
    // A schema that equals the snapshot needs no check.
    const snapshot = isMarkUnique ? undefined : snapshots.find(isOf(deployment));
    if (snapshot?.base.hash === reading.hashes.schema) return null;
    return cached(doubts, `${protocol} ${style} ${reading.entities}`, async () => {
      const { findProtocolDoubt, modelOf } = await load();
      const knownModel = (key: Protocol) => modelOf({ protocol: key, style });
      return findProtocolDoubt(styles[style].schemas.read(reading.schema), protocol, {
        knownModel,
        definitions,
      });
    });
  };
}

/** Throws if a schema is much smaller than its snapshot: a server that lost tables still returns a valid schema. */
export function requireWhole(schema: ApiSchema, size: SnapshotSize | undefined): void {
  if (size === undefined) return;
  const types = schema.types.length;
  if (types * 2 < size.types) throw onlyPart(`${types} types`, size.types);
  const root = schema.types.find((type) => type.name === schema.queryType);
  const rootFields = root?.kind === "OBJECT" ? root.fields.length : 0;
  if (rootFields * 2 <= size.rootFields) throw onlyPart(`${rootFields} root fields`, size.rootFields);
}

function onlyPart(served: string, expected: number): SchemaError {
  return new SchemaError({
    code: "SCHEMA_INCOMPLETE",
    sentence: `The schema has ${served} where the snapshot has ${expected}, so it is considered incomplete.`,
    hint: "try again later; if the API really shrank this much, delete the snapshot file and introspect again.",
  });
}

/** Introspects an endpoint of the project, or another URL, and returns its canonical schema. */
export async function introspectUrl(
  target: Target | Omit<Target, "deployment">,
  timeout: number,
): Promise<ApiSchema> {
  const bytes = await postGraphql({ target, query: INTROSPECTION_QUERY, timeout });
  const secrets = "deployment" in target ? secretsOf([target]) : [];
  return canonicalize(parseIntrospection(parseGraphqlBody(bytes, secrets).data));
}

/** The most further requests to one deployment. */
const SAMPLES = 3;

/** Requests schemas again, because a gateway may alternate between indexers. Returns different schemas by deployment. */
export async function sampleAgain(
  suspects: readonly Introspected[],
  targets: readonly Target[],
  { concurrency, timeout }: Omit<IntrospectionSettings, "chains" | "definitions">,
): Promise<ReadonlyMap<string, SchemaReading>> {
  const read = createSchemaReader([], secretsOf(targets));
  const others = new Map<string, SchemaReading>();
  await mapConcurrently(suspects, concurrency, async ({ deployment, reading }) => {
    const target = targets.find((other) => other.deployment.name === deployment.name);
    if (target === undefined) return;
    try {
      for (let sample = 0; sample < SAMPLES; sample++) {
        const bytes = await postGraphql({ target, query: INTROSPECTION_QUERY, timeout });
        const other = read(bytes, styles[deployment.style]);
        if (other.hashes.schema === reading.hashes.schema) continue;
        others.set(deployment.name, other);
        return;
      }
    } catch {
      // The first answer counts.
    }
  });
  return others;
}
