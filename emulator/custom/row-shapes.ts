import { baseTypeName } from "../../src/dialects/api-schema.ts";
import type { Definition, EntityField, EntityModel } from "../../src/dialects/entity-model.ts";

/** What the rows of a model look like. */
export type RowShapes = {
  /** Entities and aggregations by name: what can have rows. */
  readonly tables: ReadonlyMap<string, RowShape>;
  /** Interfaces, whose rows are those of what implements them. */
  readonly interfaces: ReadonlySet<string>;
  /** Members by name of the enum. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** The scalar of the ids of what a reference leads to; undefined for a type that is no reference. */
  readonly idTypeOf: (type: string) => string | undefined;
};

/** The rows of one entity. */
export type RowShape = {
  readonly stored: ReadonlyMap<string, StoredField>;
  readonly derived: ReadonlySet<string>;
};

type StoredField = Pick<EntityField, "name" | "type">;

/** Rows of an aggregation may say which of its intervals they are of, though it is no field of theirs. */
const INTERVAL: StoredField = { name: "interval", type: "Aggregation_interval" };

/** Reads the shapes of rows off a model. */
export function createRowShapes({ definitions }: EntityModel): RowShapes {
  const tables = new Map<string, RowShape>();
  const interfaces = new Set<string>();
  const enums = new Map<string, readonly string[]>([[INTERVAL.type, ["hour", "day"]]]);
  const ids = new Map<string, string>();
  for (const definition of definitions) {
    if (definition.kind === "enum")
      enums.set(definition.name, definition.values?.map(({ name }) => name) ?? []);
    if (definition.kind === "interface") interfaces.add(definition.name);
    if (definition.kind !== "entity" && definition.kind !== "aggregation") continue;
    const { fields } = definition;
    tables.set(definition.name, {
      stored: new Map(
        [
          ...(definition.kind === "aggregation" ? [INTERVAL] : []),
          ...fields.filter(({ derived }) => !derived),
        ].map((field) => [field.name, field]),
      ),
      derived: new Set(fields.filter(({ derived }) => derived).map(({ name }) => name)),
    });
    const id = baseTypeName(fields.find(({ name }) => name === "id")?.type ?? "ID");
    // The rows of an interface have the ids of its first implementer.
    for (const name of [definition.name, ...parentsOf(definition)]) if (!ids.has(name)) ids.set(name, id);
  }
  for (const name of interfaces) if (!ids.has(name)) ids.set(name, "ID");
  return { tables, interfaces, enums, idTypeOf: (type) => ids.get(type) };
}

function parentsOf(definition: Definition): readonly string[] {
  return definition.kind === "entity" ? definition.interfaces : [];
}
