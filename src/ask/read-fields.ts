import {
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { findNamed } from "../base/find-named.ts";

/** A field of an answer, by what the operation selects: it is known before anybody answers. */
export type Field = {
  /** Its key in the answer. */
  readonly name: string;
  readonly isList: boolean;
  /** What is selected of it; null for a value. */
  readonly fields: readonly Field[] | null;
};

/** Reads what an operation selects, in the order in which it is written. */
export function readFields(
  { selectionSet, operation }: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
  schema: GraphQLSchema,
): readonly Field[] {
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const root = schema.getRootType(operation);
  return root ? fieldsOf([{ set: selectionSet, type: root }]) : [];

  /** The fields of several selections of one object as one list: a key that stands twice is one field. */
  function fieldsOf(selections: readonly Selected[]): readonly Field[] {
    const found = new Map<string, { isList: boolean; isValue: boolean; sets: Selected[] }>();
    const visit = ({ set, type }: Selected): void => {
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) {
          const key = (node.alias ?? node.name).value;
          const fieldType = typeOf(node.name.value, type);
          const named = fieldType && getNamedType(fieldType);
          const field = found.get(key) ?? { isList: false, isValue: true, sets: [] };
          found.set(key, field);
          field.isList ||= isListType(isNonNullType(fieldType) ? fieldType.ofType : fieldType);
          if (node.selectionSet && named) {
            field.isValue = false;
            field.sets.push({ set: node.selectionSet, type: named });
          }
          continue;
        }
        const part = node.kind === Kind.INLINE_FRAGMENT ? node : byName.get(node.name.value);
        const condition = part?.typeCondition && schema.getType(part.typeCondition.name.value);
        if (part) visit({ set: part.selectionSet, type: condition ?? type });
      }
    };
    selections.forEach(visit);
    return [...found].map(([name, { isList, isValue, sets }]) => {
      return { name, isList, fields: isValue ? null : fieldsOf(sets) };
    });
  }

  function typeOf(field: string, type: GraphQLNamedType) {
    const known = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    return isCompositeType(type) ? findNamed(known, field)?.type : undefined;
  }
}

type Selected = { readonly set: SelectionSetNode; readonly type: GraphQLNamedType };
