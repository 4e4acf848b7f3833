import {
  type Chain,
  type ChainList,
  type ChainRef,
  type KeyOf,
  type KeysOf,
  listKeys,
  requestedKey,
} from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import type { IndexerError } from "../client/indexer-error.ts";
import type { ChainInId, Given, Kind, PortableOperation } from "../client/portable-operation.ts";
import type { QueryTag } from "../client/query-tag.ts";
import type { EndpointRequest, Project } from "../manifest/manifest-types.ts";
import { HEALTH } from "../requests/heads.ts";
import { platform, type Signal } from "../requests/platform.ts";
import { onAbort, throwIfAborted } from "../requests/wait.ts";
import { convertVariables } from "../variables/map-variables.ts";
import { type EachOptions, each } from "./each.ts";
import { type Health, type HealthOptions, health } from "./health.ts";
import { type Merged, type MergedOptions, merged, type Row } from "./merged.ts";
import {
  type ChainPageOptions,
  type ChainPageRead,
  type ChainPlaces,
  firstChainPlaces,
  readChainPage,
} from "./pages-of-chains.ts";
import { firstPlace, type PageOptions, type PageRead, type Place, readPage } from "./read-page.ts";
import { type ChainlessOptions, type RunOptions, run } from "./run.ts";
import { type CallOptions, readBlocks, type Settled, type Success } from "./start-call.ts";

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

/** `run` for a library that caches answers: `useQuery(query(client, StreamById, { id }, { chain }))`. */
export function query<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind> & ChainInId,
  variables: Given<V>,
  options?: ChainlessOptions,
): Query<Success<R, Chain<T[P]>>>;
export function query<T extends Project, P extends keyof T & string, R, V, const Ref extends ChainRef<T[P]>>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: RunOptions<T[P], Ref>,
): Query<Success<R, KeyOf<T[P], Ref>>>;
export function query<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: CallOptions & { readonly chain?: unknown } = {},
): Query<Success<R, never>> {
  const key = keyOf(client, operation, variables, options);
  return cacheable(key, options, (own) => run(client, operation, variables, own as RunOptions<T[P], never>));
}

/** `each` for a library that caches answers. */
export function queryEach<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: EachOptions<T[P], R, List>,
): Query<readonly Settled<R, KeysOf<T[P], List>>[]> {
  const key = keyOf(client, operation, variables, options);
  return cacheable(key, options, (own) => each(client, operation, variables, own));
}

/** `merged` for a library that caches answers. */
export function queryMerged<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "list" | "pages">,
  variables: Given<V>,
  options: MergedOptions<T[P], List>,
): Query<Merged<R, KeysOf<T[P], List>>> {
  const key = [...keyOf(client, operation, variables, options), "merged"];
  return cacheable(key, options, (own) => merged(client, operation, variables, own));
}

/** `health` for a library that caches answers. */
export function queryHealth<
  T extends Project,
  P extends keyof T & string,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  protocol: P,
  options: HealthOptions<T[P], List>,
): Query<readonly Settled<Health, KeysOf<T[P], List>>[]> {
  const operation = { protocol, name: HEALTH, subgraph: "" };
  const key = keyOf(client, operation as unknown as Keyed<P, object>, {}, options);
  return cacheable(key, options, (own) => health(client, protocol, own));
}

/** `pages` for a library that caches answers and requests the next page itself: `useInfiniteQuery(queryPages(…))`. */
export function queryPages<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]>,
): PagesQuery<PageRead<Row<R>>, Place>;
export function queryPages<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: ChainPageOptions<T[P], List>,
): PagesQuery<ChainPageRead<Row<R>, KeysOf<T[P], List>>, ChainPlaces>;
export function queryPages<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]> | ChainPageOptions<T[P]>,
): unknown {
  const { size = 1000, after = null } = options;
  const key = [...keyOf(client, operation, variables, options), "pages", size, after];
  const getNextPageParam = <P>({ next }: { readonly next: P | null }) => next;
  if ("chain" in options) {
    type Context = PageContext<Place>;
    const read = (own: PageOptions<T[P]>, { pageParam }: Context) =>
      readPage({ client, operation, variables, options: { ...own, isScreen: true } }, pageParam);
    const initialPageParam = firstPlace(options);
    return { ...cacheable([...key, options.switchStyle], options, read), initialPageParam, getNextPageParam };
  }
  type Context = PageContext<ChainPlaces>;
  const read = (own: ChainPageOptions<T[P]>, { pageParam }: Context) =>
    readChainPage({ client, operation, variables, options: { ...own, isScreen: true } }, pageParam);
  const initialPageParam = firstChainPlaces({ client, operation }, options);
  return { ...cacheable(key, options, read), initialPageParam, getNextPageParam };
}

/** The options of TanStack Query's `useInfiniteQuery`. */
export type PagesQuery<T, Param> = Query<T, PageContext<Param>, { pages: T[]; pageParams: Param[] }> & {
  readonly initialPageParam: Param;
  readonly getNextPageParam: (last: T) => Param | null;
};

type PageContext<Param> = { readonly signal: Signal; readonly pageParam: Param };

type Keyed<P extends string, V> = PortableOperation<P, unknown, V, Kind>;

function cacheable<T, Options extends CallOptions, Context extends { readonly signal: Signal }, Cached>(
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
      const forget = signals.map((one) => onAbort(one, (reason) => stop.abort(reason)));
      try {
        return await ask({ ...options, signal: stop.signal }, context);
      } finally {
        for (const end of forget) end();
      }
    },
    retry: () => false,
  };
}

/**
 * The key has the names of endpoints, because their URLs may contain API keys, and the digest of the texts, because stored
 * rows of other texts may lack fields.
 */
function keyOf<P extends string, V>(
  client: Client,
  operation: Keyed<P, V>,
  variables: Given<V>,
  options: CallOptions & { readonly chain?: unknown; readonly chains?: unknown },
): readonly unknown[] {
  const { style, maxLag = client.maxLag, chain, chains } = options;
  // The query reports errors: keys are built while a page renders, and must not throw.
  const attempt = <T>(read: () => T): T | string => {
    try {
      return read();
    } catch (error) {
      return String(error);
    }
  };
  let blocks: object | undefined;
  const own = attempt(() => {
    blocks = readBlocks(client, options);
    return convertVariables(operation, "subgraph", { variables });
  });
  const { protocol, name: operationName, digest } = operation;
  const keys =
    chains === undefined
      ? [attempt(() => requestedKey(client, operation, variables, chain))]
      : listKeys(client, protocol, chains as ChainList<never>);
  const where =
    chains === undefined ? keys[0] : typeof chains === "string" && keys.length !== 1 ? chains : keys;
  const { name, environment } = client;
  const styles = style ? [style] : client.styles;
  const endpoints = client.isCustom
    ? styles.map((one) =>
        keys.map((key) => nameEndpoint(client, { protocol, style: one, chain: key, environment })),
      )
    : undefined;
  const asked = name === undefined ? { styles, environment, endpoints } : { name, style };
  return ["lockflow", protocol, operationName, where, own, { ...asked, ...blocks, maxLag, digest }];
}

function nameEndpoint(client: Client, request: EndpointRequest): string | undefined {
  try {
    return client.endpoint(request)?.deployment;
  } catch {
    // The query reports it.
    return undefined;
  }
}
