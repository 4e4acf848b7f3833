type Named = { readonly name: string };

/**
 * Finds the first item of a name. A long list is indexed when it is first asked, so that to ask for each of its items
 * takes time by their number and not by its square. The list must not change after that.
 */
export function findNamed<T extends Named>(items: readonly T[], name: string): T | undefined {
  if (items.length <= FEW) return items.find((item) => item.name === name);
  let index = indexes.get(items);
  if (index === undefined) {
    index = indexFirst(items);
    indexes.set(items, index);
  }
  // Every beginning of long names is asked for, and to look up a name takes time by its length.
  return index.lengths.has(name.length) ? (index.first.get(name) as T | undefined) : undefined;
}

/** Up to here, to look through a list is as fast as to index it. */
const FEW = 16;

type Index = { readonly first: ReadonlyMap<string, Named>; readonly lengths: ReadonlySet<number> };

const indexes = new WeakMap<readonly Named[], Index>();

function indexFirst(items: readonly Named[]): Index {
  const first = new Map<string, Named>();
  for (const item of items) if (!first.has(item.name)) first.set(item.name, item);
  return { first, lengths: new Set(items.map(({ name }) => name.length)) };
}
