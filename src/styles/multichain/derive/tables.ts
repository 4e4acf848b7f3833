import { findNamed } from "../../../base/find-named.ts";
import { baseTypeName, isList, isRequired } from "../../../base/type-expression.ts";
import type { Entity, EntityField, EntityModel } from "../../../schema/entity-model.ts";
import type { ReleaseFeatures } from "../release.ts";

/** A tracked table that API types are derived from: one per entity, and a few of the platform's own. */
export type Table = {
  readonly name: string;
  readonly description: string | null;
  readonly columns: readonly Column[];
  /** Names of the primary key's columns; none for a view. */
  readonly primaryKey: readonly string[];
  readonly objectRelations: readonly Relation[];
  readonly arrayRelations: readonly Relation[];
};

export type Column = {
  readonly name: string;
  readonly description: string | null;
  /** The API scalar, of the items where the column is a list. */
  readonly scalar: string;
  readonly list: boolean;
  readonly nullable: boolean;
};

/** Leads from a row to a row of `table`, or to a list of them. */
export type Relation = { readonly name: string; readonly table: string };

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
export const WRITE_TIMESTAMP = platformColumn("db_write_timestamp", "timestamp");

/** Which chain a row is of, where entities are kept per chain. */
export const CHAIN_COLUMN = platformColumn("chainId", "Int!");

/** A column of the platform's own. */
export function platformColumn(name: string, type: string): Column {
  return { name, description: null, scalar: baseTypeName(type), list: false, nullable: !isRequired(type) };
}

/** Builds the tables of valid entities; `perChain` keeps those per chain that are not `@crossChain`. */
export function buildTables(model: EntityModel, features: ReleaseFeatures, perChain: boolean): Table[] {
  const entities = new Map(
    model.definitions.flatMap((one) => (one.kind === "entity" ? [[one.name, one] as const] : [])),
  );
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
  const [objectRelations, arrayRelations]: [Relation[], Relation[]] = [[], []];
  for (const field of entity.fields) {
    const target = entities.get(baseTypeName(field.type));
    const shared = { description: describe(field.description, features), nullable: !isRequired(field.type) };
    if (target === undefined) {
      columns.push({ name: field.name, ...shared, ...columnKind(field, features) });
    } else if (field.derived) {
      arrayRelations.push({ name: field.name, table: target.name });
    } else {
      columns.push({ name: referenceColumn(field.name), ...shared, scalar: idScalar(target), list: false });
      objectRelations.push({ name: field.name, table: target.name });
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

function columnKind(
  { type, precise }: EntityField,
  features: ReleaseFeatures,
): Pick<Column, "scalar" | "list"> {
  const name = baseTypeName(type);
  // An enum is a Postgres type whose name nobody quoted, so Postgres folded it.
  const scalar = COLUMN_SCALARS.get(name) ?? name.toLowerCase();
  const list = isList(type);
  // An API that shows `numeric` has a precision configured, which is not to be seen.
  const isBigNumberList = list && scalar === "numeric" && name !== scalar && !precise;
  return { scalar: isBigNumberList ? features.bigNumberItems : scalar, list };
}

/** The column that stores a reference. */
export function referenceColumn(field: string): string {
  return `${field}_id`;
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
