import {
  type FieldNode,
  type FragmentDefinitionNode,
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
import { cached } from "../base/collections.ts";
import { OperationError } from "../base/errors.ts";
import { responseKey } from "../dialects/make-node.ts";

/** A part of an operation, with the conditions that must all hold for it to be requested. */
export type Conditional<Node> = {
  readonly node: Node;
  readonly conditions: readonly Condition[];
  /** The name of the type that its fields are of; left out where the caller does not need it. */
  readonly parent?: string | undefined;
  /** The fragments that it is in: a fragment inside of itself, which is not valid, is not followed again. */
  readonly within?: readonly string[] | undefined;
};

/** The value that a variable must have. */
export type Condition = { readonly variable: string; readonly is: boolean };

/** Where fragments are found, and which of them apply. */
export type CollectOptions = {
  readonly findFragment: (name: string) => FragmentDefinitionNode | undefined;
  /** Collects the fields of objects of one type. @default fragments on every type apply */
  readonly object?: { readonly schema: GraphQLSchema; readonly type: GraphQLObjectType } | undefined;
};

/**
 * Collects the fields of selection sets, with those of their fragments, by response key in the order of their first
 * places. Parts that `@include` and `@skip` never request are left out.
 *
 * @throws OperationError for fragments that are spread under too many combinations of conditions.
 */
export function collectFields(
  selectionSets: readonly Conditional<SelectionSetNode>[],
  { findFragment, object }: CollectOptions,
): ReadonlyMap<string, readonly Conditional<FieldNode>[]> {
  const fields = new Map<string, Conditional<FieldNode>[]>();
  const spread = new Map<string, (readonly Condition[])[]>();
  for (const set of selectionSets) collect(set);
  return fields;

  function collect({
    node: set,
    conditions: outer,
    parent,
    within = [],
  }: Conditional<SelectionSetNode>): void {
    for (const node of set.selections) {
      const conditions = conditionsOf(node, outer);
      if (conditions === null) continue;
      if (node.kind === Kind.FIELD) {
        const places = cached(fields, responseKey(node), (): Conditional<FieldNode>[] => []);
        places.push({ node, conditions, parent, within });
        continue;
      }
      const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : null;
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? findFragment(node.name.value) : node;
      const type = fragment?.typeCondition?.name.value;
      if (!fragment || !applies(type, object)) continue;
      if (name !== null && (within.includes(name) || !isNew(name, conditions))) continue;
      collect({
        node: fragment.selectionSet,
        conditions,
        parent: type ?? parent,
        within: name === null ? within : [...within, name],
      });
    }
  }

  /** Returns whether a fragment adds anything: not if it was spread before under some of the conditions. */
  function isNew(name: string, conditions: readonly Condition[]): boolean {
    const before = cached(spread, name, (): (readonly Condition[])[] => []);
    if (before.some((some) => implies(conditions, some))) return false;
    if (before.push(conditions) <= MOST_CONDITIONS) return true;
    throw new OperationError({
      code: "OPERATIONS_NOT_GENERATED",
      sentence: `The fragment "${name}" is spread under more than ${MOST_CONDITIONS} combinations of conditions in one place.`,
      hint: "write fewer `@include` and `@skip` around one another.",
    });
  }
}

function applies(condition: string | undefined, object: CollectOptions["object"]): boolean {
  if (condition === undefined || object === undefined) return true;
  const { schema, type } = object;
  const target = schema.getType(condition);
  return target === type || (isAbstractType(target) && schema.isSubType(target, type));
}

/** No operation needs more combinations, and nested conditions have more than can be tried. */
const MOST_CONDITIONS = 100;

/** Adds the conditions of `@include` and `@skip` to the outer ones; null for a part that is never requested. */
function conditionsOf(
  { directives = [] }: SelectionNode,
  outer: readonly Condition[],
): readonly Condition[] | null {
  const conditions = [...outer];
  for (const { name, arguments: args = [] } of directives) {
    const value = args.find((argument) => argument.name.value === "if")?.value;
    if (!value || !/^(include|skip)$/.test(name.value)) continue;
    const is = name.value === "include";
    if (value.kind === Kind.BOOLEAN && value.value !== is) return null;
    if (value.kind !== Kind.VARIABLE) continue;
    const variable = value.name.value;
    const outerCondition = conditions.find((condition) => condition.variable === variable);
    if (outerCondition && outerCondition.is !== is) return null;
    if (!outerCondition) conditions.push({ variable, is });
  }
  return conditions;
}

/** Returns whether one of several nodes is requested whenever one of the others is, for any variables. */
export function isAlwaysAsked(
  nodes: readonly Conditional<unknown>[],
  whenever: readonly Conditional<unknown>[],
): boolean {
  // Nearly every node is without conditions.
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

/** Returns whether some conditions hold whenever others do, because they are among them. */
export function implies(others: readonly Condition[], some: readonly Condition[]): boolean {
  return some.every(({ variable, is }) =>
    others.some((condition) => condition.variable === variable && condition.is === is),
  );
}

/** Up to this many variables, all combinations of values are tried. */
const MOST_TRIED = 6;

/** Returns the object types that a value of a type can have. */
export function possibleObjects(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

/** Returns a field of a type, meta fields included; null for a field that the type does not have. */
export function fieldDefinition(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | null {
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  return (
    field ??
    [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].find((meta) => meta.name === name) ??
    null
  );
}
