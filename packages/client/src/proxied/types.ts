import type { EachOptions as DirectEachOptions } from "../calls/each.ts";
import type { CallOptions as DirectCallOptions } from "../calls/start-call.ts";
import type { WatchOptions as DirectWatchOptions } from "../calls/watch.ts";
import type { ChainList, ChainRef } from "../client/chain-ref.ts";
import type { MaxLag } from "../client/client-types.ts";
import type { ChainInId, Kind } from "../client/portable-operation.ts";
import type { Chains, Environment, Project } from "../manifest/manifest-types.ts";
import type { Fetch, HeaderValues } from "../requests/platform.ts";

/** The options of a client behind a proxy. */
export type ClientOptions = {
  /** The URL of the proxy. */
  readonly proxy: string;
  /** Headers for the proxy, or a function that returns them for each request. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>) | undefined;
  /** @default the platform's own */
  readonly fetch?: Fetch | undefined;
  /** The time limit of a call, in milliseconds; the proxy may have a lower one. @default 30_000 */
  readonly deadline?: number | undefined;
  /** Distinguishes clients in the keys of queries. @default their environment */
  readonly name?: string | undefined;
  /** The maximum lag of an answer; the proxy may have a stricter one. @default that of the proxy */
  readonly maxLag?: MaxLag | undefined;
  /** The environment of the proxy, for the keys of queries. @default "production" */
  readonly environment?: Environment | undefined;
};

/** A client behind a proxy, the first argument of each function: `run(client, …)`. */
export type Client<T extends Project = Project> = ClientOptions & {
  /** Type only; absent at run time. */
  readonly __project?: T;
};

/** A portable operation, which the proxy has. */
export type PortableOperation<P extends string, R, V, K extends Kind, C = unknown> = {
  readonly name: string;
  readonly protocol: P;
  /** A digest of its texts, so that a page does not get rows of others. */
  readonly digest?: string;
  /** Type only; absent at run time. */
  readonly __types?: (variables: V) => readonly [R, K, C];
};

/** A generated operation without its texts and readers. */
export type Proxied<O> = Pick<O, Extract<keyof O, "name" | "protocol" | "digest" | "not" | "__types">> &
  (O extends ChainInId ? HasChain : unknown);

/** An operation whose variables contain a chain, so that `chain` may be omitted. */
export type HasChain = { readonly chainOf: unknown };

/** The options of a call. */
export type CallOptions = Omit<DirectCallOptions, "timeout">;

/** The chain, and the options of the call. */
export type RunOptions<C extends Chains = Chains, Ref = ChainRef<C>> = CallOptions & { readonly chain: Ref };

/** The options if an id in the variables contains the chain. */
export type ChainlessOptions = CallOptions & { readonly chain?: undefined };

/** The chains, and the options of each. */
export type EachOptions<C extends Chains, R, List = ChainList<C>> = CallOptions & {
  readonly chains: List;
} & Pick<DirectEachOptions<C, R, List>, "onResult">;

/** The chains whose rows are merged. */
export type MergedOptions<C extends Chains = Chains, List = ChainList<C>> = CallOptions & {
  readonly chains: List;
};

/** The chains, and the options of the requests. */
export type HealthOptions<C extends Chains = Chains, List = ChainList<C>> = Omit<CallOptions, "minBlock"> & {
  readonly chains: List;
};

/** The chain whose rows are paged, and the options of pages. */
export type PageOptions<C extends Chains = Chains> = RunOptions<C> & {
  /** Rows of a page, 1 to 1000. @default 1000 */
  readonly size?: number | undefined;
  /** The cursor to continue from. @default the beginning */
  readonly after?: string | undefined;
  /** Whether to continue in another style if one fails. Pages are then not of one block. @default false */
  readonly switchStyle?: boolean | undefined;
};

/** The chains whose rows are paged, and the options of pages. */
export type ChainPageOptions<C extends Chains = Chains, List = ChainList<C>> = CallOptions & {
  readonly chains: List;
  /** Rows of a page, 1 to 1000. @default 1000 */
  readonly size?: number | undefined;
  /** The cursor of a page: rows after it are returned. @default the beginning */
  readonly after?: string | undefined;
};

/** The chains whose rows are collected, and the most rows. */
export type AllOptions<C extends Chains = Chains, List = ChainList<C>> = ChainPageOptions<C, List> & {
  /** The most rows to return. @default 10_000 */
  readonly limit?: number | undefined;
};

/** The chains whose new rows are returned, and the options of `watch`. */
export type WatchOptions<C extends Chains = Chains, List = ChainList<C>> = Omit<
  CallOptions,
  "block" | "minBlock"
> & { readonly chains: List } & Pick<
    DirectWatchOptions<C, List>,
    "from" | "confirmations" | "interval" | "size" | "onError"
  >;
