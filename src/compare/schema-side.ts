import { cached } from "../base/cached.ts";
import type { ApiSchema, ApiType } from "../schema/api-schema.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { indexSchema } from "./indexed-schema.ts";

/** What is known of a schema before it is compared. */
export type SchemaSide = {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly model: EntityModel;
  readonly recognized: Recognized;
};

/** How schemas of a style are read. */
export type SchemaReader = Pick<Style, "read" | "recognize">;

/** Reads a side of a comparison, once for a schema and reader: a snapshot is compared with a whole fleet. */
export function readSide(schema: ApiSchema, { read, recognize }: SchemaReader): SchemaSide {
  const ofReader = cached(sides, read, () => new WeakMap<ApiSchema, SchemaSide>());
  return cached(ofReader, schema, () => ({
    types: indexSchema(schema).types,
    model: read(schema),
    recognized: recognize(schema),
  }));
}

const sides = new WeakMap<SchemaReader["read"], WeakMap<ApiSchema, SchemaSide>>();
