import { cached } from "../base/cached.ts";
import { baseTypeName } from "../base/type-expression.ts";
import type { ApiType } from "../schema/api-schema.ts";
import type { Change } from "../schema/change.ts";
import { KEYWORDS, signaturesOf } from "../schema/members.ts";
import { parseCoordinate } from "../schema/parse-coordinate.ts";
import type { ExpectedChange } from "./expect-changes.ts";

/** Finds what should have changed and did not: a type without its members, a field without arguments. */
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

function containersOf(coordinate: string): string[] {
  const { type, member, argument } = parseCoordinate(coordinate);
  const owner = coordinate.slice(0, coordinate.indexOf("("));
  return [...(member === null ? [] : [type]), ...(argument === null ? [] : [owner])];
}
