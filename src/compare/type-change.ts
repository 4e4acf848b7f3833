import { baseTypeName, nullableType } from "../base/type-expression.ts";

/** How one type expression became another. */
export type TypeChange = {
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
  const shared = Math.min(a.length, b.length);
  const changed = (was: boolean) =>
    a.slice(0, shared).some((nonNull, level) => nonNull === was && b[level] === !was);
  return {
    renamed: baseTypeName(before) !== baseTypeName(after),
    reshaped: a.length !== b.length,
    tightened: changed(false),
    loosened: changed(true),
  };
}

/** Whether each level of a type is non-null, from the outermost list to the named type. */
function levelsOf(type: string): boolean[] {
  const levels: boolean[] = [];
  let rest = type;
  for (;;) {
    levels.push(rest.endsWith("!"));
    rest = nullableType(rest);
    if (!rest.startsWith("[")) return levels;
    rest = rest.slice(1, -1);
  }
}
