import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from "graphql";
import { once } from "../../base/collections.ts";
import { type Conditional, collectFields, implies } from "../collect-fields.ts";

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
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): CollectedFields {
  return collect([{ node: set, conditions: [] }]);

  function collect(sets: readonly Conditional<SelectionSetNode>[]): CollectedFields {
    const collected = collectFields(sets, { findFragment: (name) => fragments.get(name) });
    const places = [...collected.values()].flat();
    return {
      fields: [...collected].map(([key, found]) => toField(key, found)),
      mayBeEmpty: !sets.every((whole) => places.some((place) => implies(whole.conditions, place.conditions))),
    };
  }

  function toField(key: string, found: readonly Conditional<FieldNode>[]): CollectedField {
    const [first] = found as [Conditional<FieldNode>];
    // Under one condition, either all of it is requested or nothing.
    const isOne = found.every(
      ({ conditions }) => implies(conditions, first.conditions) && implies(first.conditions, conditions),
    );
    return {
      key,
      node: first.node,
      isConditional: found.every(({ conditions }) => conditions.length > 0),
      below: once(() =>
        collect(
          found
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
