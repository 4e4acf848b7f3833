import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { messages } from "./messages.ts";
import { refuse } from "./query-error.ts";

/** More fragments than that within each other nest too deep anyway (B.10). */
const MAX_DEPTH = 255;

/**
 * Refuses fragments that spread in a circle. The server finds those while it measures a query; one that cannot be
 * measured, because it selects from scalars, would send it round for ever.
 */
export function refuseCircles(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): void {
  const open = new Set<string>();
  const finished = new Set<string>();

  function follow(set: SelectionSetNode): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) spread(node.name.value);
      else if (node.selectionSet) follow(node.selectionSet);
    }
  }

  function spread(name: string): void {
    if (open.has(name)) refuse(messages.fragmentCycle(name));
    if (open.size >= MAX_DEPTH) refuse(messages.tooDeep(MAX_DEPTH));
    const fragment = fragments.get(name);
    if (fragment === undefined || finished.has(name)) return;
    open.add(name);
    follow(fragment.selectionSet);
    open.delete(name);
    finished.add(name);
  }

  follow(root);
}
