import { hash } from "../base/hash.ts";
import type { ApiSchema } from "./api-schema.ts";
import { flattenSchema } from "./flatten-schema.ts";

/** Two hashes of a canonical schema, so that a change of wording never looks like a change of shape. */
export type SchemaHashes = {
  /** Of every coordinate and its signature; 64 hex digits. */
  readonly schema: string;
  /** Of every coordinate and its description; 64 hex digits. */
  readonly docs: string;
};

/**
 * Hashes a canonical schema by its flat list of members, not by its SDL text, so that the result depends on
 * no printer.
 */
export function hashSchema(schema: ApiSchema): SchemaHashes {
  const members = flattenSchema(schema);
  const shape = members.map(({ coordinate, signature }) => `${coordinate}\t${signature}\n`);
  const docs = members
    .filter(({ description }) => description !== null)
    .map(({ coordinate, description }) => `${coordinate}\t${JSON.stringify(description)}\n`);
  return { schema: hash(shape.join("")), docs: hash(docs.join("")) };
}
