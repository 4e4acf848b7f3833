import type { DocumentNode, GraphQLError, GraphQLSchema } from "graphql";
import { cached } from "../base/cached.ts";
import { findNamed } from "../base/find-named.ts";
import { once } from "../base/once.ts";
import { baseTypeName } from "../base/type-expression.ts";
import type { ApiDirective, ApiField, ApiSchema, ApiType } from "../schema/api-schema.ts";
import { type ROOTS, rootTypeNames } from "../schema/roots.ts";
import { toGraphqlSchema } from "../schema/to-graphql-schema.ts";
import { createValidator } from "./impact/create-validator.ts";

/** A schema with what comparing asks of it many times, each made when it is first asked for. */
export type IndexedSchema = {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly field: (type: string, name: string) => ApiField | undefined;
  readonly directive: (name: string) => ApiDirective | undefined;
  readonly root: (operation: (typeof ROOTS)[number]) => string | null;
  /** The types that can stand where an interface or union does, interfaces among them. */
  readonly subtypes: (name: string) => ReadonlySet<string>;
  /** The object types that a value of a composite type can be; an object type can be itself. */
  readonly possibleTypes: (name: string) => ReadonlySet<string>;
  readonly isOutput: (type: string) => boolean;
  readonly isInput: (type: string) => boolean;
  readonly graphql: () => GraphQLSchema;
  readonly validate: (documents: readonly DocumentNode[]) => readonly (readonly GraphQLError[])[];
};

const indexed = new WeakMap<ApiSchema, IndexedSchema>();

/** Indexes a schema, once for the same object. */
export function indexSchema(schema: ApiSchema): IndexedSchema {
  return cached(indexed, schema, createIndex);
}

function createIndex(schema: ApiSchema): IndexedSchema {
  const types = new Map(schema.types.map((type) => [type.name, type]));
  const possible = new Map<string, ReadonlySet<string>>();
  const isObject = (name: string) => types.get(name)?.kind === "OBJECT";
  const subtypes = once(() => findSubtypes(schema));
  const outputs = once(() => findOutputs(schema, types, subtypes()));
  const inputs = once(() => findInputs(schema, types, outputs()));
  const graphql = once(() => toGraphqlSchema(schema));
  const validator = once(() => createValidator(graphql()));
  return {
    types,
    field: (owner, name) => {
      const type = types.get(owner);
      return hasFields(type) ? findNamed(type.fields, name) : undefined;
    },
    directive: (name) => schema.directives.find((directive) => directive.name === name),
    root: (operation) => schema[`${operation}Type`],
    subtypes: (name) => subtypes().get(name) ?? NONE,
    possibleTypes: (name) =>
      cached(possible, name, () => new Set([name, ...(subtypes().get(name) ?? [])].filter(isObject))),
    isOutput: (type) => outputs().has(type),
    isInput: (type) => inputs().has(type),
    graphql,
    validate: (documents) => validator()(documents),
  };
}

const NONE: ReadonlySet<string> = new Set();

function hasFields(type: ApiType | undefined): type is Extract<ApiType, { readonly interfaces: unknown }> {
  return type?.kind === "OBJECT" || type?.kind === "INTERFACE";
}

function findSubtypes({ types }: ApiSchema): ReadonlyMap<string, ReadonlySet<string>> {
  const subtypes = new Map<string, Set<string>>();
  const add = (abstract: string, concrete: string) =>
    cached(subtypes, abstract, () => new Set<string>()).add(concrete);
  for (const type of types) {
    if (hasFields(type)) for (const name of type.interfaces) add(name, type.name);
    if (type.kind === "UNION") for (const name of type.possibleTypes) add(type.name, name);
  }
  return subtypes;
}

function findOutputs(
  schema: ApiSchema,
  types: ReadonlyMap<string, ApiType>,
  subtypes: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const met = new Set(rootTypeNames(schema));
  // What is added while it is walked is walked as well.
  for (const name of met) {
    // What implements an interface can be met through it, and what it implements can be spread on.
    for (const other of subtypes.get(name) ?? []) met.add(other);
    const type = types.get(name);
    if (!hasFields(type)) continue;
    for (const other of type.interfaces) met.add(other);
    for (const field of type.fields) met.add(baseTypeName(field.type));
  }
  return met;
}

function findInputs(
  schema: ApiSchema,
  types: ReadonlyMap<string, ApiType>,
  outputs: ReadonlySet<string>,
): ReadonlySet<string> {
  const met = new Set<string>();
  const add = ({ type }: { readonly type: string }) => met.add(baseTypeName(type));
  for (const { args } of schema.directives) args.forEach(add);
  for (const name of outputs) {
    const type = types.get(name);
    if (hasFields(type)) for (const { args } of type.fields) args.forEach(add);
  }
  for (const name of met) {
    const type = types.get(name);
    if (type?.kind === "INPUT_OBJECT") type.fields.forEach(add);
  }
  return met;
}
