import type { AllRows } from "../calls/all.ts";
import type { Health } from "../calls/health.ts";
import type { Merged, Row } from "../calls/merged.ts";
import type { ChainPage } from "../calls/pages-of-chains.ts";
import { cacheable, keyOf, type PageContext, type PagesQuery, type Query } from "../calls/query-options.ts";
import type { Page } from "../calls/read-page.ts";
import type { Settled, Success } from "../calls/start-call.ts";
import type { Chain, ChainList, ChainRef, KeyOf, KeysOf } from "../client/chain-ref.ts";
import type { Given, Kind } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { HEALTH } from "../requests/heads.ts";
import { each, health, merged, run } from "./calls.ts";
import { all } from "./pages.ts";
import type { Sent } from "./send.ts";
import { type Line, sendLines } from "./send-lines.ts";
import type {
  AllOptions,
  CallOptions,
  ChainlessOptions,
  ChainPageOptions,
  Client,
  EachOptions,
  HasChain,
  HealthOptions,
  MergedOptions,
  PageOptions,
  PortableOperation,
  RunOptions,
} from "./types.ts";

/** `run` for a library that caches answers: `useQuery(query(client, StreamById, { id }, { chain }))`. */
export function query<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind> & HasChain,
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
  options: CallOptions = {},
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

/** Where a page begins: null for the first one. An opaque text, of the proxy. */
export type Place = string | null;

/** A page, and where the next one begins; null after the last page. */
export type PageRead<T> = { readonly page: Page<T>; readonly next: Place };

/** A page over several chains, and where the next one begins: null if there is none. */
export type ChainPageRead<T, C extends string> = { readonly page: ChainPage<T, C>; readonly next: Place };

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
): PagesQuery<ChainPageRead<Row<R>, KeysOf<T[P], List>>, Place>;
export function queryPages(
  client: Client,
  operation: Sent["operation"] & { readonly name: string },
  variables: unknown,
  options: CallOptions & Partial<Pick<PageOptions, "size" | "after" | "switchStyle">>,
): unknown {
  const { size = 1000, after = null, switchStyle } = options;
  const key = keyOf({ client, operation, variables, options }, "pages", size, after, switchStyle);
  const read = async (
    { after, ...rest }: typeof options,
    { pageParam }: PageContext<unknown>,
  ): Promise<Line | undefined> => {
    // A server that prefetched the page without a proxy has stored an object.
    const next = typeof pageParam === "object" ? JSON.stringify(pageParam) : pageParam;
    const place = pageParam === null ? { after } : { next };
    let found: Line | undefined;
    const sent = { call: "pages", operation, variables, options: { ...rest, ...place, count: 1 } };
    await sendLines(client, sent, (line) => {
      found ??= line;
    });
    return found;
  };
  return {
    ...cacheable(key, options, read),
    initialPageParam: null,
    getNextPageParam: ({ next }: { readonly next: unknown }) => next,
  };
}
