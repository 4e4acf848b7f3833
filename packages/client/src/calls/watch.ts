import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import { failureOf, type IndexerError, throwable } from "../client/indexer-error.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project, StyleName } from "../manifest/manifest-types.ts";
import { platform } from "../requests/platform.ts";
import { findTarget } from "../requests/query-endpoint.ts";
import { notify, onAbort, wait } from "../requests/wait.ts";
import type { Row } from "./merged.ts";
import { firstChainPlaces } from "./pages-of-chains.ts";
import { type Place, readPage } from "./read-page.ts";
import { settleHead } from "./settle.ts";
import { type CallOptions, startCall } from "./start-call.ts";

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

/** The state of a chain. */
type Feed = {
  readonly chain: string;
  /** The cursor of its last row in a batch. */
  after: string | null;
  /** Cursors of rows that a multichain indexer had at a block, in order: with enough blocks above, they are confirmed. */
  marks: { readonly block: number; readonly after: string }[];
  failures: number;
  pause: number;
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
  const feeds = Object.entries(places).map(
    ([chain, { after }]): Feed => ({ chain, after, marks: [], failures: 0, pause: 0 }),
  );
  const reading = new Map<Feed, Promise<{ readonly feed: Feed; readonly rows: readonly Row<R>[] }>>();
  try {
    while (feeds.length > 0 && !signal?.aborted) {
      for (const feed of feeds) if (!reading.has(feed)) reading.set(feed, readNext(feed));
      const { feed, rows } = await Promise.race(reading.values());
      reading.delete(feed);
      if (rows.length === 0) continue;
      const cursor = JSON.stringify(Object.fromEntries(feeds.map(({ chain, after }) => [chain, after])));
      yield { chain: feed.chain as KeysOf<T[P], List>, rows, cursor };
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    forget();
    stop.abort();
    for (const work of reading.values()) work.catch(() => {});
  }

  async function readNext(feed: Feed): Promise<{ readonly feed: Feed; readonly rows: readonly Row<R>[] }> {
    if (feed.pause > 0) await wait(stop.signal, feed.pause);
    try {
      const rows = await (confirmations > 0 ? readConfirmed(feed) : readRows(feed, feed.after, {}));
      const last = rows.at(-1);
      if (last) feed.after = cursorOf(last);
      feed.failures = 0;
      return { feed, rows };
    } catch (error) {
      const failure = failureOf(error, { signal: stop.signal });
      notify((one: IndexerError) => onError?.(one, feed.chain as KeysOf<T[P], List>), failure);
      feed.pause = Math.min(1000 * 2 ** feed.failures++, 300_000);
      return { feed, rows: [] };
    }
  }

  /** Reads rows, and without a pause the next ones if there are as many as requested. */
  async function readRows(
    feed: Feed,
    after: string | null,
    place: Partial<Place>,
  ): Promise<readonly Row<R>[]> {
    const { page, next } = await read(feed, after, place);
    feed.pause = next ? 0 : interval;
    return page.rows;
  }

  function read({ chain }: Feed, after: string | null, place: Partial<Place> = {}) {
    const options = { ...own, chain, size, signal: stop.signal };
    const fresh = { ...client, freshness: client.freshness || confirmations > 0 };
    return readPage({ client: fresh, operation, variables, options }, { index: 0, after, ...place });
  }

  async function readConfirmed(feed: Feed): Promise<readonly Row<R>[]> {
    const { chain } = feed;
    const past = client.styles.find((style) => style === operation.past && (own.style ?? style) === style);
    if (past && isServed(past, chain)) {
      const call = startCall({ client, operation, variables }, { ...own, signal: stop.signal });
      const result = await settleHead(call, chain, past);
      if (result.status === "failed") throw throwable(result.error);
      feed.pause = interval;
      const block = { number: (result.head?.block ?? 0) - confirmations };
      return block.number < 0 ? [] : readRows(feed, feed.after, { style: past, block });
    }
    const { page, next } = await read(feed, feed.marks.at(-1)?.after ?? feed.after);
    const head = page.head?.block ?? -1;
    // An indexer whose head went back has dropped blocks and their rows.
    const marks = feed.marks.filter(({ block }) => block <= head);
    feed.marks =
      page.rows.length > 0
        ? [...marks.filter(({ block }) => block < head), { block: head, after: String(page.cursor) }]
        : marks;
    const confirmed = feed.marks.filter(({ block }) => block <= head - confirmations).at(-1);
    feed.pause = next ? 0 : interval;
    if (!confirmed) return [];
    const rows = await readRows(feed, feed.after, {});
    const end = rows.findIndex((row) => cursorOf(row) === confirmed.after);
    if (end < 0 && feed.pause === 0) return rows;
    feed.marks = feed.marks.filter(({ block }) => end >= 0 && block > confirmed.block);
    return rows.slice(0, end + 1);
  }

  function isServed(style: StyleName, chain: string): boolean {
    try {
      return findTarget({ client, operation }, style, chain) !== null;
    } catch {
      return false;
    }
  }

  function cursorOf(row: Row<R>): string {
    return String(row[operation.page?.cursor as keyof Row<R>]);
  }
}
