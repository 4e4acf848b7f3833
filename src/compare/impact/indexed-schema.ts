import type { DocumentNode, GraphQLError, GraphQLSchema } from "graphql";
import type { ApiDirective, ApiField, ApiSchema, ApiType } from "../../schema/api-schema.ts";
import { toGraphqlSchema } from "../../schema/to-graphql-schema.ts";
import { createValidator } from "./create-validator.ts";

/** A schema with what impact asks of it many times. */
export type IndexedSchema = {
  readonly type: (name: string) => ApiType | undefined;
  readonly field: (type: string, name: string) => ApiField | undefined;
  readonly directive: (name: string) => ApiDirective | undefined;
  readonly root: (operation: Operation) => string | null;
  /** The object types that a value of a composite type can be: an object type itself, in place of an abstract one. */
  readonly possibleTypes: (name: string) => ReadonlySet<string>;
  readonly graphql: GraphQLSchema;
  /** What validation says of each document, in their order. */
  readonly validate: (documents: readonly DocumentNode[]) => readonly (readonly GraphQLError[])[];
};

type Operation = "query" | "mutation" | "subscription";

const indexed = new WeakMap<ApiSchema, IndexedSchema>();

/** Indexes a schema, once. */
export function indexSchema(schema: ApiSchema): IndexedSchema {
  const known = indexed.get(schema);
  if (known !== undefined) return known;
  const index = createIndex(schema);
  indexed.set(schema, index);
  return index;
}

function createIndex(schema: ApiSchema): IndexedSchema {
  const types = new Map(schema.types.map((type) => [type.name, type]));
  const fields = new Map<string, ReadonlyMap<string, ApiField>>();
  const graphql = toGraphqlSchema(schema);
  let possible: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  function fieldsOf(name: string): ReadonlyMap<string, ApiField> {
    let known = fields.get(name);
    if (known === undefined) {
      const type = types.get(name);
      const members = type?.kind === "OBJECT" || type?.kind === "INTERFACE" ? type.fields : [];
      known = new Map(members.map((field) => [field.name, field]));
      fields.set(name, known);
    }
    return known;
  }

  return {
    type: (name) => types.get(name),
    field: (type, name) => fieldsOf(type).get(name),
    directive: (name) => schema.directives.find((directive) => directive.name === name),
    root: (operation) => schema[`${operation}Type`],
    possibleTypes: (name) => {
      possible ??= findObjectTypes(schema);
      return possible.get(name) ?? NONE;
    },
    graphql,
    validate: createValidator(graphql),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Finds the objects that can be met where a type is asked for, an object among them as itself. */
function findObjectTypes({ types }: ApiSchema): Map<string, Set<string>> {
  const possible = new Map<string, Set<string>>();
  const add = (abstract: string, concrete: string) => {
    const found = possible.get(abstract);
    if (found) found.add(concrete);
    else possible.set(abstract, new Set([concrete]));
  };
  for (const type of types) {
    if (type.kind === "OBJECT") for (const name of [type.name, ...type.interfaces]) add(name, type.name);
    if (type.kind === "UNION") for (const name of type.possibleTypes) add(type.name, name);
  }
  return possible;
}
