/** The values that were asked for last, each made once. */
export type Memo<K, V> = {
  /** The value of a key, made when it is not cached. */
  readonly get: (key: K, make: () => V) => V;
};

/** Creates a memo of at most `most` values. */
export function createMemo<K, V extends object>(most: number): Memo<K, V> {
  const values = new Map<K, V>();
  return {
    get: (key, make) => {
      const value = values.get(key) ?? make();
      // Put last, so that the first is always the one that was not asked for the longest.
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}
