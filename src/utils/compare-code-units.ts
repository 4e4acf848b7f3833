/**
 * The one order of names in everything Lockflow writes: by UTF-16 code unit, the same on every machine and
 * in every locale.
 */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A copy of `items` in code-unit order of their names. */
export function sortByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => compareCodeUnits(a.name, b.name));
}
