import {
  type ASTNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { cached } from "../base/collections.ts";
import { fieldDefinition } from "./collect-fields.ts";
import type { OperationSet } from "./operation-set.ts";

/** The lists and inputs of an operation or a fragment, without those of its spreads. */
export type DefinitionFacts = {
  readonly lists: readonly ListField[];
  /** All values in its arguments. */
  readonly inputs: readonly Input[];
};

/** A field that returns a list of rows, limited by an argument. */
export type ListField = {
  readonly node: FieldNode;
  /** The type of its rows. */
  readonly row: string;
};

/** A value other than an object, and its place. */
export type Input = {
  readonly value: ValueNode;
  readonly type: GraphQLInputType;
  /** The innermost key of an object before it, else the name of the argument. */
  readonly key: string;
};

/** Creates a reader that reads each definition of a set once, however many operations use it. */
export function createDefinitionReader(
  schema: GraphQLSchema,
  fragments: OperationSet["fragments"],
  sizeArgument: string,
): (definition: OperationDefinitionNode | FragmentDefinitionNode) => DefinitionFacts {
  const facts = new Map<ASTNode, DefinitionFacts>();
  const rowsOfFragments = new Map<string, GraphQLNamedType | "none">();

  const read = (definition: OperationDefinitionNode | FragmentDefinitionNode): DefinitionFacts => {
    const lists: ListField[] = [];
    const inputs: Input[] = [];
    const visit = ({ selections }: SelectionSetNode, type: GraphQLNamedType | null | undefined) => {
      for (const selection of selections) {
        if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
        if (selection.kind === Kind.INLINE_FRAGMENT) {
          const condition = selection.typeCondition?.name.value;
          visit(selection.selectionSet, condition === undefined ? type : schema.getType(condition));
          continue;
        }
        // Most fields are leaves without arguments.
        if (!selection.selectionSet && !selection.arguments?.length) continue;
        const field = type && fieldDefinition(type, selection.name.value);
        if (!field) continue;
        for (const { name, value } of selection.arguments ?? []) {
          const argument = field.args.find((argument) => argument.name === name.value);
          if (argument) collectInputs({ value, type: argument.type, key: name.value }, inputs);
        }
        if (!selection.selectionSet) continue;
        const answered = getNamedType(field.type);
        if (field.args.some(({ name }) => name === sizeArgument)) {
          const isList = isListType(getNullableType(field.type));
          const row = isList ? answered : rowsBelow(selection.selectionSet, answered);
          if (row !== null) lists.push({ node: selection, row: row.name });
        }
        visit(selection.selectionSet, answered);
      }
    };
    const isFragment = definition.kind === Kind.FRAGMENT_DEFINITION;
    visit(
      definition.selectionSet,
      isFragment
        ? schema.getType(definition.typeCondition.name.value)
        : schema.getRootType(definition.operation),
    );
    return { lists, inputs };
  };

  /** The rows that an object holds for the field that answers it, as an aggregate does; null where none are selected. */
  const rowsBelow = ({ selections }: SelectionSetNode, type: GraphQLNamedType): GraphQLNamedType | null => {
    for (const selection of selections) {
      let row: GraphQLNamedType | null = null;
      if (selection.kind === Kind.FIELD) {
        const field = fieldDefinition(type, selection.name.value);
        const isOwn = field?.args.every(({ name }) => name !== sizeArgument);
        const named = field && isListType(getNullableType(field.type)) ? getNamedType(field.type) : null;
        if (isOwn && named && isCompositeType(named)) row = named;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) row = rowsBelow(selection.selectionSet, type);
      else {
        const name = selection.name.value;
        const set = fragments.get(name)?.node.selectionSet;
        const rows = cached(rowsOfFragments, name, () => (set && rowsBelow(set, type)) ?? "none");
        if (rows !== "none") row = rows;
      }
      if (row !== null) return row;
    }
    return null;
  };

  return (definition) => cached(facts, definition, () => read(definition));
}

/** Collects the values within a value that are not objects. A list is also collected as a whole. */
export function collectInputs({ value, type, key }: Input, into: Input[]): void {
  const inner = getNullableType(type);
  if (value.kind === Kind.OBJECT) {
    const object = getNamedType(inner);
    if (!isInputObjectType(object)) return;
    const members = object.getFields();
    for (const field of value.fields) {
      const key = field.name.value;
      const member = Object.hasOwn(members, key) ? members[key] : undefined;
      if (member) collectInputs({ value: field.value, type: member.type, key }, into);
    }
    return;
  }
  into.push({ value, type: inner, key });
  if (value.kind !== Kind.LIST) return;
  for (const item of value.values)
    collectInputs({ value: item, type: isListType(inner) ? inner.ofType : inner, key }, into);
}
