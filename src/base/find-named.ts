type Named = { readonly name: string };

/** Finds the first item of a name. A long list is indexed when it is first asked, and must not change after that. */
export function findNamed<T extends Named>(items: readonly T[], name: string): T | undefined {
  if (items.length <= FEW) return items.find((item) => item.name === name);
  let index = indexes.get(items);
  if (index === undefined) {
    index = { first: indexByName(items), lengths: new Set(items.map((item) => item.name.length)) };
    indexes.set(items, index);
  }
  // Every beginning of long names is asked for, and to look up a name takes time by its length.
  return index.lengths.has(name.length) ? (index.first.get(name) as T | undefined) : undefined;
}

/** Up to here, to look through a list is as fast as to index it. */
const FEW = 16;

type Index = { readonly first: ReadonlyMap<string, Named>; readonly lengths: ReadonlySet<number> };

const indexes = new WeakMap<readonly Named[], Index>();

/** Items by their names; of two with one name the first. */
export function indexByName<T extends Named>(items: Iterable<T>): Map<string, T> {
  const index = new Map<string, T>();
  for (const item of items) if (!index.has(item.name)) index.set(item.name, item);
  return index;
}
