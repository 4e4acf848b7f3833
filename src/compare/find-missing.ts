import { cached } from "../base/cached.ts";
import { baseTypeName } from "../base/type-expression.ts";
import type { ApiType } from "../schema/api-schema.ts";
import type { Change } from "../schema/change.ts";
import { KEYWORDS, signaturesOf } from "../schema/members.ts";
import type { ExpectedChange } from "./expect-changes.ts";

/**
 * Finds what should have changed and did not. A missing type comes without its members, a missing field without
 * arguments.
 *
 * @param changed the coordinates of everything that did change.
 * @param types of the schema as it is, by name.
 * @param isRooted whether a coordinate depends on a part that changed.
 */
export function findMissing(
  expected: ReadonlyMap<string, ExpectedChange>,
  changed: ReadonlySet<string>,
  types: ReadonlyMap<string, ApiType>,
  isRooted: (coordinate: string) => boolean,
): Change[] {
  const signatures = new Map<string, ReadonlyMap<string, string>>();
  const missing = new Map<string, Change>();
  // Types that should be gone, but that parts which stay refer to, stay with them.
  const staying = new Set<string>();
  let needed: ReadonlySet<string> | undefined;
  for (const [coordinate, { before, after }] of expected) {
    if (changed.has(coordinate)) continue;
    const containers = containersOf(coordinate);
    if (containers.some((one) => changed.has(one) || missing.has(one) || staying.has(one))) continue;
    if (signatureAt(coordinate) !== before) continue;
    if (after === null && containers.length === 0) {
      needed ??= findNeeded(types, expected);
      if (needed.has(coordinate)) {
        staying.add(coordinate);
        continue;
      }
    }
    if (!isRooted(coordinate)) continue;
    missing.set(coordinate, { kind: "change-missing", coordinate, before, after });
  }
  return [...missing.values()];

  function signatureAt(coordinate: string): string | null {
    const name = coordinate.split(".", 1)[0] ?? coordinate;
    const type = types.get(name);
    if (type === undefined) return null;
    if (name === coordinate) return KEYWORDS[type.kind];
    return cached(signatures, name, () => signaturesOf(type)).get(coordinate) ?? null;
  }
}

/** Names of the types that something refers to which is not expected to change. */
function findNeeded(
  types: ReadonlyMap<string, ApiType>,
  expected: ReadonlyMap<string, ExpectedChange>,
): Set<string> {
  const needed = new Set<string>();
  for (const type of types.values()) {
    if (type.kind !== "OBJECT" && type.kind !== "INTERFACE" && type.kind !== "INPUT_OBJECT") continue;
    if (expected.has(type.name)) continue;
    for (const field of type.fields) {
      if (expected.has(`${type.name}.${field.name}`)) continue;
      needed.add(baseTypeName(field.type));
      if ("args" in field) for (const arg of field.args) needed.add(baseTypeName(arg.type));
    }
  }
  return needed;
}

/** The type of a member, and the field of an argument. */
function containersOf(coordinate: string): string[] {
  const containers: string[] = [];
  const dot = coordinate.indexOf(".");
  if (dot >= 0) containers.push(coordinate.slice(0, dot));
  const parenthesis = coordinate.indexOf("(");
  if (parenthesis >= 0) containers.push(coordinate.slice(0, parenthesis));
  return containers;
}
