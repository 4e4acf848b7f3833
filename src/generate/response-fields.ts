import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import type { OperationSet } from "./operation-set.ts";

/** The fields that objects of one type have in a response, by the keys they have there. */
export type ResponseFields = ReadonlyMap<string, readonly FieldNode[]>;

/** Collects what selection sets select from objects of a type: their own fields, and those of fragments that apply. */
export function collectResponseFields(
  schema: GraphQLSchema,
  fragments: OperationSet["fragments"],
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): ResponseFields {
  const fields = new Map<string, FieldNode[]>();
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      switch (selection.kind) {
        case Kind.FIELD: {
          const key = (selection.alias ?? selection.name).value;
          const others = fields.get(key);
          if (others) others.push(selection);
          else fields.set(key, [selection]);
          break;
        }
        case Kind.INLINE_FRAGMENT:
          if (applies(selection.typeCondition?.name.value)) collect(selection.selectionSet);
          break;
        case Kind.FRAGMENT_SPREAD: {
          const fragment = fragments.get(selection.name.value)?.node;
          if (fragment && applies(fragment.typeCondition.name.value)) collect(fragment.selectionSet);
        }
      }
    }
  };
  const applies = (condition: string | undefined): boolean => {
    const target = condition === undefined ? type : schema.getType(condition);
    return target === type || (isAbstractType(target) && schema.isSubType(target, type));
  };
  for (const set of selectionSets) collect(set);
  return fields;
}

/** The object types that a value of a type may have. */
export function possibleObjects(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

/** A field of a type, those included that every schema has; null for one that has no place there. */
export function fieldDefinition(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | null {
  const own = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return own ?? [SchemaMetaFieldDef, TypeMetaFieldDef].find((meta) => meta.name === name) ?? null;
}
