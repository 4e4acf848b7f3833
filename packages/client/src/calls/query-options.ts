import type { IndexerError } from "../client/indexer-error.ts";
import type { QueryTag } from "../client/query-tag.ts";
import { platform, type Signal } from "../requests/platform.ts";
import { onAbort, throwIfAborted } from "../requests/wait.ts";

/** The options of a query for a library that caches answers, such as TanStack Query. */
export type Query<T, Context = { readonly signal: Signal }, Cached = T> = {
  /** Contains everything that decides the answer. */
  readonly queryKey: QueryKey<Cached>;
  readonly queryFn: (context: Context) => Promise<T>;
  /** Returns false, because the client retries. Its type makes errors of a query `IndexerError`. */
  readonly retry: (failures: number, error: IndexerError) => boolean;
};

/** The key of a query. `QueryTag` has the type of its answer for `getQueryData`. */
export type QueryKey<T> = readonly unknown[] & QueryTag<T, IndexerError>;

/** The options of TanStack Query's `useInfiniteQuery`. */
export type PagesQuery<T, Param> = Query<T, PageContext<Param>, { pages: T[]; pageParams: Param[] }> & {
  readonly initialPageParam: Param;
  readonly getNextPageParam: (last: T) => Param | null;
};

export type PageContext<Param> = { readonly signal: Signal; readonly pageParam: Param };

/** Returns the options of a query whose request is aborted by its own signal and by that of the library. */
export function cacheable<
  T,
  Options extends { readonly signal?: Signal | undefined },
  Context extends { readonly signal: Signal },
  Cached,
>(
  key: readonly unknown[],
  options: Options,
  ask: (options: Options, context: Context) => Promise<T>,
): Query<T, Context, Cached> {
  return {
    queryKey: key as QueryKey<Cached>,
    queryFn: async (context) => {
      // React Native has no `AbortSignal.any`.
      const signals = [options.signal, context.signal];
      signals.forEach(throwIfAborted);
      const stop = new platform.AbortController();
      const forget = signals.map((signal) => onAbort(signal, (reason) => stop.abort(reason)));
      try {
        return await ask({ ...options, signal: stop.signal }, context);
      } finally {
        for (const end of forget) end();
      }
    },
    retry: () => false,
  };
}

/** The parts of a client, an operation and the options of a call that keys contain. */
type Keyed = {
  readonly client: { readonly name?: unknown; readonly environment?: unknown; readonly maxLag?: unknown };
  readonly operation: { readonly protocol: string; readonly name: string; readonly digest?: string };
  readonly variables: unknown;
  readonly options: object;
};

/**
 * Builds the key of a query, the same in a page behind a proxy and on its server. It needs no readers: whole numbers are text,
 * and addresses in lower case. The digest of the texts is last, because stored rows of other texts may lack fields.
 *
 * @param others further values that decide the answer.
 */
export function keyOf({ client, operation, variables, options }: Keyed, ...others: unknown[]): unknown[] {
  const { style, block, minBlock, maxLag = client.maxLag, chain, chains = chain } = options as KeyedOptions;
  const { name, environment = "production" } = client;
  const { protocol, name: operationName, digest } = operation;
  const asked = { ...(name === undefined ? { environment } : { name }), style, block, minBlock, maxLag };
  const key = ["lockflow", protocol, operationName, chains, variables ?? {}, asked, ...others, digest];
  return JSON.parse(
    JSON.stringify(key, (_, value: unknown) =>
      typeof value === "bigint" || Number.isSafeInteger(value)
        ? String(value)
        : typeof value === "string"
          ? value.replace(/0x[\da-f]{40,}/gi, (address) => address.toLowerCase())
          : value,
    ),
  );
}

type KeyedOptions = Readonly<
  Partial<Record<"style" | "block" | "minBlock" | "maxLag" | "chain" | "chains", unknown>>
>;
