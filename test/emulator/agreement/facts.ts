import { baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import type { Entity, EntityModel } from "../../../src/dialects/entity-model.ts";

/** The kind of a value: the name of its scalar in the entity schema, or `enum`. */
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

/** A stored value of an entity. A reference is the id of its target; the styles name the column differently. */
export type Column = {
  readonly name: string;
  readonly kind: Kind;
  readonly list: boolean;
  readonly required: boolean;
  /** The members of an enum in the order of their declaration. */
  readonly members: readonly string[];
  readonly enumName: string;
  /** The target entity of a reference; null for other values. */
  readonly target: string | null;
};

/** A derived list: the entities whose field `through` refers to this one. */
export type DerivedList = { readonly name: string; readonly target: string; readonly through: string };

export type EntityFacts = {
  readonly name: string;
  readonly id: Column;
  /** Stored values, `id` first. */
  readonly columns: readonly Column[];
  readonly lists: readonly DerivedList[];
};

/** Collects the parts of a model that portable questions use. */
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
