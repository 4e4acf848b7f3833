/** The operators on text and lists. */
type Pattern = `${"" | "_not"}_${"contains" | "starts_with" | "ends_with"}${"" | "_nocase"}`;

/** The operators that compare a stored value; empty for equality. */
export type ColumnOperator = Pattern | "" | `_${"not" | "gt" | "lt" | "gte" | "lte" | "not_in" | "in"}`;

/** What a filter key asks of its field. */
export type Operator = ColumnOperator | "_" | "and" | "or";

/** The suffixes of filter keys; of those that fit, the server takes the longest. */
const OPERATOR = /(?:_not)?_(?:contains|starts_with|ends_with)(?:_nocase)?$|_(?:not|gte?|lte?|not_in|in)?$/;

/** Reads a key as the server does: the suffix is stripped as often as it is there. */
export function parseFilterKey(key: string): { readonly name: string; readonly operator: Operator } {
  if (key === "and" || key === "or") return { name: key, operator: key };
  const [operator = ""] = OPERATOR.exec(key) ?? [];
  let name = key;
  while (operator !== "" && name.endsWith(operator)) name = name.slice(0, -operator.length);
  return { name, operator: operator as Operator };
}
