import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql";
import { cached, compareCodeUnits, findNamed, once } from "../base/collections.ts";
import { OperationError } from "../base/errors.ts";
import { responseKey } from "../dialects/make-node.ts";
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

/** A key of an answer, and the fields that are selected under it. */
export type CollectedField = {
  readonly key: string;
  readonly node: FieldNode;
  /** Whether it may be skipped while what it is a field of is there. */
  readonly isConditional: boolean;
  /** What is below it, over all places where it is selected. */
  readonly below: () => CollectedFields;
};

/** What a selection set gives. */
export type CollectedFields = {
  readonly fields: readonly CollectedField[];
  /** Whether all of it may be skipped while what it belongs to is there. */
  readonly mayBeEmpty: boolean;
};

type Part = {
  readonly set: SelectionSetNode;
  readonly condition: string;
  /** The fragments it stands in: one that is in itself, which no schema accepts, is not followed again. */
  readonly within: ReadonlySet<string>;
};

/** Collects what a selection set gives, with its fragments, in the order of their first places. */
export function collectFields(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): CollectedFields {
  return collectParts([{ set, condition: "", within: new Set() }]);

  function collectParts(parts: readonly Part[]): CollectedFields {
    // The conditions under which something is there for certain.
    const sure = new Set<string>();
    const places = new Map<string, (Omit<Part, "set"> & { readonly node: FieldNode })[]>();
    // A fragment gives nothing more where it is spread again under the same conditions.
    const spread = new Set<string>();
    for (const part of parts) visit(part);
    const fields = [...places].map(([key, found]): CollectedField => {
      const conditions = new Set(found.map(({ condition }) => condition));
      // Under one condition all of it is there or nothing.
      const isOne = conditions.size === 1;
      const inner = found.flatMap(({ node, condition, within }) =>
        node.selectionSet === undefined
          ? []
          : [{ set: node.selectionSet, condition: isOne ? "" : condition, within }],
      );
      return {
        key,
        node: (found[0] as (typeof found)[number]).node,
        isConditional: !conditions.has(""),
        below: once(() => collectParts(inner)),
      };
    });
    // Each part is there under its own condition, and so is what it has without another one.
    return { fields, mayBeEmpty: !sure.has("") && parts.some(({ condition }) => !sure.has(condition)) };

    function visit({ set: { selections }, condition: outer, within }: Part): void {
      for (const node of selections) {
        const own = conditionOf(node.directives ?? []);
        if (own === null) continue;
        const condition = joinConditions(outer, own);
        if (node.kind === Kind.INLINE_FRAGMENT) visit({ set: node.selectionSet, condition, within });
        else if (node.kind === Kind.FRAGMENT_SPREAD) {
          const name = node.name.value;
          const fragment = fragments.get(name);
          const key = `${name} ${condition}`;
          if (fragment === undefined || within.has(name) || spread.has(key)) continue;
          spread.add(key);
          visit({ set: fragment.selectionSet, condition, within: new Set([...within, name]) });
        } else {
          const key = responseKey(node);
          const known = places.get(key);
          const place = { node, condition, within };
          sure.add(condition);
          if (known === undefined) places.set(key, [place]);
          else known.push(place);
        }
      }
    }
  }
}

/** All conditions that hold, each once and in one order. */
function joinConditions(outer: string, own: readonly string[]): string {
  return own.length === 0
    ? outer
    : [...new Set([...outer.split(AND), ...own])].filter(Boolean).sort(compareCodeUnits).join(AND);
}

const AND = " and ";

/** What decides at run time whether a node is there; null where it never is. */
function conditionOf(directives: readonly DirectiveNode[]): string[] | null {
  const conditions: string[] = [];
  for (const { name, arguments: args = [] } of directives) {
    if (name.value !== "skip" && name.value !== "include") continue;
    const value = args.find((arg) => arg.name.value === "if")?.value;
    if (value?.kind === Kind.BOOLEAN) {
      if (value.value === (name.value === "skip")) return null;
    } else if (value !== undefined) conditions.push(`${name.value} ${print(value)}`);
  }
  return conditions;
}

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
