import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  validate,
} from "graphql";
import { cached, findNamed, memoize, once } from "../base/collections.ts";
import {
  type ApiDirective,
  type ApiField,
  type ApiSchema,
  type ApiType,
  baseTypeName,
  indexTypes,
  type ROOTS,
  rootTypeNames,
} from "../dialects/api-schema.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import type { Recognized, Style } from "../dialects/style.ts";
import { toGraphqlSchema } from "../dialects/to-graphql-schema.ts";
import { OPERATION_RULES } from "../dialects/validate-documents.ts";

/** A schema with the indexes that comparing needs, each built on first use. */
export type IndexedSchema = {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly field: (type: string, name: string) => ApiField | undefined;
  readonly directive: (name: string) => ApiDirective | undefined;
  readonly root: (operation: (typeof ROOTS)[number]) => string | null;
  /** Returns the types that implement an interface or belong to a union, including interfaces. */
  readonly subtypes: (name: string) => ReadonlySet<string>;
  /** Returns the object types that a value of a composite type can have. For an object type, this is the type itself. */
  readonly possibleTypes: (name: string) => ReadonlySet<string>;
  readonly isOutput: (type: string) => boolean;
  readonly isInput: (type: string) => boolean;
  readonly graphql: () => GraphQLSchema;
  readonly validate: (documents: readonly DocumentNode[]) => readonly (readonly GraphQLError[])[];
};

/** Returns the index of a schema, cached per object. */
export const indexSchema = memoize(createIndex);

function createIndex(schema: ApiSchema): IndexedSchema {
  const types = indexTypes(schema);
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
      return type && "interfaces" in type ? findNamed(type.fields, name) : undefined;
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

function findSubtypes({ types }: ApiSchema): ReadonlyMap<string, ReadonlySet<string>> {
  const subtypes = new Map<string, Set<string>>();
  const add = (abstract: string, concrete: string) =>
    cached(subtypes, abstract, () => new Set<string>()).add(concrete);
  for (const type of types) {
    if ("interfaces" in type) for (const name of type.interfaces) add(name, type.name);
    if (type.kind === "UNION") for (const name of type.possibleTypes) add(type.name, name);
  }
  return subtypes;
}

function findOutputs(
  schema: ApiSchema,
  types: ReadonlyMap<string, ApiType>,
  subtypes: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const outputs = new Set(rootTypeNames(schema));
  // The loop also visits names that are added during it.
  for (const name of outputs) {
    // An interface leads to its implementers, and fragments on an implementer to its interfaces.
    for (const other of subtypes.get(name) ?? []) outputs.add(other);
    const type = types.get(name);
    if (!type || !("interfaces" in type)) continue;
    for (const other of type.interfaces) outputs.add(other);
    for (const field of type.fields) outputs.add(baseTypeName(field.type));
  }
  return outputs;
}

function findInputs(
  schema: ApiSchema,
  types: ReadonlyMap<string, ApiType>,
  outputs: ReadonlySet<string>,
): ReadonlySet<string> {
  const inputs = new Set<string>();
  const add = ({ type }: { readonly type: string }) => inputs.add(baseTypeName(type));
  for (const { args } of schema.directives) args.forEach(add);
  for (const name of outputs) {
    const type = types.get(name);
    if (type && "interfaces" in type) for (const { args } of type.fields) args.forEach(add);
  }
  for (const name of inputs) {
    const type = types.get(name);
    if (type?.kind === "INPUT_OBJECT") type.fields.forEach(add);
  }
  return inputs;
}

/** Creates a validator that validates each document once. New documents are validated together: setup takes longest. */
export function createValidator(
  schema: GraphQLSchema,
): (documents: readonly DocumentNode[]) => readonly (readonly GraphQLError[])[] {
  const results = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const judge = (document: DocumentNode) =>
    validate(schema, document, OPERATION_RULES, { maxErrors: Number.POSITIVE_INFINITY });

  return (documents) => {
    const fresh = documents.filter((document) => !results.has(document));
    const together = fresh.length > 1 ? joinDocuments(fresh) : null;
    const errors = together === null ? null : judge(together);
    for (const document of fresh) {
      // An error may come from joining the documents, so each affected document is validated alone.
      const isSuspect = errors === null || errors.some((error) => isWithin(error, document));
      results.set(document, isSuspect ? judge(document) : []);
    }
    return documents.map((document) => results.get(document) ?? []);
  };
}

/** Returns one document with all definitions; null if two fragments have the same name. */
function joinDocuments(documents: readonly DocumentNode[]): DocumentNode | null {
  const definitions = new Set(documents.flatMap((document) => document.definitions));
  const names = new Set<string>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    if (names.has(definition.name.value)) return null;
    names.add(definition.name.value);
  }
  return { kind: Kind.DOCUMENT, definitions: [...definitions] };
}

function isWithin({ nodes = [] }: GraphQLError, { definitions }: DocumentNode): boolean {
  return nodes.every((node) => definitions.some((definition) => encloses(definition, node)));
}

/** Returns whether a node is within a definition by its location. A node without a location may be in any definition. */
function encloses(definition: DefinitionNode, node: ASTNode): boolean {
  const [outer, inner] = [definition.loc, node.loc];
  if (!outer || !inner) return true;
  return outer.source === inner.source && outer.start <= inner.start && inner.end <= outer.end;
}

/** A schema prepared for comparing. */
export type SchemaSide = {
  readonly types: ReadonlyMap<string, ApiType>;
  readonly model: EntityModel;
  readonly recognized: Recognized;
};

/** Reads a schema for comparing. Cached per schema and reader, because a snapshot is compared with a whole fleet. */
export function readSide(schema: ApiSchema, { schemas }: Pick<Style, "schemas">): SchemaSide {
  return sideReader(schemas)(schema);
}

const sideReader = memoize((schemas: Style["schemas"]) =>
  memoize(
    (schema: ApiSchema): SchemaSide => ({
      types: indexTypes(schema),
      model: schemas.read(schema),
      recognized: schemas.recognize(schema),
    }),
  ),
);
