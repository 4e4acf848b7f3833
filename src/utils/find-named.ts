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
  return index.get(name) as T | undefined;
}

/** Up to here, to look through a list is as fast as to index it. */
const FEW = 16;

const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, Named>>();

function indexFirst(items: readonly Named[]): ReadonlyMap<string, Named> {
  const index = new Map<string, Named>();
  for (const item of items) if (!index.has(item.name)) index.set(item.name, item);
  return index;
}
