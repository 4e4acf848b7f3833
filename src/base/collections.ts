/** Compares by UTF-16 code unit, which is the same in every locale. Everything that Lockflow writes is in this order. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a copy of `items` in code-unit order of their names. */
export function sortByName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const copy = [...items];
  // Most lists are sorted already, and checking that is faster than sorting.
  let at = 1;
  while (at < copy.length && (copy[at - 1]?.name ?? "") <= (copy[at]?.name ?? "")) at++;
  return at >= copy.length ? copy : copy.sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** Returns items in code-unit order of their names. The first of several items with one name wins. */
export function distinctByName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  // A strictly ascending list has no duplicates. Every list of a snapshot is one.
  const isAscending = items.every(({ name }, at) => at === 0 || (items[at - 1]?.name ?? "") < name);
  return isAscending ? items : sortByName([...indexByName(items).values()]);
}

/** Returns the cached value of a key, made on first use. A value must not be undefined. */
export function cached<K, V>(
  cache: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  make: (key: K) => V,
): V {
  const value = cache.get(key);
  if (value !== undefined) return value;
  const made = make(key);
  cache.set(key, made);
  return made;
}

/** Returns a function that makes a value once per key. A value must not be undefined. */
export function memoize<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => cached(values, key, make);
}

/** Returns a function that makes a value on its first call and returns the same value after that. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Groups items by a key. The keys keep the order of their first items. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

type Named = { readonly name: string };

/** Finds the first item with a name. A long list is indexed on first use, and must not change after that. */
export function findNamed<T extends Named>(items: readonly T[], name: string): T | undefined {
  if (items.length <= FEW) return items.find((item) => item.name === name);
  let index = indexes.get(items);
  if (index === undefined) {
    index = { first: indexByName(items), lengths: new Set(items.map((item) => item.name.length)) };
    indexes.set(items, index);
  }
  // Callers probe every prefix of long names; checking the length first avoids most hashing.
  return index.lengths.has(name.length) ? (index.first.get(name) as T | undefined) : undefined;
}

/** The length up to which searching a list is as fast as indexing it. */
const FEW = 16;

type Index = { readonly first: ReadonlyMap<string, Named>; readonly lengths: ReadonlySet<number> };

const indexes = new WeakMap<readonly Named[], Index>();

/** Indexes items by name. The first of several items with one name wins. */
export function indexByName<T extends Named>(items: Iterable<T>): Map<string, T> {
  const index = new Map<string, T>();
  for (const item of items) if (!index.has(item.name)) index.set(item.name, item);
  return index;
}

/** Maps items with at most `concurrency` calls at a time. Results are in the order of the items; rejects if one call does. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  mapper: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  async function work(): Promise<void> {
    while (next < items.length) {
      const index = next++;
      results[index] = await mapper(items[index] as T, index);
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
}
