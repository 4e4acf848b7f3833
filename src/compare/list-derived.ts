import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { ApiType } from "../schema/api-schema.ts";
import type { Change } from "../schema/change.ts";
import { visitMembers } from "./schema-members.ts";

/**
 * Lists the coordinates that changed because of a change, each once, in code-unit order: those of the changes derived
 * from it, and the members of every type or root that came or went, its own among them.
 */
export function listDerived(
  change: Change,
  derived: readonly Change[],
  typesBefore: ReadonlyMap<string, ApiType>,
  typesAfter: ReadonlyMap<string, ApiType>,
): readonly string[] {
  const coordinates = new Set(derived.map(({ coordinate }) => coordinate));
  for (const one of [change, ...derived]) {
    const type = wholeType(one, typesBefore, typesAfter);
    if (type) visitMembers(type, (coordinate) => coordinates.add(coordinate));
  }
  return [...coordinates].sort(compareCodeUnits);
}

/** The type that came or went with all of its members. */
function wholeType(
  { kind, coordinate, before, after }: Change,
  typesBefore: ReadonlyMap<string, ApiType>,
  typesAfter: ReadonlyMap<string, ApiType>,
): ApiType | undefined {
  switch (kind) {
    case "type-added":
      return typesAfter.get(coordinate);
    case "type-removed":
    case "type-renamed":
      return typesBefore.get(coordinate);
    case "root-added":
      return typesAfter.get(after ?? "");
    case "root-removed":
      return typesBefore.get(before ?? "");
    default:
      return undefined;
  }
}
