import { baseTypeName, nullableType } from "../base/type-expression.ts";
import type { Severity } from "../report/finding.ts";
import type { IndexedSchema } from "./indexed-schema.ts";

type TypeChange = {
  /** Another named type. */
  readonly renamed: boolean;
  /** Another number of list brackets. */
  readonly reshaped: boolean;
  /** Somewhere a `!` came. */
  readonly tightened: boolean;
  /** Somewhere a `!` went. */
  readonly loosened: boolean;
};

/** Describes the change of a type expression; nullability is compared level by level, as far as both have levels. */
export function describeTypeChange(before: string, after: string): TypeChange {
  const a = levelsOf(before);
  const b = levelsOf(after);
  const changed = (was: boolean) => a.some((nonNull, level) => nonNull === was && b[level] === !was);
  return {
    renamed: baseTypeName(before) !== baseTypeName(after),
    reshaped: a.length !== b.length,
    tightened: changed(false),
    loosened: changed(true),
  };
}

/** Whether each level of a type is non-null, from the outermost list to the named type. */
function levelsOf(type: string): boolean[] {
  const inner = nullableType(type);
  return [inner !== type, ...(inner.startsWith("[") ? levelsOf(inner.slice(1, -1)) : [])];
}

/** How many lists a type is nested in, plus one. */
export function listDepth(type: string): number {
  return type.split("[").length;
}

/** Judges that a field answers with another type, by the types that can stand for another in the new schema. */
export function judgeAnswerType(
  before: string,
  after: string,
  subtypes: IndexedSchema["subtypes"],
): Severity {
  const { renamed, reshaped, loosened } = describeTypeChange(before, after);
  if (reshaped || loosened) return "breaking";
  // A tightened type is not safe either: merged with a sibling's field it can make a document invalid.
  if (!renamed) return "risky";
  return subtypes(baseTypeName(before)).has(baseTypeName(after)) ? "risky" : "breaking";
}
