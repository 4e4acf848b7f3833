import { baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import type { Entity, EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";

/** The scalars of entity schemas, with those of the multichain API. */
const SCALARS = {
  ID: "String",
  String: "String",
  Bytes: "String",
  Int: "Int",
  Float: "float8",
  BigInt: "numeric",
  BigDecimal: "numeric",
  Boolean: "Boolean",
  Timestamp: "timestamptz",
  Json: "jsonb",
} as const;

/** The kind of a value: the name of its scalar in the entity schema, or `enum`. */
export type Kind = keyof typeof SCALARS | "enum";

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
  /** The scalar of the multichain API; for a list, that of its items. */
  readonly scalar: string;
  /** The number of decimals if a precision is configured. */
  readonly scale: number | undefined;
};

/** The related entity, and the columns of both tables that are equal. */
export type Relation = {
  readonly name: string;
  readonly target: string;
  readonly many: boolean;
  readonly own: string;
  readonly theirs: string;
};

export type EntityFacts = {
  readonly name: string;
  readonly id: Column;
  /** Stored values, `id` first. */
  readonly columns: readonly Column[];
  readonly references: readonly Relation[];
  readonly lists: readonly Relation[];
};

export type Facts = ReadonlyMap<string, EntityFacts>;

/** Collects the parts of a model that questions use. */
export function readFacts({ definitions }: EntityModel): Facts {
  const entities = definitions.filter((definition) => definition.kind === "entity");
  const enums = new Map(
    definitions.flatMap((definition) =>
      definition.kind === "enum"
        ? [[definition.name, definition.values?.map(({ name }) => name) ?? []] as const]
        : [],
    ),
  );
  const columnOf = ({ name, type, precise, scale }: EntityField): Column => {
    const base = baseTypeName(type);
    const target = entities.find((entity) => entity.name === base);
    const members = enums.get(base);
    const kind = target ? idKind(target) : members ? "enum" : (base as Kind);
    const scalar = kind === "enum" ? base.toLowerCase() : SCALARS[kind];
    return {
      name,
      kind,
      list: isList(type),
      required: type.endsWith("!"),
      members: members ?? [],
      enumName: members ? base : "",
      target: target ? base : null,
      // Lists of big numbers are stored as text.
      scalar: scalar === "numeric" && isList(type) && !precise ? "String" : scalar,
      scale,
    };
  };
  return new Map(
    entities.map(({ name, fields }) => {
      const columns = fields.filter(({ derived }) => !derived).map(columnOf);
      const [id] = columns;
      if (id?.name !== "id") throw new Error(`The first field of ${name} must be its id.`);
      const references = columns.flatMap((column): Relation[] => {
        const { name, target, list } = column;
        return target === null || list
          ? []
          : [{ name, target, many: false, own: columnName(column), theirs: "id" }];
      });
      const lists = fields
        .filter(({ derived }) => derived)
        .map(({ name, type, derivedFrom }) => {
          return { name, target: baseTypeName(type), many: true, own: "id", theirs: `${derivedFrom}_id` };
        });
      return [name, { name, id, columns, references, lists }];
    }),
  );
}

function idKind({ fields }: Entity): Kind {
  return baseTypeName(fields.find(({ name }) => name === "id")?.type ?? "") as Kind;
}

/** Returns the name of a column in the multichain style, where a reference is stored as `hub_id`. */
export function columnName({ name, target }: Column): string {
  return target === null ? name : `${name}_id`;
}

/** Returns an entity, or throws if there is none of this name. */
export function entityOf(facts: Facts, name: string): EntityFacts {
  const entity = facts.get(name);
  if (entity === undefined) throw new Error(`Unknown entity ${name}.`);
  return entity;
}

/** The text of JSON, and a number of rows, which are compared like columns. */
export const TEXT = plainColumn("String");
export const COUNT = plainColumn("Int");

function plainColumn(kind: "String" | "Int"): Column {
  const none = { name: "", members: [], enumName: "", target: null, scale: undefined };
  return { ...none, kind, scalar: kind, list: false, required: true };
}
