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
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql";
import { cached } from "../base/cached.ts";
import { OperationError } from "../base/errors/operation-error.ts";
import type { OperationSet } from "./operation-set.ts";

/** Something of an operation, and what has to hold, all of it, for it to be asked. */
export type Conditional<Node> = {
  readonly node: Node;
  readonly conditions: readonly Condition[];
};

/** What a variable has to be. */
export type Condition = { readonly variable: string; readonly is: boolean };

/** Collects the fields of objects of a type in a response, by their keys there, with those of fragments that apply. */
export function collectResponseFields(
  schema: GraphQLSchema,
  fragments: OperationSet["fragments"],
  type: GraphQLObjectType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
): ReadonlyMap<string, readonly Conditional<FieldNode>[]> {
  const fields = new Map<string, Conditional<FieldNode>[]>();
  const spread = new Map<string, (readonly Condition[])[]>();
  const collect = ({ node: { selections }, conditions: outer }: Conditional<SelectionSetNode>) => {
    for (const selection of selections) {
      const conditions = conditionsOf(selection, outer);
      if (conditions === null) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        cached(fields, key, (): Conditional<FieldNode>[] => []).push({ node: selection, conditions });
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const fragment = isSpread ? fragments.get(selection.name.value)?.node : selection;
      if (!fragment || !applies(fragment.typeCondition?.name.value)) continue;
      if (isSpread && !isNew(selection.name.value, conditions)) continue;
      collect({ node: fragment.selectionSet, conditions });
    }
  };
  /** Whether a fragment was not spread yet wherever it is under some conditions: else it gives nothing more. */
  const isNew = (name: string, conditions: readonly Condition[]): boolean => {
    const before = cached(spread, name, (): (readonly Condition[])[] => []);
    if (before.some((some) => implies(conditions, some))) return false;
    if (before.push(conditions) <= MOST_CONDITIONS) return true;
    throw new OperationError({
      code: "OPERATIONS_NOT_GENERATED",
      sentence: `The fragment "${name}" is spread under more than ${MOST_CONDITIONS} combinations of conditions in one place.`,
      hint: "write fewer `@include` and `@skip` around one another.",
    });
  };
  const applies = (condition: string | undefined): boolean => {
    const target = condition === undefined ? type : schema.getType(condition);
    return target === type || (isAbstractType(target) && schema.isSubType(target, type));
  };
  for (const set of selectionSets) collect(set);
  return fields;
}

/** So many combinations nobody writes, and of conditions in conditions there are more than can be tried. */
const MOST_CONDITIONS = 100;

/** The outer conditions with those of `@include` and `@skip`; null for what is never asked. */
function conditionsOf(
  { directives = [] }: SelectionNode,
  outer: readonly Condition[],
): readonly Condition[] | null {
  const conditions = [...outer];
  for (const { name, arguments: given = [] } of directives) {
    const value = given.find((argument) => argument.name.value === "if")?.value;
    if (!value || !/^(include|skip)$/.test(name.value)) continue;
    const is = name.value === "include";
    if (value.kind === Kind.BOOLEAN && value.value !== is) return null;
    if (value.kind !== Kind.VARIABLE) continue;
    const variable = value.name.value;
    const known = conditions.find((condition) => condition.variable === variable);
    if (known && known.is !== is) return null;
    if (!known) conditions.push({ variable, is });
  }
  return conditions;
}

/** Whether one of several nodes is asked whenever one of others is, whatever the variables are. */
export function isAlwaysAsked(
  nodes: readonly Conditional<unknown>[],
  whenever: readonly Conditional<unknown>[],
): boolean {
  // Without conditions, as nearly everything is, there is nothing to try.
  if (nodes.some(({ conditions }) => conditions.length === 0)) return true;
  const all = [...nodes, ...whenever].flatMap(({ conditions }) => conditions.map(({ variable }) => variable));
  const variables = [...new Set(all)];
  if (variables.length > MOST_TRIED) {
    return whenever.every((other) => nodes.some((node) => implies(other.conditions, node.conditions)));
  }
  return Array.from({ length: 2 ** variables.length }).every((_, choice) => {
    const isAsked = ({ conditions }: Conditional<unknown>) =>
      conditions.every(({ variable, is }) => ((choice >> variables.indexOf(variable)) % 2 === 1) === is);
    return !whenever.some(isAsked) || nodes.some(isAsked);
  });
}

/** Whether some conditions hold wherever others do, because they are among them. */
function implies(others: readonly Condition[], some: readonly Condition[]): boolean {
  return some.every(({ variable, is }) =>
    others.some((condition) => condition.variable === variable && condition.is === is),
  );
}

/** How many variables are tried in all their combinations. */
const MOST_TRIED = 6;

/** The object types that a value of a type may have. */
export function possibleObjects(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

/** A field of a type, those included that every type has; null for one that has no place there. */
export function fieldDefinition(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | null {
  const own = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return (
    own ??
    [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].find((meta) => meta.name === name) ??
    null
  );
}
