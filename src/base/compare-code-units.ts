/** The one order of names in all that Lockflow writes: by UTF-16 code unit, the same in every locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A copy of `items` in code-unit order of their names. */
export function sortByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const copy = [...items];
  // Much of what is sorted is in order already, and to see that takes no calls.
  let at = 1;
  while (at < copy.length && (copy[at - 1]?.name ?? "") <= (copy[at]?.name ?? "")) at++;
  return at >= copy.length ? copy : copy.sort((a, b) => compareCodeUnits(a.name, b.name));
}
