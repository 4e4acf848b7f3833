import { type FragmentDefinitionNode, type FragmentSpreadNode, Kind, type SelectionSetNode } from "graphql";
import type { StrictRule } from "./rule.ts";

/** How many fragments are followed from one to the next, for our stack's sake; no valid query comes near. */
const MAX_FOLLOWED = 1000;

export const noFragmentCycles: StrictRule = ({ fragments }, report) => {
  const visited = new Set<string>();

  function follow(
    { name, selectionSet }: FragmentDefinitionNode,
    path: string[],
    begins: Map<string, number>,
  ): void {
    if (visited.has(name.value) || path.length > MAX_FOLLOWED) return;
    visited.add(name.value);
    begins.set(name.value, path.length);
    for (const spread of spreadsIn(selectionSet)) {
      const target = spread.name.value;
      path.push(target);
      const begin = begins.get(target);
      const fragment = fragments.get(target);
      if (begin !== undefined) {
        const via = path.slice(begin, -1).map((each) => `"${each}"`);
        report(
          `Cannot spread fragment "${target}" within itself${via.length > 0 ? ` via ${via.join(", ")}` : ""}.`,
        );
      } else if (fragment) follow(fragment, path, begins);
      path.pop();
    }
    begins.delete(name.value);
  }

  return { fragmentDefinition: (node) => follow(node, [], new Map()) };
};

/** All spreads below a selection set, in the order in which they stand. */
function spreadsIn({ selections }: SelectionSetNode): readonly FragmentSpreadNode[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return [node];
    return node.selectionSet ? spreadsIn(node.selectionSet) : [];
  });
}
