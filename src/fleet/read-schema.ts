import type { Protocol } from "../project/vocabulary.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { hashSchema } from "../schema/hash-schema.ts";
import { parseIntrospection } from "../schema/parse-introspection.ts";
import { type HashedSchema, hashEntities } from "../snapshots/snapshot.ts";
import type { Style } from "../styles/style.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { findPlainProtocols, type Marked } from "./protocol-marks.ts";

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
    const model = style.read(schema);
    const plainProtocols = findPlainProtocols(model, definitions);
    const hashes = hashSchema(schema);
    const reading = { schema, hashes, entities: hashEntities(model), plainProtocols, errors };
    known.push({ bytes, style, reading });
    return reading;
  };
}
