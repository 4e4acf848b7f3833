import { type FragmentDefinitionNode, Kind, parse, type SelectionSetNode } from "graphql";
import type { GraphqlRequest } from "../styles/served-style.ts";

/** The first root field by which a request asks for the schema: `__schema` or `__type`; null when there is none. */
export function findIntrospection({ query, operationName }: GraphqlRequest): string | null {
  if (!query.includes("__schema") && !query.includes("__type")) return null;
  try {
    const { definitions } = parse(query, { noLocation: true });
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    }
    for (const definition of definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      if (operationName !== null && definition.name?.value !== operationName) continue;
      const found = findIn(definition.selectionSet, fragments, new Set());
      if (found) return found;
    }
  } catch {
    // What cannot be parsed is for the platform to refuse.
  }
  return null;
}

function findIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
): string | null {
  for (const selection of selections) {
    let found: string | null = null;
    if (selection.kind === Kind.FIELD) {
      const { value } = selection.name;
      found = value === "__schema" || value === "__type" ? value : null;
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      found = findIn(selection.selectionSet, fragments, seen);
    } else {
      const fragment = fragments.get(selection.name.value);
      if (fragment && !seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        found = findIn(fragment.selectionSet, fragments, seen);
      }
    }
    if (found) return found;
  }
  return null;
}
