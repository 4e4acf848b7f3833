import { parseValue } from "graphql";
import { indexByName } from "../../../src/base/collections.ts";
import {
  type ApiField,
  type ApiInputValue,
  type ApiType,
  baseTypeName,
  isList,
  nullableType,
} from "../../../src/dialects/api-schema.ts";
import type { EntityField, FulltextDefinition } from "../../../src/dialects/entity-model.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import type { ExecutorOptions } from "../served-style.ts";
import { type QueryValue, readLiteral } from "./query-value.ts";

/** The schema by name. The first of two definitions with the same name counts. */
export type SchemaIndex = {
  readonly queryType: string;
  readonly type: (name: string) => ApiType | undefined;
  /** A field of an object or interface type, including `__typename` and the introspection roots. */
  readonly field: (type: string, name: string) => IndexedField | undefined;
  /** Like `field`, with the introspection roots on any type: before a query runs, their position is not checked. */
  readonly anyField: (type: string, name: string) => IndexedField | undefined;
  /** An object type itself, or the implementers of an interface; empty for any other type. */
  readonly concreteTypes: (type: string) => readonly string[];
  /** The stored facts of a type: an entity, interface or aggregation; undefined for platform types. */
  readonly entity: (type: string) => EntityFacts | undefined;
  readonly enumValues: (type: string) => readonly string[] | undefined;
  /** The fulltext search of a root field, if it is one. */
  readonly search: (field: string) => FulltextDefinition | undefined;
};

export type IndexedField = {
  readonly name: string;
  readonly type: string;
  readonly base: string;
  readonly list: boolean;
  readonly required: boolean;
  /** The base type is a scalar or an enum. */
  readonly leaf: boolean;
  readonly args: readonly IndexedArgument[];
};

type IndexedArgument = {
  readonly name: string;
  readonly type: string;
  readonly defaultValue: QueryValue | undefined;
};

export type EntityFacts = {
  readonly name: string;
  readonly kind: "entity" | "interface" | "aggregation";
  readonly immutable: boolean;
  /** The known intervals of an aggregation. */
  readonly intervals: readonly string[];
  readonly attribute: (name: string) => Attribute | undefined;
};

/** A field of an entity, for filters and orders. */
export type Attribute = {
  readonly name: string;
  readonly type: string;
  readonly base: string;
  readonly list: boolean;
  readonly kind: "scalar" | "enum" | "reference";
  /** The scalar of the values; for a reference that of the target's `id`, for an enum its name. */
  readonly valueType: string;
  /** For a derived field, the field of the target that refers back. */
  readonly derivedFrom: string | null;
};

export function createSchemaIndex({ schema, model }: ExecutorOptions): SchemaIndex {
  const types = indexByName([...schema.types, ...INTROSPECTION_TYPES]);
  const fields = new Map<string, ReadonlyMap<string, IndexedField>>();
  const implementers = new Map<string, string[]>();
  const entities = new Map<string, EntityFacts>();
  const definitions = indexByName(
    model.definitions.filter(
      (definition) =>
        definition.kind === "entity" || definition.kind === "interface" || definition.kind === "aggregation",
    ),
  );

  for (const type of types.values()) {
    if (type.kind !== "OBJECT" && type.kind !== "INTERFACE") continue;
    const indexed = indexByName(type.fields.map((field) => indexField(field)));
    for (const root of INTROSPECTION_FIELDS) {
      if (root.name === "__typename" || type.name === schema.queryType) {
        indexed.set(root.name, indexField(root));
      }
    }
    fields.set(type.name, indexed);
  }
  for (const definition of definitions.values()) {
    if (definition.kind === "entity") {
      // In the order of the entity file, in which the database joins their tables.
      for (const parent of new Set(definition.interfaces)) {
        implementers.set(parent, [...(implementers.get(parent) ?? []), definition.name]);
      }
    }
    const attributes = new Map<string, Attribute>();
    for (const field of definition.fields) {
      if (!attributes.has(field.name)) attributes.set(field.name, attribute(field));
    }
    entities.set(definition.name, {
      name: definition.name,
      kind: definition.kind,
      immutable: definition.kind === "entity" && definition.immutable === true,
      intervals: definition.kind === "aggregation" ? definition.intervals : [],
      attribute: (name) => attributes.get(name),
    });
  }

  function indexField(field: {
    readonly name: string;
    readonly type: string;
    readonly args: readonly ApiInputValue[];
  }): IndexedField {
    const base = baseTypeName(field.type);
    const kind = types.get(base)?.kind;
    return {
      name: field.name,
      type: field.type,
      base,
      list: isList(field.type),
      required: field.type.endsWith("!"),
      leaf: kind === undefined || kind === "SCALAR" || kind === "ENUM",
      args: field.args.map(({ name, type, defaultValue }) => ({
        name,
        type,
        defaultValue: defaultValue === null ? undefined : readLiteral(parseValue(defaultValue), new Map()),
      })),
    };
  }

  function attribute(field: EntityField): Attribute {
    const base = baseTypeName(field.type);
    const target = definitions.get(base);
    const kind = target ? "reference" : types.get(base)?.kind === "ENUM" ? "enum" : "scalar";
    return {
      name: field.name,
      type: field.type,
      base,
      list: isList(field.type),
      kind,
      valueType: target ? idType(base) : base,
      derivedFrom: field.derivedFrom,
    };
  }

  /** An interface has the id type of its first implementer, or `String` without one. */
  function idType(target: string): string {
    const definition = definitions.get(target);
    const concrete =
      definition?.kind === "interface"
        ? [...definitions.values()].find((each) => each.kind === "entity" && each.interfaces.includes(target))
        : definition;
    const id = concrete?.fields.find((field) => field.name === "id");
    return id === undefined ? "String" : nullableType(id.type);
  }

  const searches = indexByName(model.definitions.filter((definition) => definition.kind === "fulltext"));

  return {
    search: (field) => searches.get(field),
    queryType: schema.queryType,
    type: (name) => types.get(name),
    field: (type, name) => fields.get(type)?.get(name),
    anyField: (type, name) =>
      fields.get(type)?.get(name) ??
      (name.startsWith("__") ? fields.get(schema.queryType)?.get(name) : undefined),
    concreteTypes: (name) => {
      const kind = types.get(name)?.kind;
      if (kind === "OBJECT") return [name];
      return kind === "INTERFACE" ? (implementers.get(name) ?? []) : [];
    },
    entity: (type) => entities.get(type),
    enumValues: (name) => {
      const type = types.get(name);
      return type?.kind === "ENUM" ? type.values.map((value) => value.name) : undefined;
    },
  };
}

/**
 * The introspection types as the server declares them, which decide what can be selected: without `isOneOf`,
 * and with `inputFields` without arguments. Enums are selected like scalars.
 */
const DECLARED = parseSdl(
  `type Query { __schema: __Schema!  __type(name: String!): __Type  __typename: String! }
  type __Schema {
    description: String
    types: [__Type!]!
    queryType: __Type!
    mutationType: __Type
    subscriptionType: __Type
    directives: [__Directive!]!
  }
  type __Type {
    kind: __TypeKind!
    name: String
    description: String
    specifiedByURL: String
    fields(includeDeprecated: Boolean = false): [__Field!]
    interfaces: [__Type!]
    possibleTypes: [__Type!]
    enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
    inputFields: [__InputValue!]
    ofType: __Type
  }
  type __Field {
    name: String!
    description: String
    args(includeDeprecated: Boolean = false): [__InputValue!]!
    type: __Type!
    isDeprecated: Boolean!
    deprecationReason: String
  }
  type __InputValue {
    name: String!
    description: String
    type: __Type!
    defaultValue: String
    isDeprecated: Boolean!
    deprecationReason: String
  }
  type __EnumValue { name: String!  description: String  isDeprecated: Boolean!  deprecationReason: String }
  scalar __TypeKind
  type __Directive {
    name: String!
    description: String
    isRepeatable: Boolean!
    locations: [__DirectiveLocation!]!
    args(includeDeprecated: Boolean = false): [__InputValue!]!
  }
  scalar __DirectiveLocation`,
  "the introspection types",
  { reserved: true },
);

export const INTROSPECTION_TYPES: readonly ApiType[] = DECLARED.types.filter(
  ({ name }) => name !== DECLARED.queryType,
);

/** The root fields of introspection, which the query type does not list. */
const INTROSPECTION_FIELDS: readonly ApiField[] = DECLARED.types.flatMap((type) =>
  type.name === DECLARED.queryType && type.kind === "OBJECT" ? type.fields : [],
);
