/**
 * Splits the key of a filter: `amount_not_gt`… into the column, the operator, which is empty for equality, and the parts
 * of an operator that looks for text.
 */
export function splitKey(key: string): readonly (string | undefined)[] {
  return (
    /^(.+?)_(not|[gl]te?|(not_)?(?:in|(contains|starts_with|ends_with)(_nocase)?))$/.exec(key) ?? [
      key,
      key,
      "",
    ]
  );
}

/** Whether both styles know an operator of a column, by what it holds: a reference counts as its id. */
export function takesOperator(kind: string, operator: string): boolean {
  return TAKEN.test(`${kind.slice(0, 1)} ${operator}`);
}

/** Enums and booleans have no order, lists are compared as a whole, and bytes have no case. */
const TAKEN = /^( .*|([x#din] ([gl]te?)?|[x#dinbe] (not|(not_)?in)?|[x[] (not_)?contains|\[ (not)?))$/;
