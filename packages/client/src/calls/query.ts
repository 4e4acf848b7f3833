import type { Chain, ChainList, ChainRef, KeyOf, KeysOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import type { ChainInId, Given, Kind, PortableOperation } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { HEALTH } from "../requests/heads.ts";
import { type AllOptions, type AllRows, all } from "./all.ts";
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
import { cacheable, keyOf, type PageContext, type PagesQuery, type Query } from "./query-options.ts";
import { firstPlace, type PageOptions, type PageRead, type Place, readPage } from "./read-page.ts";
import { type ChainlessOptions, type RunOptions, run } from "./run.ts";
import type { CallOptions, Settled, Success } from "./start-call.ts";

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
  const key = keyOf({ client, operation, variables, options });
  return cacheable(key, options, (callOptions) =>
    run(client, operation, variables, callOptions as RunOptions<T[P], never>),
  );
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
  const key = keyOf({ client, operation, variables, options });
  return cacheable(key, options, (callOptions) => each(client, operation, variables, callOptions));
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
  const key = keyOf({ client, operation, variables, options }, "merged");
  return cacheable(key, options, (callOptions) => merged(client, operation, variables, callOptions));
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
  const key = keyOf({ client, operation: { protocol, name: HEALTH }, variables: {}, options });
  return cacheable(key, options, (callOptions) => health(client, protocol, callOptions));
}

/** `all` for a library that caches answers. */
export function queryAll<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: AllOptions<T[P], List>,
): Query<AllRows<Row<R>, KeysOf<T[P], List>>> {
  const key = keyOf({ client, operation, variables, options }, "all", options.limit, options.after);
  return cacheable(key, options, (callOptions) => all(client, operation, variables, callOptions));
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
  const { switchStyle } = options as PageOptions<T[P]>;
  const key = keyOf({ client, operation, variables, options }, "pages", size, after, switchStyle);
  const getNextPageParam = <P>({ next }: { readonly next: P | null }) => next;
  if ("chain" in options) {
    type Context = PageContext<Place>;
    const read = (callOptions: PageOptions<T[P]>, { pageParam }: Context) =>
      readPage({ client, operation, variables, options: { ...callOptions, isScreen: true } }, pageParam);
    const initialPageParam = firstPlace(options);
    return { ...cacheable(key, options, read), initialPageParam, getNextPageParam };
  }
  type Context = PageContext<ChainPlaces>;
  const read = (callOptions: ChainPageOptions<T[P]>, { pageParam }: Context) =>
    readChainPage({ client, operation, variables, options: { ...callOptions, isScreen: true } }, pageParam);
  const initialPageParam = firstChainPlaces({ client, operation }, options);
  return { ...cacheable(key, options, read), initialPageParam, getNextPageParam };
}
