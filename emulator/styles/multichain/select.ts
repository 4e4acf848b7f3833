import { type DirectiveNode, type FieldNode, Kind, print, type SelectionSetNode } from "graphql";
import { type ApiField, baseTypeName, isRequired } from "../../../src/dialects/api-schema.ts";
import { messages } from "./messages.ts";
import { readLiteral } from "./query-value.ts";
import type { Scope } from "./scope.ts";
import { type Entry, resolveVariable, strictBoolean } from "./variables.ts";

/** A selected field, with all selections of its response name merged and its arguments read. */
export type SelectedField = {
  /** The response key: alias or name. */
  readonly key: string;
  readonly field: ApiField;
  /** In the order of the schema. */
  readonly args: readonly Entry[];
  readonly selection: Selection | null;
  readonly path: string;
};

/** The merged selection sets of an object. */
export type Selection = { readonly sets: readonly SelectionSetNode[]; readonly path: string };

/** Answers a field of an object from the object's source. */
export type Resolver<T> = (source: T) => unknown;

/**
 * Plans the object a selection makes: checks every field of it and asks `plan` how to answer it. Fields come
 * in the order they were selected.
 *
 * @param noteTypename is told when `__typename` is among them, which `plan` is not asked about.
 */
export function planObject<T>(
  scope: Scope,
  typeName: string,
  selection: Selection,
  plan: (selected: SelectedField) => Resolver<T>,
  noteTypename?: () => void,
): Resolver<T> {
  const fields = selectedFields(scope, typeName, selection);
  // Long names are repeated in every object.
  const cost = fields.reduce((sum, { key }) => sum + 1 + key.length / LONG_TEXT, 1);
  scope.budget.spend(cost * PLANNING);
  const resolvers = fields.map((selected) => {
    if (selected.field !== TYPENAME) return [selected.key, plan(selected)] as const;
    noteTypename?.();
    return [selected.key, () => typeName] as const;
  });
  return (source) => {
    scope.budget.spend(cost);
    // Without a prototype: `__proto__` is a valid alias.
    const answer: Record<string, unknown> = Object.create(null);
    for (const [key, resolve] of resolvers) answer[key] = resolve(source);
    return answer;
  };
}

/** This many characters cost as much as a value. */
export const LONG_TEXT = 64;

/** Planning a field costs as much as this many values. */
const PLANNING = 20;

/** The selection of an object field; the type check guarantees one. */
export function selectionOf({ selection, field, path }: SelectedField): Selection {
  if (!selection) throw messages.selectionMissing(`${path}.selectionSet`, baseTypeName(field.type));
  return selection;
}

/** An argument that is given and not null, where null counts as absent. */
export function argument({ args }: SelectedField, name: string): Entry | undefined {
  return args.find((arg) => arg.name === name && (arg.value.kind !== "null" || isRequired(arg.type)));
}

/** The response keys of a selection, without checking its fields. */
export function responseNames(scope: Scope, typeName: string, { sets, path }: Selection): string[] {
  const merged = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const set of sets) collectFields(scope, typeName, set, path, merged, spread);
  return [...merged.keys()];
}

const TYPENAME: ApiField = {
  name: "__typename",
  description: null,
  args: [],
  type: "String!",
  deprecationReason: null,
};

function selectedFields(scope: Scope, typeName: string, { sets, path }: Selection): SelectedField[] {
  const merged = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const set of sets) collectFields(scope, typeName, set, path, merged, spread);
  return [...merged].map(([key, nodes]) => selectedField(scope, typeName, key, nodes, path));
}

/** Inlines fragments. One on another type, known or not, selects nothing (C.5). */
function collectFields(
  scope: Scope,
  typeName: string,
  set: SelectionSetNode,
  path: string,
  merged: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const node of set.selections) {
    switch (node.kind) {
      case Kind.FIELD: {
        if (!isIncluded(scope, node.directives, "FIELD", path)) break;
        const key = (node.alias ?? node.name).value;
        const same = merged.get(key);
        if (same) same.push(node);
        else merged.set(key, [node]);
        break;
      }
      case Kind.INLINE_FRAGMENT: {
        if (!isIncluded(scope, node.directives, "INLINE_FRAGMENT", path)) break;
        const condition = node.typeCondition?.name.value ?? typeName;
        if (condition === typeName) collectFields(scope, typeName, node.selectionSet, path, merged, spread);
        break;
      }
      case Kind.FRAGMENT_SPREAD: {
        if (!isIncluded(scope, node.directives, "FRAGMENT_SPREAD", path)) break;
        const fragment = scope.fragments.get(node.name.value);
        // Once is enough: equal fields merge, and repeated fragments stay cheap.
        if (!fragment || spread.has(node.name.value)) break;
        spread.add(node.name.value);
        if (fragment.typeCondition.name.value === typeName) {
          collectFields(scope, typeName, fragment.selectionSet, path, merged, spread);
        }
        break;
      }
    }
  }
}

function selectedField(
  scope: Scope,
  typeName: string,
  key: string,
  nodes: readonly FieldNode[],
  parent: string,
): SelectedField {
  const first = nodes[0] as FieldNode;
  const name = first.name.value;
  for (const node of nodes) {
    if (node.name.value !== name) throw messages.responseNameConflict(parent, name, node.name.value, key);
    if (printArguments(node) !== printArguments(first)) throw messages.argumentsConflict(parent, name);
  }
  const path = `${parent}.${name}`;
  const field = name === "__typename" ? TYPENAME : scope.index.fields(typeName).get(name);
  if (!field) throw messages.fieldNotFound(path, name, typeName);
  const args = readArguments(scope, field, first, path);
  const sets = nodes.flatMap((node) => (node.selectionSet ? [node.selectionSet] : []));
  const type = baseTypeName(field.type);
  const composite = scope.index.isObject(type);
  if (composite && sets.length === 0) throw messages.selectionMissing(`${path}.selectionSet`, type);
  if (!composite && sets.length > 0) throw messages.selectionOnLeaf(path);
  return {
    key,
    field,
    args,
    selection: composite ? { sets, path: `${path}.selectionSet` } : null,
    path,
  };
}

function readArguments(scope: Scope, field: ApiField, node: FieldNode, path: string): Entry[] {
  const given = node.arguments ?? [];
  for (const { name } of given) {
    if (!field.args.some((arg) => arg.name === name.value)) {
      throw messages.argumentUnknown(path, field.name, name.value);
    }
  }
  return field.args.flatMap(({ name, type, defaultValue }) => {
    const place = `${path}.args.${name}`;
    const written = given.find((arg) => arg.name.value === name);
    if (written) {
      const value = resolveVariable(scope, readLiteral(written.value), type, place);
      return [{ name, type, value, path: place }];
    }
    if (isRequired(type) && defaultValue === null) throw messages.requiredMissing(place, name);
    return [];
  });
}

function printArguments(node: FieldNode): string {
  return (node.arguments ?? [])
    .map((arg) => `${arg.name.value}:${print(arg.value)}`)
    .sort()
    .join(",");
}

/** Checks the directives of the operation: only `@cached` is allowed, and does nothing here. */
export function checkOperationDirectives(scope: Scope, nodes: readonly DirectiveNode[] | undefined): void {
  checkDirectives(scope, nodes, "QUERY", "a query", "$");
}

/** Whether `@skip` and `@include` keep a selection. Dropped ones are not validated. */
export function isIncluded(
  scope: Scope,
  nodes: readonly DirectiveNode[] | undefined,
  location: "FIELD" | "FRAGMENT_SPREAD" | "INLINE_FRAGMENT",
  path: string,
): boolean {
  if (nodes === undefined || nodes.length === 0) return true;
  const conditions = checkDirectives(scope, nodes, location, PLACES[location], path);
  return conditions.every(([name, condition]) => condition === (name === "include"));
}

const PLACES = {
  FIELD: "a field",
  FRAGMENT_SPREAD: "a fragment spread",
  INLINE_FRAGMENT: "an inline fragment",
} as const;

/** @returns the value of `if` for every directive that has one. */
function checkDirectives(
  scope: Scope,
  nodes: readonly DirectiveNode[] | undefined,
  location: string,
  place: string,
  path: string,
): (readonly [string, boolean])[] {
  const names = (nodes ?? []).map((node) => node.name.value);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length > 0) throw messages.directiveRepeated(path, [...new Set(repeated)]);
  return (nodes ?? []).flatMap((node) => {
    const name = node.name.value;
    const directive = scope.index.directives.get(name);
    if (!directive) throw messages.directiveUndefined(path, name);
    if (!directive.locations.includes(location)) throw messages.directiveMisplaced(path, name, place);
    for (const argument of node.arguments ?? []) {
      if (!directive.args.some((arg) => arg.name === argument.name.value)) {
        throw messages.argumentUnknown(path, name, argument.name.value);
      }
    }
    return directive.args.flatMap((arg) => {
      const place = `${path}.${name}.args.${arg.name}`;
      const written = node.arguments?.find((argument) => argument.name.value === arg.name);
      const given = written && resolveVariable(scope, readLiteral(written.value), arg.type, place);
      if (given === undefined) {
        if (isRequired(arg.type) && arg.defaultValue === null)
          throw messages.requiredMissing(place, arg.name);
        return [];
      }
      return arg.name === "if" ? [[name, strictBoolean(given, place)] as const] : [];
    });
  });
}
