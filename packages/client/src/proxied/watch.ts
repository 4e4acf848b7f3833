import type { Row } from "../calls/merged.ts";
import { type Batch, pauseAfter } from "../calls/watch.ts";
import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import { IndexerError, type PlainError } from "../client/indexer-error.ts";
import type { Given } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { platform, readClock } from "../requests/platform.ts";
import { notify } from "../requests/wait.ts";
import { readFailure, send } from "./send.ts";
import type { Client, PortableOperation, WatchOptions } from "./types.ts";

/**
 * Returns the rows of several chains as they appear, as without a proxy: one request to it for all chains that are due.
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
  { chains, from, interval = 10_000, onError, signal, ...own }: WatchOptions<T[P], List>,
): AsyncGenerator<Batch<Row<R>, KeysOf<T[P], List>>, void, undefined> {
  type Key = KeysOf<T[P], List>;
  const stop = new platform.AbortController();
  const due = new Map<unknown, { readonly time: number; readonly failures: number }>();
  const schedule = (chain: unknown, pause: number, error?: IndexerError) => {
    const failures = error ? (due.get(chain)?.failures ?? 0) + 1 : 0;
    due.set(chain, { time: readClock() + (error ? pauseAfter(failures - 1) : pause), failures });
    if (error) notify((one: IndexerError) => onError?.(one, chain as Key), error);
  };
  let wake = () => {};
  let timer: unknown;
  const end = () => wake();
  signal?.addEventListener("abort", end);
  let asked: unknown = chains;
  let next: string | undefined;
  try {
    while (!signal?.aborted) {
      try {
        const options = { ...own, chains: asked, ...(next ? { next } : { after: from }), signal };
        const sent = { call: "watch", operation, variables, options, stop };
        const poll = await send(client, sent, isPoll<R, Key>);
        // The keys of the first answer are used from now on.
        if (!next) due.clear();
        next = poll.next;
        for (const chain of poll.chains) {
          const failure = poll.failed.find((one) => one.chain === chain);
          schedule(chain, poll.more.includes(chain) ? 0 : interval, failure && readFailure(failure.error, 0));
        }
        yield* poll.batches;
      } catch (error) {
        if (!IndexerError.is(error) || error.code === "invalid-variables") throw error;
        for (const chain of [asked].flat()) schedule(chain, 0, error);
      }
      if (due.size === 0) return;
      const first = Math.min(...[...due.values()].map(({ time }) => time));
      await new Promise<void>((done) => {
        wake = done;
        timer = platform.setTimeout(done, first - readClock());
      });
      platform.clearTimeout(timer);
      const now = Math.max(first, readClock());
      if (next) asked = [...due].flatMap(([chain, { time }]) => (time <= now ? [chain] : []));
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    stop.abort();
  }
}

function isPoll<R, C>({ batches, next }: Poll<R, C>): unknown {
  return Array.isArray(batches) && next;
}

/** The answer to one poll. */
type Poll<R, C> = {
  readonly chains: readonly C[];
  readonly batches: readonly Batch<Row<R>, C>[];
  readonly failed: readonly { readonly chain: C; readonly error: PlainError }[];
  /** The chains that may have more rows already. */
  readonly more: readonly C[];
  readonly next: string;
};
