import type {
  Endpoint,
  EndpointRequest,
  Environment,
  Project,
  Routes,
  StyleName,
  Variables,
} from "../manifest/manifest-types.ts";
import type { ErrorCode } from "./indexer-error.ts";
import type { Fetch, HeaderValues, Signal } from "./platform.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";

/** How a client asks. */
export type ClientOptions<Request extends EndpointRequest = EndpointRequest> = {
  /** Tells clients apart in the keys of queries. @default their styles, environment and the names of own endpoints */
  readonly name?: string | undefined;
  /** Where a deployment is asked; null where it is not. @default the endpoints of the configuration */
  readonly endpoint?: FindEndpoint<Request> | undefined;
  /** Which URLs of subgraphs are meant. @default "production" */
  readonly environment?: Environment | undefined;
  /** The variables that keys and URLs are read from. @default process.env, where there is one */
  readonly env?: Variables | undefined;
  /** The URL of a proxy, which has the keys and knows where deployments are asked. @default none */
  readonly proxy?: string | undefined;
  /** Further headers for an endpoint. */
  readonly headers?: ((target: Endpoint) => HeaderValues | Promise<HeaderValues>) | undefined;
  /** @default the platform's own */
  readonly fetch?: Fetch | undefined;
  /** The styles in the order in which they are tried. @default ["multichain", "subgraph"] */
  readonly styles?: readonly StyleName[] | undefined;
  /** For one HTTP request, in milliseconds. @default 15_000 */
  readonly timeout?: number | undefined;
  /** For a whole question with its retries, in milliseconds. @default 30_000 */
  readonly deadline?: number | undefined;
  /** How often a style is asked again. @default 2 */
  readonly retries?: number | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds. @default 10_000 */
  readonly maxWait?: number | undefined;
  /** Requests in flight. @default 6 */
  readonly concurrency?: number | undefined;
  /** How late an answer may be. @default any */
  readonly maxLag?: MaxLag | undefined;
  /** Whether answers tell the block that they are of. Where not, texts are sent as they are published. @default true */
  readonly freshness?: boolean | undefined;
  /**
   * Whether `each` sends the questions for several chains of one endpoint as a list, ten by one HTTP request. A host that
   * refuses lists is asked one by one. @default false
   */
  readonly batch?: boolean | undefined;
  /** The time, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Called after every HTTP request. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
};

// A method, so that a function of a project, which takes its own requests alone, is one.
type FindEndpoint<Request> = { find(request: Request): Endpoint | null }["find"];

/** Seconds; a later answer is an error. With `or: "best"` the least late one is taken where all are late. */
export type MaxLag = number | { readonly seconds?: number; readonly or: "best" };

/** One HTTP request that has ended. It holds no URL and no key. */
export type RequestEvent = {
  readonly deployment: string;
  readonly style: StyleName;
  readonly operation: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The status of the HTTP answer; null where there was none. */
  readonly status: number | null;
  /** Null where it was answered, or aborted. */
  readonly code: ErrorCode | null;
};

/** How to ask, and what the requests of one client share. Functions take it: `run(client, …)`. */
export type Client<T extends Project = Project> = Complete<
  ClientOptions,
  "env" | "headers" | "maxLag" | "name" | "onRequest" | "proxy"
> & {
  /** Type only; absent at run time. */
  readonly __project?: T;
  /** Whether its endpoints are not those of the routes. */
  readonly isCustom: boolean;
  /** Builds what is sent: the text of an operation, or its name to a proxy. */
  readonly buildPart: BuildPart;
  readonly routes: Routes;
  readonly shared: Shared;
};

type Complete<T, Open extends keyof T> = Pick<T, Open> & {
  readonly [K in Exclude<keyof T, Open>]-?: Exclude<T[K], undefined>;
};

/** What the requests of a client share. */
type Shared = {
  /** Retries left in each style: an outage must not double its own traffic. */
  readonly tokens: Map<string, number>;
  running: number;
  /** Who waits for a request to end, to start the next. */
  readonly waiting: Set<() => void>;
  /** Until when a host has asked to be left alone, by the clock of the platform. */
  readonly resting: Map<string, number>;
  /** The last head of each deployment and chain, and when it was first seen. */
  readonly heads: Map<string, { readonly block: number; readonly time: number }>;
  /** Hosts whose last requests failed: how many in a row, and until when they are asked last. */
  readonly failing: Map<string, { readonly count: number; readonly until: number }>;
  /** The URLs of hosts that take no lists of questions. */
  readonly refusing: Set<string>;
};

/** What is asked, and how. */
export type Inquiry<P extends string, R, V> = {
  readonly client: Client;
  readonly operation: PortableOperation<P, R, V, Kind>;
  readonly variables: Given<V>;
  readonly signal?: Signal | undefined;
  readonly block?: BlockRef | undefined;
  readonly minBlock?: MinBlock | undefined;
  readonly maxLag?: MaxLag | undefined;
};

/** The block that an answer must have reached, of every chain or by the key of a chain. */
export type MinBlock = number | Readonly<Record<string, number>>;

/** A block by its number or its hash. */
export type BlockRef =
  | { readonly number: number; readonly hash?: undefined }
  | { readonly hash: `0x${string}`; readonly number?: undefined };

/** What a client asks of its proxy: the name of an operation, and neither its text nor where it is asked. */
export type ProxyQuestion = {
  readonly protocol: string;
  readonly operation: string;
  readonly style: StyleName;
  /** Keys or ids; several where one endpoint serves them all. */
  readonly chains: readonly (string | number)[];
  /** As the operation has them in both styles. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly block?: BlockRef | undefined;
  /** Whether the answer has to tell its block. */
  readonly heads: boolean;
};

/** A text and its variables, or what a proxy has these from. */
export type Part =
  | { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }
  | ProxyQuestion;

/** Builds what is sent to an endpoint about some of its chains. */
export type BuildPart = <P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  style: StyleName,
  chains: readonly string[],
) => Part;
