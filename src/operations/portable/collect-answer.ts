import type { FieldNode, SelectionSetNode } from "graphql";
import { once } from "../../base/collections.ts";
import { type CollectOptions, type Conditional, collectFields, implies } from "../collect-fields.ts";

/** The keys of the answer to a selection set. */
export type CollectedFields = {
  readonly fields: readonly CollectedField[];
  /** Whether `@include` or `@skip` can remove all of it while its parent is requested. */
  readonly mayBeEmpty: boolean;
};

/** A key of an answer. */
export type CollectedField = {
  readonly key: string;
  /** The first field with this key. */
  readonly node: FieldNode;
  /** Whether it can be missing while its parent is requested. */
  readonly isConditional: boolean;
  /** Collects the selections below it, from all places. */
  readonly below: () => CollectedFields;
};

/** Collects the fields of a selection set in the order of their first places. Fragments on every type apply. */
export function collectAnswer(
  set: SelectionSetNode,
  findFragment: CollectOptions["findFragment"],
): CollectedFields {
  return collect([{ node: set, conditions: [] }]);

  function collect(sets: readonly Conditional<SelectionSetNode>[]): CollectedFields {
    const collected = collectFields(sets, { findFragment });
    const places = [...collected.values()].flat();
    return {
      fields: [...collected].map(([key, places]) => toField(key, places)),
      mayBeEmpty: !sets.every((whole) => places.some((place) => implies(whole.conditions, place.conditions))),
    };
  }

  function toField(key: string, places: readonly Conditional<FieldNode>[]): CollectedField {
    const [first] = places as [Conditional<FieldNode>];
    // Under one condition, either all of it is requested or nothing.
    const isOne = places.every(
      ({ conditions }) => implies(conditions, first.conditions) && implies(first.conditions, conditions),
    );
    return {
      key,
      node: first.node,
      isConditional: places.every(({ conditions }) => conditions.length > 0),
      below: once(() =>
        collect(
          places
            .filter(({ node }) => node.selectionSet !== undefined)
            .map(({ node, conditions, within }) => ({
              node: node.selectionSet as SelectionSetNode,
              conditions: isOne ? [] : conditions,
              within,
            })),
        ),
      ),
    };
  }
}
