import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";
import type { LeafTypes } from "./leaf-types.ts";
import type { Operation } from "./operation-set.ts";
import { type Described, type SchemaDocs, servedDoc } from "./schema-docs.ts";
import { resultName } from "./type-names.ts";
import {
  type Doc,
  NULL,
  type TypeMember,
  type TypeTree,
  textType,
  UNDEFINED,
  unionType,
} from "./type-tree.ts";
import { documentVariables } from "./variable-docs.ts";

/** Builds the type of an operation's variables. What may be left out may be undefined, too, as in a paging loop. */
export function variablesType(
  operation: Operation,
  schema: GraphQLSchema,
  docs: SchemaDocs,
  leaves: LeafTypes,
): TypeTree {
  const { variableDefinitions = [] } = operation.node;
  const variableDocs = documentVariables(operation, schema, docs);
  const members = variableDefinitions.map((definition): TypeMember => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type) as GraphQLInputType;
    const value = inputType(type, leaves, true);
    return memberType(name, value, isLeftOut(definition), variableDocs.get(name) ?? null);
  });
  const none: TypeMember = { key: "[key: string]", type: textType("never"), doc: null };
  return { kind: "object", members: members.length === 0 ? [none] : members };
}

/** Whether a variable may be left out: it may be null, or has a default. */
function isLeftOut({ type, defaultValue }: VariableDefinitionNode): boolean {
  return type.kind !== "NonNullType" || defaultValue !== undefined;
}

/** The type of a document's variables. It tells when all may be left out: else graphql-request insists on variables. */
export function variablesOfDocument(operation: Operation): string {
  const name = `${resultName(operation)}Variables`;
  return allLeftOut(operation) ? `OptionalVariables<${name}>` : name;
}

/** Whether an operation has variables, and needs none. */
export function allLeftOut({ node: { variableDefinitions = [] } }: Operation): boolean {
  return variableDefinitions.length > 0 && variableDefinitions.every(isLeftOut);
}

/** Builds the type of an input type. */
export function inputObjectType(type: GraphQLInputObjectType, docs: SchemaDocs, leaves: LeafTypes): TypeTree {
  const fields = Object.values(type.getFields());
  /** @param given the one field that is given, of a type that takes one. */
  const objectOf = (given?: GraphQLInputField): TypeTree => {
    const members = fields.map((field) => {
      const doc = docs.docOf(type.name, field.name);
      if (field === given) return memberType(field.name, inputValue(field.type, leaves), false, doc);
      if (given) return memberType(field.name, textType("never"), true, doc);
      return memberType(field.name, inputType(field.type, leaves), !isRequiredInputField(field), doc);
    });
    return { kind: "object", members };
  };
  return type.isOneOf ? unionType(fields.map(objectOf)) : objectOf();
}

function memberType(name: string, value: TypeTree, isOptional: boolean, doc: Doc | null): TypeMember {
  return isOptional
    ? { key: `${name}?`, type: unionType([value, UNDEFINED]), doc }
    : { key: name, type: value, doc };
}

/** @param isVariable whether one value may stand for a list of it. */
function inputType(type: GraphQLInputType, leaves: LeafTypes, isVariable = false): TypeTree {
  if (isNonNullType(type)) return inputValue(type.ofType, leaves, isVariable);
  return unionType([inputValue(type, leaves, isVariable), NULL, UNDEFINED]);
}

function inputValue(type: GraphQLInputType, leaves: LeafTypes, isVariable = false): TypeTree {
  if (!isListType(type)) return textType(leaves.typeOf(getNamedType(type)));
  const item = inputType(type.ofType, leaves, isVariable);
  const list: TypeTree = { kind: "array", item };
  if (!isVariable) return list;
  // One value stands for a list; null stands for itself, and only where the list may be null.
  return unionType([list, inputValue(getNullableType(type.ofType), leaves, isVariable)]);
}

/** Builds the type of an enum of its values. */
export function enumType(values: readonly (Described & { readonly name: string })[]): TypeTree {
  return unionType(values.map((value) => textType(JSON.stringify(value.name), servedDoc(value))));
}
