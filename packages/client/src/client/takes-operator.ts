/**
 * Splits the key of a filter: `name_not_contains` is the column `name` and the operator `not_contains`, of which the
 * parts come third: `not_`, `contains` and, where case does not matter, `_nocase`.
 */
export function splitKey(key: string): RegExpExecArray | null {
  return KEY.exec(key);
}

const KEY = /^(.+?)_(not|[gl]te?|(not_)?(?:in|(contains|starts_with|ends_with)(_nocase)?))$/;

/** Whether both styles know an operator of a column, by what it holds: a reference counts as its id. */
export function takesOperator(kind: string, operator: string): boolean {
  return !REFUSED.test(`${kind.slice(0, 1)} ${operator}`);
}

/**
 * Moments and names that read as operators take none; booleans, enums and lists have no order; there is no part of what
 * is no text, of bytes only whole ones in one case, of lists only items; and no list of lists.
 */
const REFUSED = /^([?t]|[be[] [gl]|[bediInN#] .*(ns|th)|[x[] .*(th|se)|\[ .*in$)/;
