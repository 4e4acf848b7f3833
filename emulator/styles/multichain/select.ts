import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  Kind,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
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

/** The merged selection sets of an object of a type. */
export type Selection = {
  readonly type: string;
  readonly sets: readonly SelectionSetNode[];
  readonly path: string;
};

/** Answers a field of an object from the object's source. */
export type Resolver<T> = (source: T) => unknown;

/**
 * Plans the object a selection makes: checks every field and calls `plan` for all but `__typename`. Fields keep the
 * order of the selection.
 */
export function planObject<T>(
  scope: Scope,
  selection: Selection,
  plan: (selected: SelectedField) => Resolver<T>,
): Resolver<T> {
  const fields = [...mergedFields(scope, selection).values()].map((nodes) =>
    selectedField(scope, selection, nodes),
  );
  // Long names are repeated in every object.
  const cost = fields.reduce((sum, { key }) => sum + 1 + key.length / LONG_TEXT, 1);
  scope.budget.spend(cost * PLANNING);
  const resolvers = fields.map((selected) => ({
    key: selected.key,
    resolve: selected.field === TYPENAME ? () => selection.type : plan(selected),
  }));
  return (source) => {
    scope.budget.spend(cost);
    // Without a prototype: `__proto__` is a valid alias.
    const answer: Record<string, unknown> = Object.create(null);
    for (const { key, resolve } of resolvers) answer[key] = resolve(source);
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

const TYPENAME: ApiField = {
  name: "__typename",
  description: null,
  args: [],
  type: "String!",
  deprecationReason: null,
};

/** Whether a validated selection includes `__typename`. */
export function selectsTypename(scope: Scope, selection: Selection): boolean {
  return [...mergedFields(scope, selection).values()].some(([node]) => node?.name.value === TYPENAME.name);
}

/** The fields of a selection by response key. Fragments on another type, known or not, select nothing. */
function mergedFields(
  scope: Scope,
  { type, sets, path }: Selection,
): ReadonlyMap<string, readonly FieldNode[]> {
  const merged = new Map<string, FieldNode[]>();
  const spread = new Set<string>();

  function collect(set: SelectionSetNode): void {
    for (const node of set.selections) {
      if (!isIncluded(scope, node, path)) continue;
      switch (node.kind) {
        case Kind.FIELD: {
          const key = (node.alias ?? node.name).value;
          const same = merged.get(key);
          if (same) same.push(node);
          else merged.set(key, [node]);
          break;
        }
        case Kind.INLINE_FRAGMENT:
          if ((node.typeCondition?.name.value ?? type) === type) collect(node.selectionSet);
          break;
        case Kind.FRAGMENT_SPREAD: {
          const fragment = scope.fragments.get(node.name.value);
          // Once is enough: equal fields merge, and repeated fragments stay cheap.
          if (!fragment || spread.has(node.name.value)) break;
          spread.add(node.name.value);
          if (fragment.typeCondition.name.value === type) collect(fragment.selectionSet);
          break;
        }
      }
    }
  }

  for (const set of sets) collect(set);
  return merged;
}

function selectedField(scope: Scope, parent: Selection, nodes: readonly FieldNode[]): SelectedField {
  const first = nodes[0] as FieldNode;
  const name = first.name.value;
  const key = (first.alias ?? first.name).value;
  for (const node of nodes) {
    if (node.name.value !== name) {
      throw messages.responseNameConflict(parent.path, key, [name, node.name.value]);
    }
    if (printArguments(node) !== printArguments(first)) throw messages.argumentsConflict(parent.path, name);
  }
  const path = `${parent.path}.${name}`;
  const field = name === TYPENAME.name ? TYPENAME : scope.index.fields(parent.type).get(name);
  if (!field) throw messages.fieldNotFound(path, name, parent.type);
  const args = readArguments(scope, field, { nodes: first.arguments, path, errorPath: path });
  const sets = nodes.flatMap((node) => (node.selectionSet ? [node.selectionSet] : []));
  const type = baseTypeName(field.type);
  const composite = scope.index.isObject(type);
  if (composite && sets.length === 0) throw messages.selectionMissing(`${path}.selectionSet`, type);
  if (!composite && sets.length > 0) throw messages.selectionOnLeaf(path);
  return {
    key,
    field,
    args,
    selection: composite ? { type, sets, path: `${path}.selectionSet` } : null,
    path,
  };
}

type GivenArguments = {
  readonly nodes: readonly ArgumentNode[] | undefined;
  readonly path: string;
  /** Where an unknown argument is reported. */
  readonly errorPath: string;
};

/** The given arguments of a field or directive, in the order of its declaration. */
function readArguments(
  scope: Scope,
  { name: owner, args }: Pick<ApiField, "name" | "args">,
  { nodes = [], path, errorPath }: GivenArguments,
): Entry[] {
  for (const { name } of nodes) {
    if (!args.some((arg) => arg.name === name.value)) {
      throw messages.argumentUnknown(errorPath, owner, name.value);
    }
  }
  return args.flatMap(({ name, type, defaultValue }) => {
    const place = `${path}.args.${name}`;
    const node = nodes.find((arg) => arg.name.value === name);
    if (node) {
      const input = { value: readLiteral(node.value), type, path: place };
      return [{ ...input, name, value: resolveVariable(scope, input) }];
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
  checkDirectives(scope, nodes ?? [], { location: "QUERY", place: "a query", path: "$" });
}

/** Whether `@skip` and `@include` keep a selection. Dropped ones are not validated. */
function isIncluded(scope: Scope, { kind, directives = [] }: SelectionNode, path: string): boolean {
  if (directives.length === 0) return true;
  const conditions = checkDirectives(scope, directives, { ...LOCATIONS[kind], path });
  return conditions.every(({ name, holds }) => holds === (name === "include"));
}

const LOCATIONS: Readonly<Record<SelectionNode["kind"], Pick<DirectiveSite, "location" | "place">>> = {
  [Kind.FIELD]: { location: "FIELD", place: "a field" },
  [Kind.FRAGMENT_SPREAD]: { location: "FRAGMENT_SPREAD", place: "a fragment spread" },
  [Kind.INLINE_FRAGMENT]: { location: "INLINE_FRAGMENT", place: "an inline fragment" },
};

type DirectiveSite = { readonly location: string; readonly place: string; readonly path: string };

/** Returns the value of `if` for every directive that has one. */
function checkDirectives(
  scope: Scope,
  nodes: readonly DirectiveNode[],
  { location, place, path }: DirectiveSite,
): { readonly name: string; readonly holds: boolean }[] {
  const names = nodes.map((node) => node.name.value);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length > 0) throw messages.directiveRepeated(path, [...new Set(repeated)]);
  return nodes.flatMap(({ name: { value: name }, arguments: argumentNodes }) => {
    const directive = scope.index.directives.get(name);
    if (!directive) throw messages.directiveUndefined(path, name);
    if (!directive.locations.includes(location)) throw messages.directiveMisplaced(path, name, place);
    return readArguments(scope, directive, { nodes: argumentNodes, path: `${path}.${name}`, errorPath: path })
      .filter((arg) => arg.name === "if")
      .map((arg) => ({ name, holds: strictBoolean(arg) }));
  });
}
