import type { Row } from "../calls/merged.ts";
import { type Batch, pauseAfter } from "../calls/watch.ts";
import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import { IndexerError, type PlainError, throwable } from "../client/indexer-error.ts";
import type { Given } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { platform, readClock, type Signal } from "../requests/platform.ts";
import { notify } from "../requests/wait.ts";
import { send } from "./send.ts";
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
  const failures = new Map<unknown, number>();
  const times = new Map<unknown, number>();
  const later = (chain: unknown, pause: number) => times.set(chain, readClock() + pause);
  const fail = (chain: unknown, error: IndexerError) => {
    notify((one: IndexerError) => onError?.(one, chain as Key), error);
    const count = failures.get(chain) ?? 0;
    failures.set(chain, count + 1);
    later(chain, pauseAfter(count));
  };
  let asked: unknown = chains;
  let at: object = { after: from };
  try {
    while (!signal?.aborted) {
      try {
        const options = { ...own, ...at, chains: asked, signal };
        const {
          chains: read,
          batches,
          failed,
          more,
          next,
        } = await send<Poll<R, Key>>(
          client,
          { call: "watch", operation, variables, options, stop },
          ({ chains, batches, failed, more, next }) =>
            [chains, batches, failed, more].every(Array.isArray) && next,
        );
        // The keys of the first answer are used from now on.
        if (!("next" in at)) times.clear();
        at = { next };
        for (const chain of read) {
          if (failed.every((one) => one.chain !== chain)) failures.delete(chain);
          later(chain, more.includes(chain) ? 0 : interval);
        }
        for (const { chain, error } of failed) fail(chain, throwable(error));
        yield* batches;
      } catch (error) {
        if (!IndexerError.is(error) || error.code === "invalid-variables") throw error;
        for (const chain of [asked].flat()) fail(chain, error);
      }
      if (times.size === 0) return;
      const first = Math.min(...times.values());
      await sleep(signal, first - readClock());
      const now = Math.max(first, readClock());
      if ("next" in at) asked = [...times].flatMap(([chain, time]) => (time <= now ? [chain] : []));
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    stop.abort();
  }
}

/** Waits, at most until the signal is aborted. */
function sleep(signal: Signal | undefined, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      platform.clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = platform.setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
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
