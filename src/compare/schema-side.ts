import type { ApiSchema, ApiType } from "../schema/api-schema.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { createTypePositions, type TypePositions } from "./type-positions.ts";

/** What is known of a schema before it is compared. */
export type SchemaSide = {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly model: EntityModel;
  readonly recognized: Recognized;
};

/** How schemas of a style are read. */
export type SchemaReader = Pick<Style, "read" | "recognize">;

/**
 * Reads a side of a comparison: once for a schema, however often it is compared. A snapshot is compared with a whole
 * fleet.
 */
export function readSide(schema: ApiSchema, style: SchemaReader): SchemaSide {
  const known = sides.get(schema);
  if (known?.read === style.read && known.recognize === style.recognize) return known.side;
  const side: SchemaSide = {
    types: new Map(schema.types.map((type) => [type.name, type])),
    model: style.read(schema),
    recognized: style.recognize(schema),
  };
  sides.set(schema, { read: style.read, recognize: style.recognize, side });
  return side;
}

const sides = new WeakMap<ApiSchema, SchemaReader & { readonly side: SchemaSide }>();

/** Finds which types of a schema clients can meet: once for a schema, too. */
export function positionsOf(schema: ApiSchema): TypePositions {
  const known = positions.get(schema);
  if (known) return known;
  const found = createTypePositions(schema);
  positions.set(schema, found);
  return found;
}

const positions = new WeakMap<ApiSchema, TypePositions>();
