import { Kind, type SelectionSetNode } from "graphql";
import type { Fragment } from "./operation-set.ts";
import { spreadsOf } from "./used-fragments.ts";

/** Measures how many selections are nested in each fragment, those of the fragments it spreads included. */
export function fragmentHeights(fragments: ReadonlyMap<string, Fragment>): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  const entered = new Set<string>();
  // A chain may be longer than the stack is deep.
  const pending = [...fragments.keys()];
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    const set = fragments.get(name)?.node.selectionSet;
    if (set && !entered.has(name)) {
      entered.add(name);
      for (const spread of spreadsOf(set)) if (!entered.has(spread)) pending.push(spread);
      continue;
    }
    pending.pop();
    if (set && !heights.has(name)) heights.set(name, heightOf(set, heights));
  }
  return heights;
}

/** How many selections are nested in one. What spreads itself counts once: it is no valid fragment. */
export function heightOf({ selections }: SelectionSetNode, heights: ReadonlyMap<string, number>): number {
  let deepest = 0;
  for (const selection of selections) {
    const height =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? (heights.get(selection.name.value) ?? 0)
        : selection.selectionSet
          ? heightOf(selection.selectionSet, heights)
          : 0;
    deepest = Math.max(deepest, height);
  }
  return deepest + 1;
}
