import { findNamed } from "../../../base/find-named.ts";
import { baseTypeName, isList, isRequired } from "../../../base/type-expression.ts";
import type { Entity, EntityField, EntityModel } from "../../../schema/entity-model.ts";
import type { ReleaseFeatures } from "../release.ts";

/**
 * A tracked table, which every family of API types is derived from: one per entity, and a few of the platform's own.
 */
export type Table = {
  readonly name: string;
  /** The table's comment. */
  readonly description: string | null;
  readonly columns: readonly Column[];
  /** Names of the primary key's columns; none for a view. */
  readonly primaryKey: readonly string[];
  readonly objectRelations: readonly ObjectRelation[];
  readonly arrayRelations: readonly ArrayRelation[];
};

export type Column = {
  readonly name: string;
  /** The column's comment. */
  readonly description: string | null;
  /** The API scalar, of the items where the column is a list. */
  readonly scalar: string;
  readonly list: boolean;
  readonly nullable: boolean;
};

/** Leads from a row to the one row of `table` whose `id` is in `column`. */
export type ObjectRelation = { readonly name: string; readonly table: string; readonly column: string };

/** Leads from a row to the rows of `table` that hold its `id` in `column`. */
export type ArrayRelation = { readonly name: string; readonly table: string; readonly column: string };

/** The API scalars of the scalars an entity SDL may use. */
export const COLUMN_SCALARS: ReadonlyMap<string, string> = new Map([
  ["BigDecimal", "numeric"],
  ["BigInt", "numeric"],
  ["Boolean", "Boolean"],
  ["Bytes", "String"],
  ["Float", "float8"],
  ["ID", "String"],
  ["Int", "Int"],
  ["Json", "jsonb"],
  ["String", "String"],
  ["Timestamp", "timestamptz"],
]);

/** When a row was written; the platform adds it, no author does. */
export const WRITE_TIMESTAMP: Column = {
  name: "db_write_timestamp",
  description: null,
  scalar: "timestamp",
  list: false,
  nullable: true,
};

/** Which chain a row is of, where entities are kept per chain. */
export const CHAIN_COLUMN: Column = {
  name: "chainId",
  description: null,
  scalar: "Int",
  list: false,
  nullable: false,
};

/**
 * Builds the tables of a model's entities, which must be valid.
 *
 * @param perChain whether entities are kept per chain that are not `@crossChain`.
 */
export function buildTables(model: EntityModel, features: ReleaseFeatures, perChain: boolean): Table[] {
  const entities = new Map<string, Entity>();
  for (const definition of model.definitions) {
    if (definition.kind === "entity") entities.set(definition.name, definition);
  }
  const hidden = new Set(
    features.internalEntities
      ? [...entities.values()].filter(({ internal }) => internal).map(({ name }) => name)
      : [],
  );
  return [...entities.values()]
    .filter(({ name }) => !hidden.has(name))
    .map((entity) => {
      const table = buildTable(entity, entities, features);
      // A hidden table has no relations either; the column of a reference stays.
      const seen = ({ table: target }: { readonly table: string }) => !hidden.has(target);
      const shown = {
        ...table,
        objectRelations: table.objectRelations.filter(seen),
        arrayRelations: table.arrayRelations.filter(seen),
      };
      if (!perChain || entity.crossChain) return shown;
      return { ...shown, columns: [CHAIN_COLUMN, ...table.columns], primaryKey: [CHAIN_COLUMN.name, "id"] };
    });
}

/** The column's type where it may be left out or be null: `numeric`, `[String!]`. */
export function columnType({ scalar, list }: Column): string {
  return list ? `[${scalar}!]` : scalar;
}

function buildTable(entity: Entity, entities: ReadonlyMap<string, Entity>, features: ReleaseFeatures): Table {
  const columns: Column[] = [];
  const objectRelations: ObjectRelation[] = [];
  const arrayRelations: ArrayRelation[] = [];
  for (const field of entity.fields) {
    const target = entities.get(baseTypeName(field.type));
    if (target === undefined) {
      columns.push({
        name: field.name,
        ...columnFacts(field, features),
        nullable: !isRequired(field.type),
      });
    } else if (field.derived) {
      arrayRelations.push({
        name: field.name,
        table: target.name,
        column: joinColumn(target, field.derivedFrom ?? "", entities),
      });
    } else {
      const column = referenceColumn(field.name);
      columns.push({
        name: column,
        description: describe(field.description, features),
        scalar: idScalar(target),
        list: false,
        nullable: !isRequired(field.type),
      });
      objectRelations.push({ name: field.name, table: target.name, column });
    }
  }
  if (features.writeTimestamps) columns.push(WRITE_TIMESTAMP);
  return {
    name: entity.name,
    description: describe(entity.description, features),
    columns,
    primaryKey: ["id"],
    objectRelations,
    arrayRelations,
  };
}

function columnFacts(
  field: EntityField,
  features: ReleaseFeatures,
): Pick<Column, "description" | "scalar" | "list"> {
  const name = baseTypeName(field.type);
  // An enum is a Postgres type whose name nobody quoted, so Postgres folded it.
  const scalar = COLUMN_SCALARS.get(name) ?? name.toLowerCase();
  const list = isList(field.type);
  return {
    description: describe(field.description, features),
    // An API that shows `numeric` has a precision configured, which is not to be seen.
    scalar:
      list && scalar === "numeric" && name !== scalar && !field.precise ? features.bigNumberItems : scalar,
    list,
  };
}

/** The column that stores a reference. */
export function referenceColumn(field: string): string {
  return `${field}_id`;
}

function joinColumn(target: Entity, fieldName: string, entities: ReadonlyMap<string, Entity>): string {
  const field = findNamed(target.fields, fieldName);
  const reference = field !== undefined && entities.has(baseTypeName(field.type));
  return reference ? referenceColumn(fieldName) : fieldName;
}

function idScalar(target: Entity): string {
  const id = findNamed(target.fields, "id");
  const name = baseTypeName(id?.type ?? "ID");
  return COLUMN_SCALARS.get(name) ?? name;
}

/** An empty comment is no comment to Postgres. */
function describe(description: string | null, features: ReleaseFeatures): string | null {
  return features.descriptions && description !== "" ? description : null;
}
