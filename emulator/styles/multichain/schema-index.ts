import {
  type ApiDirective,
  type ApiField,
  type ApiType,
  baseTypeName,
  isList,
} from "../../../src/dialects/api-schema.ts";
import type { Entity, EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";
import { META_TYPES } from "../../../src/dialects/multichain/platform-types.ts";
import type { ExecutorOptions } from "../served-style.ts";
import type { Key } from "./keys.ts";
import { type ColumnKind, defineKind, fillVariables, type Stored, textOf } from "./kinds.ts";
import { messages } from "./messages.ts";
import { scaledKind } from "./number-kinds.ts";
import type { QueryValue, TypedValue } from "./query-value.ts";
import { enumKind, SCALAR_KINDS } from "./scalar-kinds.ts";

/** The schema and its tables, by name. */
export type SchemaIndex = {
  readonly queryType: string;
  readonly fields: (typeName: string) => ReadonlyMap<string, ApiField>;
  /** The types of an input object's fields by name. */
  readonly inputFields: (typeName: string) => ReadonlyMap<string, string>;
  readonly enumValues: (typeName: string) => readonly string[];
  readonly isObject: (typeName: string) => boolean;
  readonly directives: ReadonlyMap<string, ApiDirective>;
  /** Throws for a type without a table. */
  readonly table: (name: string) => Table;
  readonly isTable: (name: string) => boolean;
};

/** Indexes schema and model once, for all requests. */
export function createSchemaIndex({ schema, model }: Pick<ExecutorOptions, "schema" | "model">): SchemaIndex {
  // A snapshot may omit the introspection types; the platform's own list replaces them.
  const types = new Map<string, ApiType>([...META_TYPES, ...schema.types].map((type) => [type.name, type]));
  const fields = new Map<string, ReadonlyMap<string, ApiField>>();
  const inputFields = new Map<string, ReadonlyMap<string, string>>();
  for (const type of types.values()) {
    if (type.kind === "OBJECT")
      fields.set(type.name, new Map(type.fields.map((field) => [field.name, field])));
    if (type.kind === "INPUT_OBJECT") {
      inputFields.set(type.name, new Map(type.fields.map((field) => [field.name, field.type])));
    }
  }
  const roots = new Map([...(fields.get(schema.queryType) ?? []), ...META_ROOTS]);
  fields.set(schema.queryType, roots);

  const tables = new Map<string, Table>();
  for (const { type } of roots.values()) {
    const name = baseTypeName(type);
    if (!isList(type)) continue;
    const columnNames = new Set(enumNames(types.get(`${name}_select_column`)));
    tables.set(name, createTable(model, { name, fields: fields.get(name) ?? new Map() }, columnNames));
  }
  return {
    queryType: schema.queryType,
    fields: (typeName) => fields.get(typeName) ?? new Map(),
    inputFields: (typeName) => inputFields.get(typeName) ?? new Map(),
    enumValues: (typeName) => enumNames(types.get(typeName)),
    isObject: (typeName) => types.get(typeName)?.kind === "OBJECT",
    directives: new Map(schema.directives.map((directive) => [directive.name, directive])),
    table: (name) => {
      const table = tables.get(name);
      if (!table) throw new TypeError(`The schema has no table "${name}".`);
      return table;
    },
    isTable: (name) => tables.has(name),
  };
}

/** The root fields that introspection does not list. */
const META_ROOTS: readonly (readonly [string, ApiField])[] = [
  ["__schema", { name: "__schema", description: null, args: [], type: "__Schema!", deprecationReason: null }],
  [
    "__type",
    {
      name: "__type",
      description: null,
      args: [{ name: "name", description: null, type: "String!", defaultValue: null }],
      type: "__Type",
      deprecationReason: null,
    },
  ],
];

function createTable(
  model: EntityModel,
  { name, fields }: { readonly name: string; readonly fields: ReadonlyMap<string, ApiField> },
  columnNames: ReadonlySet<string>,
): Table {
  const entity = model.definitions.find(
    (definition): definition is Entity => definition.kind === "entity" && definition.name === name,
  );
  const columns = new Map<string, Column>();
  const relations = new Map<string, Relation>();
  for (const field of fields.values()) {
    if (columnNames.has(field.name)) columns.set(field.name, createColumn(model, entity, field));
    else if (!field.type.endsWith("_aggregate!")) relations.set(field.name, createRelation(entity, field));
  }
  return { name, isEntity: entity !== undefined, columns, relations };
}

function createColumn(model: EntityModel, entity: Entity | undefined, field: ApiField): Column {
  const scalar = baseTypeName(field.type);
  const stored =
    entity?.fields.find((candidate) => candidate.name === field.name) ?? referenceField(entity, field.name);
  const kind =
    scalar === "numeric" && stored?.scale !== undefined && stored.scale > 0
      ? scaledKind(stored.scale)
      : (SCALAR_KINDS.get(scalar) ?? enumKind(scalar, enumMembers(model, scalar)));
  const list = isList(field.type);
  return {
    name: field.name,
    field: stored?.name ?? field.name,
    kind: list ? arrayKind(kind) : kind,
    // A BigDecimal keeps its written scale: 1.1 and 1.10 are equal, but differ as text.
    indexable: stored !== undefined && !list && baseTypeName(stored.type) !== "BigDecimal",
  };
}

function createRelation(entity: Entity | undefined, field: ApiField): Relation {
  const entityField = entity?.fields.find((candidate) => candidate.name === field.name);
  const target = baseTypeName(field.type);
  return isList(field.type)
    ? { kind: "array", name: field.name, target, field: entityField?.derivedFrom ?? "" }
    : { kind: "object", name: field.name, target, field: field.name };
}

/** The reference of a column `asset_id`. */
function referenceField(entity: Entity | undefined, column: string): EntityField | undefined {
  if (!column.endsWith("_id")) return undefined;
  const name = column.slice(0, -"_id".length);
  return entity?.fields.find((field) => field.name === name && !field.derived);
}

/** The members of an enum by the name of its scalar, which Postgres lower-cased. */
function enumMembers(model: EntityModel, scalar: string): readonly string[] | null {
  for (const definition of model.definitions) {
    if (definition.kind === "enum" && definition.name.toLowerCase() === scalar) {
      return definition.values?.map((value) => value.name) ?? null;
    }
  }
  return null;
}

function enumNames(type: ApiType | undefined): readonly string[] {
  return type?.kind === "ENUM" ? type.values.map((value) => value.name) : [];
}

/** The kind of a list column. Its numbers are serialized as JSON numbers, whatever the element's are. */
function arrayKind(element: ColumnKind): ColumnKind {
  return defineKind({
    key: (value) => items(value).map((item) => (item === null ? null : element.key(item))),
    operand: (reading, input) => {
      const values = arrayItems({ ...input, value: fillVariables(reading, input.value) });
      if (values === null) {
        reading.postpone(messages.arrayMalformed(textOf(input.value) ?? ""));
        return null;
      }
      const type = baseTypeName(input.type);
      const keys: (Key | null)[] = [];
      for (const value of values) {
        if (value.kind === "null") {
          keys.push(null);
          continue;
        }
        // The server reports the path of the list, not of the item.
        const key = element.operand(reading, { value, type, path: input.path });
        if (key === null) return null;
        keys.push(key);
      }
      return keys;
    },
    serialize: (value) =>
      items(value).map((item) => {
        if (item === null) return null;
        const json = element.serialize(item);
        return element.stringified && Number.isFinite(Number(json)) ? Number(json) : json;
      }),
  });
}

function items(value: Stored): readonly (Stored | null)[] {
  return Array.isArray(value) ? (value as readonly (Stored | null)[]) : [value];
}

/** A list, or a string with a Postgres array literal; null if malformed. */
function arrayItems(input: TypedValue): readonly QueryValue[] | null {
  if (input.value.kind === "list") return input.value.items;
  const text = textOf(input.value);
  if (text === null) throw messages.parsingFailed(input, "[]", "Array");
  return parseArrayLiteral(text);
}

/** Parses `{a,"b c",NULL}`; columns have one level only. */
function parseArrayLiteral(text: string): readonly QueryValue[] | null {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inner === undefined) return null;
  if (inner.trim() === "") return [];
  const values: QueryValue[] = [];
  const item =
    /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^\s",{}\\]|\\.)(?:(?:[^",{}\\]|\\.)*(?:[^\s",{}\\]|\\.))?))\s*(?:,|$)/sy;
  let end = 0;
  while (end < inner.length) {
    item.lastIndex = end;
    const match = item.exec(inner);
    if (!match) return null;
    end = item.lastIndex;
    const [, quoted, bare = ""] = match;
    if (quoted === undefined && /^null$/i.test(bare)) values.push({ kind: "null" });
    else values.push({ kind: "string", value: (quoted ?? bare).replaceAll(/\\(.)/gs, "$1"), json: false });
  }
  return inner.endsWith(",") ? null : values;
}

/** A table as queries see it. Its rows are in {@link Data}. */
export type Table = {
  readonly name: string;
  /** The platform's own tables are not entities: they have neither ids nor indexes. */
  readonly isEntity: boolean;
  readonly columns: ReadonlyMap<string, Column>;
  /** By relationship field. */
  readonly relations: ReadonlyMap<string, Relation>;
};

export type Column = {
  readonly name: string;
  /** The row's field with the value. */
  readonly field: string;
  readonly kind: ColumnKind;
  /** Equal values are stored equally, so that an index finds them all. */
  readonly indexable: boolean;
};

export type Relation = {
  readonly kind: "object" | "array";
  readonly name: string;
  readonly target: string;
  /** The row's field with the id of the related row; for an array, the related rows' field with the row's id. */
  readonly field: string;
};
