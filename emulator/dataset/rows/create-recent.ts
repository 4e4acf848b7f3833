/** A memory of the values that were asked for last. */
export type Recent<K, V> = {
  /** The value of a key, made when it is not remembered. */
  readonly get: (key: K, make: () => V) => V;
};

/** Creates a memory of at most `most` values. */
export function createRecent<K, V extends object>(most: number): Recent<K, V> {
  const values = new Map<K, V>();
  return {
    get: (key, make) => {
      const value = values.get(key) ?? make();
      // Put last, so that the first is always the one that was not asked for the longest.
      values.delete(key);
      values.set(key, value);
      for (const oldest of values.keys()) {
        if (values.size <= most) break;
        values.delete(oldest);
      }
      return value;
    },
  };
}
