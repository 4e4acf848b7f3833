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

/** The content of an introspection answer. */
export type SchemaReading = HashedSchema & {
  /** The hash of the entity model, which does not depend on the platform's release. */
  readonly entities: string;
  /** The protocols whose marks are in an entity of the expected name. */
  readonly plainProtocols: readonly Protocol[];
  /** The errors that the server reported with the data: a failed subgraph still answers introspection. */
  readonly errors: readonly string[];
};

/**
 * Creates a reader that parses each distinct body once: the subgraphs of a protocol usually send the same one.
 *
 * @param definitions the protocols to find marks of.
 * @param secrets all secrets that the run sends: a schema that contains one is rejected.
 */
export function createSchemaReader(
  definitions: Marked,
  secrets: readonly string[],
): (bytes: Uint8Array, style: Style) => SchemaReading {
  const readings: { readonly bytes: Uint8Array; readonly style: Style; readonly reading: SchemaReading }[] =
    [];
  return (bytes, style) => {
    // Comparing bytes takes a tenth of the time of hashing them.
    const same = readings.find((entry) => entry.style === style && Buffer.compare(entry.bytes, bytes) === 0);
    if (same) return same.reading;
    const { data, errors } = parseGraphqlBody(bytes, secrets);
    const schema = canonicalize(parseIntrospection(data));
    const model = style.schemas.read(schema);
    const plainProtocols = findPlainProtocols(model, definitions);
    const hashes = hashSchema(schema);
    const reading = { schema, hashes, entities: hashEntities(model), plainProtocols, errors };
    readings.push({ bytes, style, reading });
    return reading;
  };
}

/** Protocols with their marks (identifying fields). */
export type Marked = readonly Pick<ResolvedProtocol, "key" | "identity">[];

/** Returns the protocols whose marks are in any entity: none for an unknown indexer, both for a merged one. */
export function findProtocols(model: EntityModel, definitions: Marked): Protocol[] {
  const marked = definitions.filter((definition) => markedEntities(model, definition).length > 0);
  return marked.map(({ key }) => key);
}

/** Returns the protocols whose marks are in an entity of the right name: other projects also have a `depositAmount`. */
export function findPlainProtocols(model: EntityModel, definitions: Marked): Protocol[] {
  const marked = definitions.filter((definition) =>
    markedEntities(model, definition).some((name) =>
      name.includes(definition.identity.protocol?.entity ?? name),
    ),
  );
  return marked.map(({ key }) => key);
}

/** Returns the protocols with a mark that no other has. A merged protocol may share the mark of one of its parts. */
export function findUniquelyMarked(definitions: Marked): ReadonlySet<Protocol> {
  const owners = groupBy(
    definitions,
    ({ identity: { protocol } }) => protocol && `${protocol.entity}.${protocol.field}`,
  );
  owners.delete(null);
  const unique = [...owners.values()].filter(({ length }) => length === 1);
  return new Set(unique.flat().map(({ key }) => key));
}

/** Returns the names of the entities that have the mark of a protocol. */
function markedEntities({ definitions }: EntityModel, { identity: { protocol } }: Marked[number]): string[] {
  return definitions
    .filter((definition) => definition.kind === "entity")
    .filter(({ fields }) => fields.some(({ name }) => name === protocol?.field))
    .map(({ name }) => name);
}
