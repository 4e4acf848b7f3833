import { groupBy } from "../base/collections.ts";
import { canonicalize, hashSchema } from "../dialects/canonicalize.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { parseIntrospection } from "../dialects/introspection.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import type { Style } from "../dialects/style.ts";
import type { Protocol } from "../dialects/surface.ts";
import { hashEntities } from "../workspace/snapshot.ts";
import type { HashedSchema } from "../workspace/snapshot-schema.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";

/** What an introspection answer holds. */
export type SchemaReading = HashedSchema & {
  /** Hash of the entity model: the same whatever the platform's release. */
  readonly entities: string;
  /** The protocols whose marks stand where they belong in the entities. */
  readonly plainProtocols: readonly Protocol[];
  /** What the server reported beside the data: a failed subgraph still introspects. */
  readonly errors: readonly string[];
};

/**
 * Creates a reader that parses every distinct body once: the 26 subgraphs of a protocol mostly send one.
 *
 * @param definitions the protocols whose marks are looked for.
 * @param secrets every value of a variable that the run sends: no schema that holds one is ever taken for a snapshot.
 */
export function createSchemaReader(
  definitions: Marked,
  secrets: readonly string[],
): (bytes: Uint8Array, style: Style) => SchemaReading {
  const known: { readonly bytes: Uint8Array; readonly style: Style; readonly reading: SchemaReading }[] = [];
  return (bytes, style) => {
    // Two bodies are compared in a tenth of the time that their hashes take; what is read of one takes more room than it.
    const same = known.find((one) => one.style === style && Buffer.compare(one.bytes, bytes) === 0);
    if (same) return same.reading;
    const { data, errors } = parseGraphqlBody(bytes, secrets);
    const schema = canonicalize(parseIntrospection(data));
    const model = style.schemas.read(schema);
    const plainProtocols = findPlainProtocols(model, definitions);
    const hashes = hashSchema(schema);
    const reading = { schema, hashes, entities: hashEntities(model), plainProtocols, errors };
    known.push({ bytes, style, reading });
    return reading;
  };
}

/** What is known of protocols by their definitions. */
export type Marked = readonly Pick<ResolvedProtocol, "key" | "identity">[];

/** The protocols whose marks any entity has: none of an indexer unknown to us, both of a merged one. */
export function findProtocols(model: EntityModel, definitions: Marked): Protocol[] {
  return definitions.flatMap((one) => (markedEntities(model, one).length > 0 ? [one.key] : []));
}

/** The protocols whose marks stand in an entity of the right name: vaults of other projects have a `depositAmount` too. */
export function findPlainProtocols(model: EntityModel, definitions: Marked): Protocol[] {
  return definitions.flatMap((one) =>
    markedEntities(model, one).some((name) => name.includes(one.identity.protocol?.entity ?? name))
      ? [one.key]
      : [],
  );
}

/** The protocols that their marks tell from all others: a merged indexer may be known by the mark of one it became of. */
export function findTelling(definitions: Marked): ReadonlySet<Protocol> {
  const owners = groupBy(
    definitions,
    ({ identity: { protocol } }) => protocol && `${protocol.entity}.${protocol.field}`,
  );
  return new Set(
    [...owners].flatMap(([mark, [one, ...more]]) => (mark && one && more.length === 0 ? [one.key] : [])),
  );
}

/** The names of the entities that have the identifying field of a protocol. */
function markedEntities({ definitions }: EntityModel, { identity: { protocol } }: Marked[number]): string[] {
  return definitions.flatMap((one) =>
    one.kind === "entity" && one.fields.some(({ name }) => name === protocol?.field) ? [one.name] : [],
  );
}
