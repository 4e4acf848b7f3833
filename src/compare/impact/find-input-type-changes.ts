import { baseTypeName } from "../../base/type-expression.ts";
import { compareInputTypes, type InputTypeChange } from "./compare-input-types.ts";
import type { IndexedSchema } from "./indexed-schema.ts";

/** What changed in a type or in one it leads to, and by which members it is reached: `["asset", "symbol"]`. */
export type PlacedInputTypeChange = InputTypeChange & { readonly path: readonly string[] };

const found = new WeakMap<
  IndexedSchema,
  WeakMap<IndexedSchema, Map<string, readonly PlacedInputTypeChange[]>>
>();

/**
 * Finds what changed for those who send values of a type, in it and in all that it leads to, the nearest first. Each
 * type is compared once, by the shortest way to it: filters lead to each other in circles. Many variables have one
 * type, so what is found is kept for as long as both schemas are.
 */
export function findInputTypeChanges(
  type: string,
  before: IndexedSchema,
  after: IndexedSchema,
): readonly PlacedInputTypeChange[] {
  let byAfter = found.get(before);
  if (byAfter === undefined) {
    byAfter = new WeakMap();
    found.set(before, byAfter);
  }
  let byType = byAfter.get(after);
  if (byType === undefined) {
    byType = new Map();
    byAfter.set(after, byType);
  }
  let changes = byType.get(type);
  if (changes === undefined) {
    changes = walkInputType(type, before, after);
    byType.set(type, changes);
  }
  return changes;
}

function walkInputType(
  start: string,
  before: IndexedSchema,
  after: IndexedSchema,
): readonly PlacedInputTypeChange[] {
  const changes: PlacedInputTypeChange[] = [];
  const ways = new Map<string, readonly string[]>([[start, []]]);
  // What is added while it is walked is walked as well: the nearest first.
  for (const [name, path] of ways) {
    const [was, is] = [before.type(name), after.type(name)];
    // What is gone as a whole, validation or the member that led to it tells.
    if (was === undefined || is === undefined) continue;
    for (const change of compareInputTypes(was, is)) changes.push({ ...change, path });
    if (was.kind !== "INPUT_OBJECT" || is.kind !== "INPUT_OBJECT") continue;
    const members = new Map(was.fields.map((member) => [member.name, baseTypeName(member.type)]));
    for (const member of is.fields) {
      const inner = baseTypeName(member.type);
      if (members.get(member.name) === inner && !ways.has(inner)) ways.set(inner, [...path, member.name]);
    }
  }
  return changes;
}
