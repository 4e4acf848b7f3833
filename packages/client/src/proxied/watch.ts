import type { Row } from "../calls/merged.ts";
import { type Batch, pauseAfter } from "../calls/watch.ts";
import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import { IndexerError, type PlainError } from "../client/indexer-error.ts";
import type { Given } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { readClock } from "../requests/platform.ts";
import { notify } from "../requests/wait.ts";
import { onEnd, readFailure, send } from "./send.ts";
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
  /** When each chain is requested again, by `readClock`. */
  const due = new Map<unknown, number>();
  const failures = new Map<unknown, number>();
  const fail = (chain: unknown, error: IndexerError | undefined) => {
    const before = failures.get(chain) ?? 0;
    failures.set(chain, before + 1);
    due.set(chain, readClock() + pauseAfter(before));
    notify((failure) => failure && onError?.(failure, chain as Key), error);
  };
  let asked: unknown = chains;
  let next: string | undefined;
  while (!signal?.aborted) {
    try {
      const options = { ...own, chains: asked, after: next ? undefined : from, next, signal };
      const poll = await send(
        client,
        { call: "watch", operation, variables, options },
        (answer: Poll<R, Key>) => Array.isArray(answer.batches) && answer.next,
      );
      // The keys of the first answer are used from now on.
      if (!next) due.clear();
      next = poll.next;
      for (const chain of poll.chains) {
        failures.delete(chain);
        due.set(chain, readClock() + interval);
      }
      for (const chain of poll.more) due.set(chain, 0);
      for (const { chain, error } of poll.failed) fail(chain, readFailure(error));
      yield* poll.batches;
    } catch (error) {
      if (signal?.aborted) return;
      if (!IndexerError.is(error) || error.code === "invalid-variables") throw error;
      for (const chain of [asked].flat()) fail(chain, error);
    }
    if (due.size === 0) return;
    const first = Math.min(...due.values());
    let forget = () => {};
    await new Promise<void>((done) => {
      forget = onEnd(signal, first - readClock(), done);
    });
    forget();
    const now = Math.max(first, readClock());
    if (next) asked = [...due.keys()].filter((chain) => Number(due.get(chain)) <= now);
  }
}

/** The answer to one poll. */
type Poll<R, C> = {
  /** The chains that answered. */
  readonly chains: readonly C[];
  readonly batches: readonly Batch<Row<R>, C>[];
  readonly failed: readonly { readonly chain: C; readonly error: PlainError }[];
  /** Those that may have more rows already. */
  readonly more: readonly C[];
  readonly next: string;
};
