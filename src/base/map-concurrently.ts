/**
 * Maps items with at most `concurrency` calls under way. Results come in the order of the items, whatever
 * the order of completion. The first rejection rejects the whole; let `mapper` return failures as values
 * where the others shall go on.
 */
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
