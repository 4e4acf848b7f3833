import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { sortByName } from "../base/compare-code-units.ts";
import type { Fragment } from "./operation-set.ts";

/** Every fragment that a selection uses, directly or not, in order of name. */
export function usedFragments(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, Fragment>,
): FragmentDefinitionNode[] {
  const used = new Set<Fragment>();
  const add = (one: SelectionSetNode) => {
    for (const name of spreadsOf(one)) {
      const fragment = fragments.get(name);
      if (fragment) used.add(fragment);
    }
  };
  add(set);
  // What is added meanwhile is looked at as well.
  for (const { node } of used) add(node.selectionSet);
  return sortByName([...used]).map(({ node }) => node);
}

/** The names of the fragments that a selection itself spreads, in the order of their first places. */
export function spreadsOf({ selections }: SelectionSetNode): string[] {
  const names = selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection.name.value];
    return selection.selectionSet ? spreadsOf(selection.selectionSet) : [];
  });
  return [...new Set(names)];
}
