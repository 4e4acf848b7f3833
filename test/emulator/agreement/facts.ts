import { baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import type { Entity, EntityModel } from "../../../src/dialects/entity-model.ts";

/** What both styles can ask of a value, by the name of its scalar in the entity schema; `enum` for any enum. */
export type Kind =
  | "ID"
  | "String"
  | "Int"
  | "BigInt"
  | "BigDecimal"
  | "Bytes"
  | "Boolean"
  | "Timestamp"
  | "enum";

/** A stored value of an entity. A reference is the id of its target, under a name of its own in each style. */
export type Column = {
  readonly name: string;
  readonly kind: Kind;
  readonly list: boolean;
  readonly required: boolean;
  /** The members of an enum in the order of their declaration. */
  readonly members: readonly string[];
  readonly enumName: string;
  /** The entity a reference leads to; null for a plain value. */
  readonly target: string | null;
};

/** A derived list: the entities whose `through` is this one. */
export type DerivedList = { readonly name: string; readonly target: string; readonly through: string };

export type EntityFacts = {
  readonly name: string;
  readonly id: Column;
  /** Stored values, `id` first. */
  readonly columns: readonly Column[];
  readonly lists: readonly DerivedList[];
};

/** Reads a model for what portable questions are made of. */
export function readFacts({ definitions }: EntityModel): ReadonlyMap<string, EntityFacts> {
  const entities = new Map(
    definitions.flatMap((definition) =>
      definition.kind === "entity" ? [[definition.name, definition] as const] : [],
    ),
  );
  const enums = new Map(
    definitions.flatMap((definition) =>
      definition.kind === "enum"
        ? [[definition.name, definition.values?.map(({ name }) => name) ?? []] as const]
        : [],
    ),
  );
  const idKind = ({ fields }: Entity) =>
    baseTypeName(fields.find(({ name }) => name === "id")?.type ?? "") as Kind;
  return new Map(
    [...entities].map(([name, { fields }]) => {
      const columns = fields
        .filter(({ derived }) => !derived)
        .map((field): Column => {
          const base = baseTypeName(field.type);
          const target = entities.get(base);
          return {
            name: field.name,
            kind: target ? idKind(target) : enums.has(base) ? "enum" : (base as Kind),
            list: isList(field.type),
            required: field.type.endsWith("!"),
            members: enums.get(base) ?? [],
            enumName: enums.has(base) ? base : "",
            target: target ? base : null,
          };
        });
      const [id] = columns;
      if (id?.name !== "id") throw new Error(`The first field of ${name} must be its id.`);
      const lists = fields
        .filter(({ derived }) => derived)
        .map((field) => ({
          name: field.name,
          target: baseTypeName(field.type),
          through: field.derivedFrom ?? "",
        }));
      return [name, { name, id, columns, lists }];
    }),
  );
}
