import { LockflowError } from "../errors/lockflow-error.ts";
import { SchemaError } from "../errors/schema-error.ts";
import type { Chain } from "../model/chain.ts";
import type { Deployment } from "../model/deployment.ts";
import { INTROSPECTION_QUERY } from "../schema/introspection-query.ts";
import { styles } from "../styles/index.ts";
import type { ProbeReading } from "../styles/style.ts";
import { parseGraphqlBody } from "../transport/parse-graphql-body.ts";
import { postGraphql } from "../transport/post-graphql.ts";
import { secretsOf, type Target } from "../transport/resolve-targets.ts";
import { mapConcurrently } from "../utils/map-concurrently.ts";
import { checkIdentity } from "./check-identity.ts";
import { createSchemaReader, type SchemaReading } from "./read-schema.ts";

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
};

export type IntrospectOptions = {
  readonly chains: readonly Chain[];
  readonly concurrency: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** How many types the snapshot of a deployment has; 0 when there is none. */
  readonly knownTypes: (deployment: Deployment) => number;
  readonly onOutcome: (outcome: Outcome) => void;
};

/**
 * Introspects deployments with bounded concurrency, two requests each: the schema, then identity and health.
 * A deployment that fails stops no other. Outcomes come in the order of the targets.
 */
export async function introspectFleet(
  targets: readonly Target[],
  options: IntrospectOptions,
): Promise<Outcome[]> {
  const secrets = targets.flatMap(secretsOf);
  const readSchema = createSchemaReader(secrets);
  return mapConcurrently(targets, options.concurrency, async (target) => {
    const outcome = await introspectDeployment(target, readSchema, secrets, options);
    options.onOutcome(outcome);
    return outcome;
  });
}

async function introspectDeployment(
  target: Target,
  readSchema: ReturnType<typeof createSchemaReader>,
  secrets: readonly string[],
  options: IntrospectOptions,
): Promise<Outcome> {
  const { deployment, url, headers } = target;
  const style = styles[deployment.style];
  const post = (query: string) => postGraphql({ url, headers, query, timeout: options.timeout });
  try {
    const reading = readSchema(await post(INTROSPECTION_QUERY), style);
    requireWhole(reading, options.knownTypes(deployment));
    const answer = parseGraphqlBody(await post(style.probe.query(reading.schema)), secrets);
    const probe = style.probe.parse(answer.data);
    const notes = [
      ...checkIdentity(deployment, options.chains, probe),
      ...reading.errors.map((message) => `reports "${message}" beside its schema`),
    ];
    return { kind: "introspected", deployment, reading, probe, notes };
  } catch (error) {
    if (error instanceof LockflowError) return { kind: "failed", deployment, error };
    throw error;
  }
}

/** A server that lost tables sends a whole-looking schema of what is left. */
function requireWhole({ schema }: SchemaReading, knownTypes: number): void {
  if (schema.types.length * 2 >= knownTypes) return;
  throw new SchemaError({
    code: "SCHEMA_INCOMPLETE",
    sentence: `The schema has ${schema.types.length} types where the snapshot has ${knownTypes}, so it is taken for a part of it.`,
    hint: "try again later; if the API really shrank this much, delete the snapshot file and introspect again.",
  });
}
