import type { Row, RowStore, RowValue } from "../../read-view.ts";
import type { OrderKey } from "./order-key.ts";

/** The rows of one object type that hold one value: all streams of a sender. */
export type Bucket = { readonly type: string; readonly field: string; readonly value: RowValue };

/** Keeps buckets in the orders they are asked in again and again, each with its store. */
export type BucketCache = {
  /** The rows in ascending order; null while the bucket was not asked twice. */
  readonly ordered: (
    store: RowStore,
    bucket: Bucket,
    order: OrderKey,
    sort: () => readonly Row[],
  ) => readonly Row[] | null;
};

/** Buckets kept of one store, the last used. */
const MOST_BUCKETS = 64;

/** Rows of a bucket that is kept; a larger one is as well met in the order of its table. */
export const LARGEST_BUCKET = 20_000;

/** Creates the cache. The first question for a bucket is only remembered: most are never asked again. */
export function createBucketCache(): BucketCache {
  const buckets = new WeakMap<RowStore, Map<string, readonly Row[] | null>>();
  return {
    ordered: (store, { type, field, value }, order, sort) => {
      let known = buckets.get(store);
      if (known === undefined) {
        known = new Map();
        buckets.set(store, known);
      }
      const name = JSON.stringify([type, field, value, order.field, order.child]);
      const before = known.get(name);
      const rows = before === undefined ? null : (before ?? sort());
      known.delete(name);
      known.set(name, rows);
      const [oldest] = known.keys();
      if (known.size > MOST_BUCKETS && oldest !== undefined) known.delete(oldest);
      return rows;
    },
  };
}
