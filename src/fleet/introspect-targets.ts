import type { LockflowError } from "../base/errors/lockflow-error.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import { mapConcurrently } from "../base/map-concurrently.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { SchemaHashes } from "../schema/hash-schema.ts";
import { INTROSPECTION_QUERY } from "../schema/introspection-query.ts";
import type { Snapshot, SnapshotSize } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import type { ProbeReading } from "../styles/style.ts";
import { checkIdentity } from "./check-identity.ts";
import type { ProtocolDoubt } from "./check-protocol.ts";
import type { ProtocolCheck } from "./create-protocol-check.ts";
import { ownFailure } from "./own-failure.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { postGraphql } from "./post-graphql.ts";
import { createSchemaReader, type SchemaReading } from "./read-schema.ts";
import { secretsOf, type Target } from "./resolve-targets.ts";

/** What became of one deployment. */
export type Outcome = Introspected | Failed;

export type Introspected = {
  readonly kind: "introspected";
  readonly deployment: Deployment;
  readonly reading: SchemaReading;
  readonly probe: ProbeReading;
  /** Worth saying, but no failure. */
  readonly notes: readonly string[];
};

export type Failed = {
  readonly kind: "failed";
  readonly deployment: Deployment;
  readonly error: LockflowError;
  /** What it said of itself before it failed, as one that serves another chain does; null for most. */
  readonly probe: ProbeReading | null;
};

export type IntrospectOptions = {
  readonly chains: readonly Chain[];
  readonly concurrency: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** The size of a deployment's snapshot; null when there is none. */
  readonly knownSize: (deployment: Deployment) => SnapshotSize | null;
  /** Whether there is a snapshot of a schema with these hashes. */
  readonly isKnown: (hashes: SchemaHashes) => boolean;
  /** What an indexer is held against that has not the mark of its protocol. */
  readonly snapshots: readonly Snapshot[];
  readonly onOutcome: (outcome: Outcome) => void;
};

/**
 * Introspects deployments with bounded concurrency, two requests each: the schema, then identity and health.
 * A deployment that fails stops no other. Outcomes come in the order of the targets.
 */
export async function introspectTargets(
  targets: readonly Target[],
  options: IntrospectOptions,
): Promise<Outcome[]> {
  const secrets = secretsOf(targets);
  const checks = {
    readSchema: createSchemaReader(secrets),
    readBack: createReadBack(options.isKnown),
    doubt: createLateCheck(options.snapshots),
    secrets,
  };
  return mapConcurrently(targets, options.concurrency, async (target) => {
    const outcome = await introspectDeployment(target, checks, options);
    options.onOutcome(outcome);
    return outcome;
  });
}

type Checks = {
  readonly readSchema: ReturnType<typeof createSchemaReader>;
  readonly readBack: ReturnType<typeof createReadBack>;
  readonly doubt: ReturnType<typeof createLateCheck>;
  readonly secrets: readonly string[];
};

async function introspectDeployment(
  target: Target,
  { readSchema, readBack, doubt, secrets }: Checks,
  options: IntrospectOptions,
): Promise<Outcome> {
  const { deployment, url, headers } = target;
  const style = styles[deployment.style];
  const post = (query: string) => postGraphql({ url, headers, query, timeout: options.timeout });
  let probe: ProbeReading | null = null;
  try {
    const reading = readSchema(await post(INTROSPECTION_QUERY), style);
    const doubted = await doubt(deployment, reading);
    // Before its size is judged, which another indexer has its own of.
    if (doubted?.isCertain) throw doubted.error;
    requireWhole(reading.schema, options.knownSize(deployment));
    if (doubted) throw doubted.error;
    await readBack(reading);
    const answer = parseGraphqlBody(await post(style.probe.query(reading.schema)), secrets);
    probe = style.probe.parse(answer.data);
    const notes = [
      ...checkIdentity(deployment, options.chains, probe),
      ...reading.errors.map((message) => `reports "${message}" beside its schema`),
    ];
    return { kind: "introspected", deployment, reading, probe, notes };
  } catch (error) {
    return { kind: "failed", deployment, error: ownFailure(error, secrets), probe };
  }
}

/** Creates a check of what a snapshot would be written of, loaded when the first such schema comes; each is checked once. */
function createReadBack(isKnown: IntrospectOptions["isKnown"]): (reading: SchemaReading) => Promise<void> {
  const checks = new Map<string, Promise<void>>();
  return async (reading) => {
    if (isKnown(reading.hashes)) return;
    const key = `${reading.hashes.schema} ${reading.hashes.docs}`;
    const check =
      checks.get(key) ??
      import("../snapshots/require-readable.ts").then(({ requireReadable }) => requireReadable(reading));
    checks.set(key, check);
    await check;
  };
}

/** Creates a check that is loaded when the first schema comes that has not the mark of its protocol. */
function createLateCheck(
  snapshots: readonly Snapshot[],
): (deployment: Deployment, reading: SchemaReading) => Promise<ProtocolDoubt | null> {
  let check: Promise<ProtocolCheck> | null = null;
  return async (deployment, reading) => {
    if (reading.plainProtocols.includes(deployment.protocol)) return null;
    check ??= import("./create-protocol-check.ts").then(({ createProtocolCheck }) =>
      createProtocolCheck(snapshots),
    );
    return (await check)(deployment, reading);
  };
}

/** A server that lost tables sends a whole-looking schema of what is left. */
function requireWhole(schema: ApiSchema, known: SnapshotSize | null): void {
  if (known === null) return;
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
