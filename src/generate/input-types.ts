import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type StringValueNode,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { cached, memoize } from "../base/collections.ts";
import type { Operation } from "../operations/operation-set.ts";
import { usesVariables } from "../operations/variable-types.ts";
import type { LeafTypes } from "./scalars.ts";
import { type Described, type SchemaDocs, servedDoc } from "./schema-docs.ts";
import {
  type Doc,
  NULL,
  type TypeMember,
  type TypeTree,
  textType,
  UNDEFINED,
  unionType,
} from "./type-tree.ts";

/** Everything that decides the types of variables. */
type VariableSource = {
  readonly docs: SchemaDocs;
  readonly leaves: LeafTypes;
  /** The docs that are written at input types instead of their variables. */
  readonly inputDocs: ReadonlyMap<string, Doc>;
};

/** Builds the type of an operation's variables. Optional ones may be undefined, too, as in a paging loop. */
export function variablesType(operation: Operation, { docs, leaves, inputDocs }: VariableSource): TypeTree {
  const { variableDefinitions = [] } = operation.node;
  const variableDocs = documentVariables(operation, docs);
  const members = variableDefinitions.map((definition): TypeMember => {
    const name = definition.variable.name.value;
    const type = typeFromAST(docs.schema, definition.type) as GraphQLInputType;
    const value = inputType(type, leaves, true);
    const doc = inputDocs.has(getNamedType(type).name) ? null : variableDocs.get(name);
    return { ...member(name, value, isLeftOut(definition)), doc: doc ?? null };
  });
  const none: TypeMember = { key: "[key: string]", type: textType("never"), doc: null };
  return { kind: "object", members: members.length === 0 ? [none] : members };
}

/**
 * Finds the docs that every variable of an input type would have, such as those of the block of a query. If the type has no
 * description, they are written once, at the type.
 */
export function findInputDocs(operations: readonly Operation[], docs: SchemaDocs): ReadonlyMap<string, Doc> {
  const docsByType = new Map<string, (Doc | null)[]>();
  for (const operation of operations) {
    const variableDocs = documentVariables(operation, docs);
    for (const { type, variable } of operation.node.variableDefinitions ?? []) {
      const input = getNamedType(typeFromAST(docs.schema, type) as GraphQLInputType);
      if (!isInputObjectType(input) || input.description) continue;
      cached(docsByType, input.name, (): (Doc | null)[] => []).push(
        variableDocs.get(variable.name.value) ?? null,
      );
    }
  }
  const shared = new Map<string, Doc>();
  for (const [name, [first, ...others]] of docsByType) {
    const isSame = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
    if (first && others.length > 0 && isSame) shared.set(name, first);
  }
  return shared;
}

function isLeftOut({ type, defaultValue }: VariableDefinitionNode): boolean {
  return type.kind !== "NonNullType" || defaultValue !== undefined;
}

/** Returns whether an operation has variables, all of them optional. */
export function allLeftOut({ node: { variableDefinitions = [] } }: Operation): boolean {
  return variableDefinitions.length > 0 && variableDefinitions.every(isLeftOut);
}

/** Builds the type of an input type. */
export function inputObjectType(type: GraphQLInputObjectType, docs: SchemaDocs, leaves: LeafTypes): TypeTree {
  const fields = Object.values(type.getFields());
  /** @param onlyField the one field that is set, of a `@oneOf` type. */
  const objectOf = (onlyField?: GraphQLInputField): TypeTree => {
    const members = fields.map((field) => {
      const doc = docs.docOf(type.name, field.name);
      if (field === onlyField) return { ...member(field.name, inputValue(field.type, leaves), false), doc };
      if (onlyField) return { ...member(field.name, textType("never"), true), doc };
      return { ...member(field.name, inputType(field.type, leaves), !isRequiredInputField(field)), doc };
    });
    return { kind: "object", members };
  };
  return type.isOneOf ? unionType(fields.map(objectOf)) : objectOf();
}

function member(name: string, value: TypeTree, isOptional: boolean): Omit<TypeMember, "doc"> {
  return isOptional ? { key: `${name}?`, type: unionType([value, UNDEFINED]) } : { key: name, type: value };
}

/** @param isVariable whether a single value is accepted for a list, as GraphQL coerces it. */
function inputType(type: GraphQLInputType, leaves: LeafTypes, isVariable = false): TypeTree {
  if (isNonNullType(type)) return inputValue(type.ofType, leaves, isVariable);
  return unionType([inputValue(type, leaves, isVariable), NULL, UNDEFINED]);
}

function inputValue(type: GraphQLInputType, leaves: LeafTypes, isVariable = false): TypeTree {
  if (!isListType(type)) return textType(leaves.inputTypeOf(getNamedType(type)));
  const item = inputType(type.ofType, leaves, isVariable);
  const list: TypeTree = { kind: "array", item };
  if (!isVariable) return list;
  // A single value is coerced to a list. Null is accepted only if the list may be null.
  return unionType([list, inputValue(getNullableType(type.ofType), leaves, isVariable)]);
}

/** Builds the type of an enum of its values. */
export function enumType(values: readonly (Described & { readonly name: string })[]): TypeTree {
  return unionType(values.map((value) => textType(JSON.stringify(value.name), servedDoc(value))));
}

/** A use of a variable: an argument, or an input field. */
type Use = { readonly name: string; readonly doc: Doc | null };

/** Documents an operation's variables by their own descriptions, else by the arguments and input fields they are for. */
export function documentVariables(operation: Operation, docs: SchemaDocs): ReadonlyMap<string, Doc> {
  return documented(docs)(operation);
}

/** Portable operations are documented in two modules. */
const documented = memoize((docs: SchemaDocs) =>
  memoize((operation: Operation) => document(operation, docs)),
);

function document({ node, fragments }: Operation, docs: SchemaDocs): ReadonlyMap<string, Doc> {
  const variables = node.variableDefinitions ?? [];
  if (variables.length === 0) return new Map();
  const uses = new Map<string, Use[]>();
  /** The argument that is visited, and the input fields in it. */
  const path: Use[] = [];
  const leave = () => void path.pop();
  const types = new TypeInfo(docs.schema);
  const visitor = visitWithTypeInfo(types, {
    VariableDefinition: () => false,
    Argument: {
      enter: ({ name }) => void path.push({ name: name.value, doc: servedDoc(types.getArgument()) }),
      leave,
    },
    ObjectField: {
      enter: ({ name: { value: name } }) => {
        const input = getNamedType(types.getParentInputType());
        if (!isInputObjectType(input)) return false;
        const doc = docs.docOf(input.name, name);
        const parent = path.length > 1 ? path.at(-1) : undefined;
        // `{ sender: { _eq: $sender } }`: an operator without a description gets that of its field.
        const isOperator = doc === null && !docs.isOfEntityField(input.name, name);
        path.push(parent && isOperator ? parent : { name, doc });
        return undefined;
      },
      leave,
    },
    Variable: ({ name }) => {
      const use = path.at(-1);
      if (use) cached(uses, name.value, (): Use[] => []).push(use);
    },
  });
  visit({ kind: Kind.DOCUMENT, definitions: [node, ...fragments.filter(usesVariables)] }, visitor);
  return new Map(
    variables.flatMap((variable): [string, Doc][] => {
      const name = variable.variable.name.value;
      const doc = ownDoc(variable) ?? mergeUses(uses.get(name) ?? []);
      return doc ? [[name, doc]] : [];
    }),
  );
}

function ownDoc(variable: VariableDefinitionNode): Doc | null {
  const { description }: { readonly description?: StringValueNode | undefined } = variable;
  return servedDoc({ description: description?.value });
}

/** Merges the docs of several uses: lists them by name, and deprecates only if all of them do. */
function mergeUses(uses: readonly Use[]): Doc | null {
  const documented = new Map<string, Use & { readonly doc: Doc }>();
  for (const { name, doc } of uses) {
    if (doc) documented.set(JSON.stringify([name, doc]), { name, doc });
  }
  const [first, ...others] = documented.values();
  if (!first) return null;
  if (others.length === 0) return first.doc;
  const lines = [first, ...others].map(
    ({ name, doc }) => `- \`${name}\`: ${doc.description ?? "deprecated"}`,
  );
  const deprecated = uses.every(({ doc }) => doc?.deprecation != null);
  return { description: lines.join("\n"), deprecation: deprecated ? first.doc.deprecation : null };
}
