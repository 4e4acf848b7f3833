/** The suffixes of filter keys, in the order the server tries them. */
const OPERATORS = [
  "_not",
  "_gt",
  "_lt",
  "_gte",
  "_lte",
  "_not_in",
  "_in",
  "_not_contains",
  "_not_contains_nocase",
  "_contains",
  "_contains_nocase",
  "_not_starts_with",
  "_not_starts_with_nocase",
  "_not_ends_with",
  "_not_ends_with_nocase",
  "_starts_with",
  "_starts_with_nocase",
  "_ends_with",
  "_ends_with_nocase",
  "_",
] as const;

/** What a filter key asks of its field; empty for equality. */
export type Operator = (typeof OPERATORS)[number] | "and" | "or" | "";

/** The operators that compare a stored value. */
export type ColumnOperator = Exclude<Operator, "_" | "and" | "or">;

/** Reads a key as the server does: the first suffix that fits, in this order, stripped as often as it is there. */
export function parseFilterKey(key: string): { readonly name: string; readonly operator: Operator } {
  for (const operator of OPERATORS) {
    if (!key.endsWith(operator)) continue;
    let name = key;
    while (name.endsWith(operator)) name = name.slice(0, -operator.length);
    return { name, operator };
  }
  if (key === "and" || key === "or") return { name: key, operator: key };
  return { name: key, operator: "" };
}
