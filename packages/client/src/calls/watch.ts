import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import { failureOf, type IndexerError } from "../client/indexer-error.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project } from "../manifest/manifest-types.ts";
import { platform } from "../requests/platform.ts";
import { notify, onAbort, wait } from "../requests/wait.ts";
import { cursorOfFeeds, type Feed, readFeed } from "./feed.ts";
import type { Row } from "./merged.ts";
import { firstChainPlaces } from "./pages-of-chains.ts";
import type { CallOptions } from "./start-call.ts";

/** The chains whose new rows are returned, and the options of `watch`. */
export type WatchOptions<C extends Chains = Chains, List = ChainList<C>> = Omit<
  CallOptions,
  "block" | "minBlock"
> & {
  readonly chains: List;
  /** The cursor of a batch, or of a page over several chains, to continue from. @default the first row of each chain */
  readonly from?: string | undefined;
  /** How many blocks a row must have above it. @default 0 */
  readonly confirmations?: number | undefined;
  /** The pause between two requests for a chain without new rows, in milliseconds. @default 10_000 */
  readonly interval?: number | undefined;
  /** The most rows of a batch, 1 to 1000. @default 1000 */
  readonly size?: number | undefined;
  /** Called for each failed request. The chain is requested again after a pause that doubles up to 5 minutes. */
  readonly onError?: ((error: IndexerError, chain: KeysOf<C, List>) => void) | undefined;
};

/** New rows of a chain. */
export type Batch<T, C> = {
  readonly chain: C;
  readonly rows: readonly T[];
  /** The position on every chain after these rows, as JSON. Store it once the rows are processed. */
  readonly cursor: string;
};

/**
 * Returns the rows of several chains as they appear: each row at least once, and those of a chain in the order of their
 * cursors. With the last stored `cursor` as `from`, a restarted program misses none.
 *
 * With `confirmations`, rows are those that a subgraph has at a block so far below its head. A chain without a subgraph has
 * no past blocks: there, rows are returned once the head is so far above the block at which they were first seen, so that a
 * reorganization of that time may change them later.
 *
 * Ends when the signal is aborted.
 *
 * @throws IndexerError `invalid-variables`. Other failures go to `onError`.
 */
export async function* watch<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: WatchOptions<T[P], List>,
): AsyncGenerator<Batch<Row<R>, KeysOf<T[P], List>>, void, undefined> {
  const {
    chains,
    from,
    confirmations = 0,
    interval = 10_000,
    size = 1000,
    onError,
    signal,
    ...own
  } = options;
  const stop = new platform.AbortController();
  const forget = onAbort(signal, (reason) => stop.abort(reason));
  const places = firstChainPlaces({ client, operation }, { chains, after: from }).chains;
  const feeds = Object.entries(places).map(([chain, { after }]): TimedFeed => {
    return { chain, after, marks: [], failures: 0, pause: 0 };
  });
  const walk = { client, operation, variables, options: { ...own, size, signal: stop.signal } };
  const reading = new Map<
    TimedFeed,
    Promise<{ readonly feed: TimedFeed; readonly rows: readonly Row<R>[] }>
  >();
  try {
    while (feeds.length > 0 && !signal?.aborted) {
      for (const feed of feeds) if (!reading.has(feed)) reading.set(feed, readNext(feed));
      const { feed, rows } = await Promise.race(reading.values());
      reading.delete(feed);
      if (rows.length === 0) continue;
      yield { chain: feed.chain as KeysOf<T[P], List>, rows, cursor: cursorOfFeeds(feeds) };
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    forget();
    stop.abort();
    for (const work of reading.values()) work.catch(() => {});
  }

  async function readNext(feed: TimedFeed) {
    if (feed.pause > 0) await wait(stop.signal, feed.pause);
    try {
      const { rows, isOpen } = await readFeed(walk, feed, confirmations);
      feed.failures = 0;
      // Without a pause the next ones, if there are as many as requested.
      feed.pause = isOpen ? 0 : interval;
      return { feed, rows };
    } catch (error) {
      const failure = failureOf(error, { signal: stop.signal });
      notify((cause: IndexerError) => onError?.(cause, feed.chain as KeysOf<T[P], List>), failure);
      feed.pause = pauseAfter(feed.failures++);
      return { feed, rows: [] };
    }
  }
}

type TimedFeed = Feed & { failures: number; pause: number };

/** Returns for how many milliseconds a chain is not requested after a failure. */
export function pauseAfter(failures: number): number {
  return Math.min(1000 * 2 ** failures, 300_000);
}
