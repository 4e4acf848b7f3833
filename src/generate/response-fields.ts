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
  print,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import type { OperationSet } from "./operation-set.ts";

/** Something of an operation, and what has to hold for it to be asked: all of it. */
export type Conditional<Node> = {
  readonly node: Node;
  readonly conditions: readonly string[];
};

/** The fields that objects of one type have in a response, by the keys they have there. */
export type ResponseFields = ReadonlyMap<string, readonly Conditional<FieldNode>[]>;

/** Collects what selection sets select from objects of a type: their own fields, and those of fragments that apply. */
export function collectResponseFields(
  schema: GraphQLSchema,
  fragments: OperationSet["fragments"],
  type: GraphQLObjectType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
): ResponseFields {
  const fields = new Map<string, Conditional<FieldNode>[]>();
  const collect = ({ node: { selections }, conditions: outer }: Conditional<SelectionSetNode>) => {
    for (const selection of selections) {
      const conditions = [...outer, ...conditionsOf(selection)];
      switch (selection.kind) {
        case Kind.FIELD: {
          const key = (selection.alias ?? selection.name).value;
          fields.set(key, [...(fields.get(key) ?? []), { node: selection, conditions }]);
          break;
        }
        case Kind.INLINE_FRAGMENT:
          if (applies(selection.typeCondition?.name.value))
            collect({ node: selection.selectionSet, conditions });
          break;
        case Kind.FRAGMENT_SPREAD: {
          const fragment = fragments.get(selection.name.value)?.node;
          if (fragment && applies(fragment.typeCondition.name.value)) {
            collect({ node: fragment.selectionSet, conditions });
          }
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

/** Its directives `@include` and `@skip`; one that changes nothing is none. */
function conditionsOf({ directives = [] }: SelectionNode): string[] {
  return directives.flatMap(({ name, arguments: given = [] }) => {
    const value = given.find((argument) => argument.name.value === "if")?.value;
    if (!value || !/^(include|skip)$/.test(name.value)) return [];
    if (value.kind === Kind.BOOLEAN && value.value === (name.value === "include")) return [];
    return [`${name.value} ${print(value)}`];
  });
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
