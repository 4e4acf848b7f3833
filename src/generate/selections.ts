import type { FieldNode, GraphQLObjectType, GraphQLSchema, SelectionSetNode } from "graphql";
import { type Conditional, collectFields } from "../operations/collect-fields.ts";
import type { OperationSet } from "../operations/operation-set.ts";

/** Selection sets on the objects in one place of a response. */
export type Selections = readonly Conditional<SelectionSetNode>[];

/** The fields of an object by response key, each with its uses. */
export type Fields = ReturnType<typeof collectFields>;

/** Where selections are valid: a schema, and the fragments that they spread. */
export type SelectionScope = Pick<OperationSet, "fragments"> & { readonly schema: GraphQLSchema };

/** Returns a selection set that is requested without a condition. */
export function always(node: SelectionSetNode): Selections {
  return [{ node, conditions: [] }];
}

/** Collects the fields that are selected of objects of one type, as a server executes it. */
export function collectObject(
  type: GraphQLObjectType,
  selections: Selections,
  { schema, fragments }: SelectionScope,
): Fields {
  const findFragment = (name: string) => fragments.get(name)?.node;
  return collectFields(selections, { findFragment, object: { schema, type } });
}

/** Returns what the uses of a field select of its objects. */
export function innerSelections(uses: readonly Conditional<FieldNode>[]): Selections {
  return uses.flatMap(({ node: { selectionSet: node }, conditions }) => (node ? [{ node, conditions }] : []));
}
