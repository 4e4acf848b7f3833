import { findNamed, indexByName, memoize, sortByName } from "../../base/collections.ts";
import {
  type ApiField,
  type ApiObject,
  type ApiSchema,
  type ApiType,
  baseTypeName,
  fieldsOf,
  indexTypes,
  isList,
  isRequired,
  mapReferences,
} from "../api-schema.ts";
import { normalizeDescription } from "../canonicalize.ts";
import type { Definition, Entity, EntityField, EntityModel } from "../entity-model.ts";
import { MULTICHAIN_SCALARS } from "./platform-types.ts";
import {
  ARRAY_RELATION_DESCRIPTION,
  OBJECT_RELATION_DESCRIPTION,
  rowTypeDescription,
} from "./table-types.ts";
import { CHAIN_COLUMN, INTERNAL_TABLE_NAMES, referenceColumn, WRITE_TIMESTAMP } from "./tables.ts";

/** Reads the entities that an API shows, sorted by name. For a schema of another platform it returns an incomplete model. */
export function readMultichain(schema: ApiSchema): EntityModel {
  const types = indexTypes(schema);
  const objects = [...types.values()].filter((type) => type.kind === "OBJECT");
  const tables = indexByName(objects.filter((type) => isEntity(type, types)));
  const perChain = perChainTables(tables, fieldsOf(schema, schema.queryType));
  const relationsOf = memoize((table: ApiObject) =>
    mapReferences(table.fields.filter((field) => isObjectRelation(field, tables))),
  );
  const entities = [...tables.values()].map((table) => readEntity(table, { tables, perChain, relationsOf }));
  return { definitions: sortByName([...entities, ...readEnums(entities, types)]), directives: [] };
}

/** Returns whether a type is an entity: it has a filter with `_and`. `Stream_aggregate` has a filter without it. */
function isEntity({ name }: ApiObject, types: ReadonlyMap<string, ApiType>): boolean {
  const filter = types.get(`${name}_bool_exp`);
  return (
    !INTERNAL_TABLE_NAMES.has(name) &&
    filter?.kind === "INPUT_OBJECT" &&
    filter.fields.some((field) => field.name === "_and")
  );
}

type Tables = ReadonlyMap<string, ApiObject>;

function perChainTables(tables: Tables, roots: readonly ApiField[]): ReadonlySet<string> {
  return new Set([...tables.keys()].filter((name) => takesChain(findNamed(roots, `${name}_by_pk`))));
}

/** Returns whether a lookup takes an id and a chain. */
export function takesChain(root: ApiField | undefined): boolean {
  return root !== undefined && [CHAIN_COLUMN.name, "id"].every((name) => findNamed(root.args, name));
}

/** The tables of a schema. */
type Reading = {
  readonly tables: Tables;
  /** The names of those with a primary key of id and chain. */
  readonly perChain: ReadonlySet<string>;
  /** Returns the object relations of a table by their targets; null for several. */
  readonly relationsOf: (table: ApiObject) => ReadonlyMap<string, string | null>;
};

function readEntity(table: ApiObject, reading: Reading): Entity {
  const { tables, perChain } = reading;
  const folded = new Set(
    table.fields.flatMap((field) => (isObjectRelation(field, tables) ? [referenceColumn(field.name)] : [])),
  );
  const columns = indexByName(table.fields.filter(({ name }) => folded.has(name)));
  const isAuthored = (field: ApiField) =>
    !folded.has(field.name) &&
    !isWriteTimestamp(field) &&
    !isAggregate(field, tables) &&
    !(field.name === CHAIN_COLUMN.name && perChain.has(table.name));
  const fields = table.fields
    .filter(isAuthored)
    .map((field) => readField(field, { table, columns }, reading));
  return {
    kind: "entity",
    name: table.name,
    description: readDescription(table.description, rowTypeDescription(table.name)),
    interfaces: [],
    fields: sortByName(fields),
    // If some entities are stored per chain, the others have the directive.
    ...(perChain.size > 0 && !perChain.has(table.name) ? { crossChain: true } : {}),
  };
}

function isObjectRelation(field: ApiField, tables: Tables): boolean {
  return !isList(field.type) && tables.has(baseTypeName(field.type));
}

/** Returns whether a field is the write timestamp. Authors cannot use its type. */
export function isWriteTimestamp({ name, type }: ApiField): boolean {
  return name === WRITE_TIMESTAMP.name && baseTypeName(type) === WRITE_TIMESTAMP.scalar;
}

function isAggregate({ type }: ApiField, tables: Tables): boolean {
  if (!type.includes(AGGREGATE)) return false;
  const base = baseTypeName(type);
  return base.endsWith(AGGREGATE) && !tables.has(base) && tables.has(base.slice(0, -AGGREGATE.length));
}

const AGGREGATE = "_aggregate";

function readField(
  field: ApiField,
  { table, columns }: { readonly table: ApiObject; readonly columns: ReadonlyMap<string, ApiField> },
  { tables, relationsOf }: Reading,
): EntityField {
  const { name, type, description } = field;
  const target = tables.get(baseTypeName(type));
  if (target === undefined)
    return entityField({ name, type, description: readDescription(description, null) });
  if (isList(type)) {
    return {
      ...entityField({ name, type, description: readDescription(description, ARRAY_RELATION_DESCRIPTION) }),
      derived: true,
      derivedFrom: relationsOf(target).get(table.name) ?? null,
    };
  }
  // The column has the author's nullability and description. The relation is always nullable and has no description.
  const column = columns.get(referenceColumn(name));
  return entityField({
    name,
    type: `${target.name}${isRequired(column?.type ?? type) ? "!" : ""}`,
    description:
      readDescription(column?.description ?? null, null) ??
      readDescription(description, OBJECT_RELATION_DESCRIPTION),
  });
}

function entityField({
  name,
  type,
  description,
}: Pick<EntityField, "name" | "type" | "description">): EntityField {
  return {
    name,
    description,
    type,
    args: [],
    derived: false,
    derivedFrom: null,
    aggregate: false,
    precise: false,
  };
}

function readDescription(description: string | null, boilerplate: string | null): string | null {
  const normal = normalizeDescription(description);
  return normal === boilerplate ? null : normal;
}

/** Reads enums: every scalar that is not the platform's. An API does not show their members. */
function readEnums(entities: readonly Entity[], types: ReadonlyMap<string, ApiType>): Definition[] {
  const expressions = new Set<string>();
  for (const entity of entities) for (const field of entity.fields) expressions.add(field.type);
  const used = new Set([...expressions].map(baseTypeName));
  return [...used].flatMap((name): Definition[] => {
    const type = types.get(name);
    if (type?.kind !== "SCALAR" || MULTICHAIN_SCALARS.has(name)) return [];
    return [{ kind: "enum", name, description: readDescription(type.description, null), values: null }];
  });
}
