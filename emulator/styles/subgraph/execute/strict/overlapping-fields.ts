import { type ArgumentNode, type FieldNode, Kind, type SelectionSetNode, type ValueNode } from "graphql";
import {
  baseTypeName,
  isList,
  isRequired,
  itemType,
  nullableType,
} from "../../../../../src/base/type-expression.ts";
import type { ApiType } from "../../../../../src/schema/api-schema.ts";
import type { StrictRule } from "./rule.ts";
import { isLeaf } from "./type-relations.ts";
import { fieldOf, type StrictContext, sortedFields } from "./visit-document.ts";

/** Fields that land under one key of the answer have to be the same field, asked for in the same way. */
export const overlappingFieldsCanBeMerged: StrictRule = (context, report) => {
  const finder = createConflictFinder(context);
  return {
    selectionSet: (node, { parent }) => {
      for (const { key, reason } of finder(node, parent)) {
        report(
          `Fields "${key}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`,
        );
      }
    },
  };
};

/** How many fragments are looked into from one another, for our stack's sake; no valid query comes near. */
const MAX_OPEN = 255;

type Conflict = { readonly key: string; readonly reason: string };

type Occurrence = {
  readonly parent: ApiType | undefined;
  readonly node: FieldNode;
  readonly type: string | undefined;
};

/** What a selection set asks for without looking into the fragments it spreads. */
type Selected = {
  readonly fields: ReadonlyMap<string, readonly Occurrence[]>;
  readonly spreads: ReadonlySet<string>;
};

/** Finds the conflicts within a selection set, and between it and what is spread into it. */
function createConflictFinder({ index, fragments }: StrictContext) {
  const collected = new Map<SelectionSetNode, Map<ApiType | undefined, Selected>>();
  /** Pairs of fragments that were compared, and whether as parts of objects that exclude each other. */
  const compared = new Map<string, boolean>();
  let open = 0;

  function within(set: SelectionSetNode, parent: ApiType | undefined): readonly Conflict[] {
    const conflicts: Conflict[] = [];
    const visited = new Set<string>();
    const selected = collect(set, parent);
    for (const [key, occurrences] of selected.fields) {
      for (const [position, first] of occurrences.entries()) {
        for (const second of occurrences.slice(position + 1)) {
          conflicts.push(...compareFields(key, first, second, false, visited));
        }
      }
    }
    const spreads = [...selected.spreads];
    for (const [position, spread] of spreads.entries()) {
      conflicts.push(...compareWithFragment(selected, spread, false, visited));
      for (const other of spreads.slice(position + 1)) {
        conflicts.push(...compareFragments(spread, other, false, visited));
      }
    }
    return conflicts;
  }

  function compareFields(
    key: string,
    first: Occurrence,
    second: Occurrence,
    apart: boolean,
    visited: Set<string>,
  ): readonly Conflict[] {
    const exclusive = apart || excludeEachOther(first.parent, second.parent);
    if (!exclusive) {
      const [one, other] = [first.node.name.value, second.node.name.value];
      if (one !== other) return [{ key, reason: `"${one}" and "${other}" are different fields` }];
      if (!sameArguments(first.node.arguments ?? [], second.node.arguments ?? [])) {
        return [{ key, reason: "they have differing arguments" }];
      }
    }
    if (first.type !== undefined && second.type !== undefined && typesConflict(first.type, second.type)) {
      return [{ key, reason: `they return conflicting types "${first.type}" and "${second.type}"` }];
    }
    if (first.node.selectionSet === undefined || second.node.selectionSet === undefined) return [];
    const nested = compareSets(
      collect(first.node.selectionSet, typeOf(first.type)),
      collect(second.node.selectionSet, typeOf(second.type)),
      exclusive,
      visited,
    );
    if (nested.length === 0) return [];
    const reasons = nested.map((each) => `subfields "${each.key}" conflict because ${each.reason}`);
    return [{ key, reason: reasons.join(" and ") }];
  }

  function compareSets(
    first: Selected,
    second: Selected,
    exclusive: boolean,
    visited: Set<string>,
  ): readonly Conflict[] {
    const conflicts = [...compareAll(first, second, exclusive, visited)];
    for (const spread of second.spreads)
      conflicts.push(...compareWithFragment(first, spread, exclusive, visited));
    for (const spread of first.spreads)
      conflicts.push(...compareWithFragment(second, spread, exclusive, visited));
    for (const one of first.spreads) {
      for (const other of second.spreads) conflicts.push(...compareFragments(one, other, exclusive, visited));
    }
    return conflicts;
  }

  function compareAll(
    first: Selected,
    second: Selected,
    exclusive: boolean,
    visited: Set<string>,
  ): readonly Conflict[] {
    const conflicts: Conflict[] = [];
    for (const [key, occurrences] of first.fields) {
      for (const one of occurrences) {
        for (const other of second.fields.get(key) ?? []) {
          conflicts.push(...compareFields(key, one, other, exclusive, visited));
        }
      }
    }
    return conflicts;
  }

  function compareWithFragment(
    selected: Selected,
    name: string,
    exclusive: boolean,
    visited: Set<string>,
  ): readonly Conflict[] {
    const fragment = collectFragment(name);
    if (fragment === undefined || fragment.spreads.has(name) || open > MAX_OPEN) return [];
    open++;
    const conflicts = [...compareAll(selected, fragment, exclusive, visited)];
    for (const spread of fragment.spreads) {
      // The server stops here altogether, instead of going on with the next.
      if (visited.has(spread)) break;
      visited.add(spread);
      conflicts.push(...compareWithFragment(selected, spread, exclusive, visited));
    }
    open--;
    return conflicts;
  }

  function compareFragments(
    one: string,
    other: string,
    exclusive: boolean,
    visited: Set<string>,
  ): readonly Conflict[] {
    const pair = one < other ? `${one} ${other}` : `${other} ${one}`;
    const known = compared.get(pair);
    if (one === other || known === false || (known === true && exclusive)) return [];
    compared.set(pair, exclusive);
    const [first, second] = [collectFragment(one), collectFragment(other)];
    if (first === undefined || second === undefined || open > MAX_OPEN) return [];
    open++;
    const conflicts = [...compareAll(first, second, exclusive, visited)];
    for (const spread of second.spreads) conflicts.push(...compareFragments(one, spread, exclusive, visited));
    for (const spread of first.spreads)
      conflicts.push(...compareFragments(spread, other, exclusive, visited));
    open--;
    return conflicts;
  }

  function collectFragment(name: string): Selected | undefined {
    const fragment = fragments.get(name);
    return fragment && collect(fragment.selectionSet, index.type(fragment.typeCondition.name.value));
  }

  function collect(set: SelectionSetNode, parent: ApiType | undefined): Selected {
    const ofSet = collected.get(set) ?? new Map<ApiType | undefined, Selected>();
    collected.set(set, ofSet);
    const known = ofSet.get(parent);
    if (known) return known;
    const fields = new Map<string, Occurrence[]>();
    const spreads = new Set<string>();
    gather(set, parent, fields, spreads);
    const selected = { fields, spreads };
    ofSet.set(parent, selected);
    return selected;
  }

  function gather(
    set: SelectionSetNode,
    parent: ApiType | undefined,
    fields: Map<string, Occurrence[]>,
    spreads: Set<string>,
  ): void {
    for (const node of set.selections) {
      switch (node.kind) {
        case Kind.FIELD: {
          const key = node.alias?.value ?? node.name.value;
          const type = fieldOf(index, parent, node.name.value)?.type;
          const occurrences = fields.get(key);
          if (occurrences) occurrences.push({ parent, node, type });
          else fields.set(key, [{ parent, node, type }]);
          break;
        }
        case Kind.FRAGMENT_SPREAD:
          spreads.add(node.name.value);
          break;
        case Kind.INLINE_FRAGMENT:
          gather(
            node.selectionSet,
            (node.typeCondition && index.type(node.typeCondition.name.value)) ?? parent,
            fields,
            spreads,
          );
          break;
      }
    }
  }

  function typeOf(expression: string | undefined): ApiType | undefined {
    return expression === undefined ? undefined : index.type(baseTypeName(expression));
  }

  function typesConflict(one: string, other: string): boolean {
    if (isList(one) && isList(other) && isRequired(one) === isRequired(other)) {
      return typesConflict(itemType(one), itemType(other));
    }
    if (isRequired(one) !== isRequired(other) || isList(one) !== isList(other)) return true;
    const leaf = isLeaf(typeOf(one)) || isLeaf(typeOf(other));
    return leaf && nullableType(one) !== nullableType(other);
  }

  return within;
}

/** An object is of one object type only. */
function excludeEachOther(one: ApiType | undefined, other: ApiType | undefined): boolean {
  return one?.name !== other?.name && one?.kind === "OBJECT" && other?.kind === "OBJECT";
}

function sameArguments(first: readonly ArgumentNode[], second: readonly ArgumentNode[]): boolean {
  if (first.length !== second.length) return false;
  return first.every(({ name, value }) => {
    const other = second.find((argument) => argument.name.value === name.value);
    return other !== undefined && sameValue(value, other.value);
  });
}

/** Of lists and objects the server compares as many items as both have, and not how many or what they are called. */
function sameValue(one: ValueNode, other: ValueNode): boolean {
  if (one.kind === Kind.LIST && other.kind === Kind.LIST) return samePairs(one.values, other.values);
  if (one.kind === Kind.OBJECT && other.kind === Kind.OBJECT) {
    return samePairs(
      sortedFields(one).map(([, value]) => value),
      sortedFields(other).map(([, value]) => value),
    );
  }
  if (one.kind === Kind.INT && other.kind === Kind.INT) return BigInt(one.value) === BigInt(other.value);
  if (one.kind === Kind.FLOAT && other.kind === Kind.FLOAT) return Number(one.value) === Number(other.value);
  if (one.kind === Kind.VARIABLE) {
    return other.kind === Kind.VARIABLE && one.name.value === other.name.value;
  }
  if (one.kind === Kind.NULL || other.kind === Kind.NULL) return one.kind === other.kind;
  return one.kind === other.kind && "value" in one && "value" in other && one.value === other.value;
}

function samePairs(one: readonly ValueNode[], other: readonly ValueNode[]): boolean {
  return one.every((value, position) => {
    const counterpart = other[position];
    return counterpart === undefined || sameValue(value, counterpart);
  });
}
