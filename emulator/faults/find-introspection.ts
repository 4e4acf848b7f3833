import { type FragmentDefinitionNode, Kind, parse } from "graphql";
import type { GraphqlRequest } from "../styles/served-style.ts";

/** The root field by which a request asks for the schema: `__schema` or `__type`; null when there is none. */
export function findIntrospection({ query, operationName }: GraphqlRequest): string | null {
  if (!query.includes("__schema") && !query.includes("__type")) return null;
  try {
    const { definitions } = parse(query, { noLocation: true });
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    }
    const open = new Set(
      definitions.flatMap((one) =>
        one.kind === Kind.OPERATION_DEFINITION && (operationName ?? one.name?.value) === one.name?.value
          ? one.selectionSet
          : [],
      ),
    );
    // A set that grows while it is gone through, and has each selection once.
    for (const { selections } of open) {
      for (const selection of selections) {
        const name = selection.kind === Kind.INLINE_FRAGMENT ? "" : selection.name.value;
        if (selection.kind === Kind.FIELD && /^__(?:schema|type)$/.test(name)) return name;
        const inside = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(name) : selection;
        if (selection.kind !== Kind.FIELD && inside?.selectionSet) open.add(inside.selectionSet);
      }
    }
  } catch {
    // What cannot be parsed is for the platform to refuse.
  }
  return null;
}
