import type {
  Endpoint,
  EndpointRequest,
  Environment,
  Project,
  Routes,
  StyleName,
  Variables,
} from "../manifest/manifest-types.ts";
import type { Fetch, Headers, HeaderValues, Signal } from "../requests/platform.ts";
import type { ReadAnswer } from "../requests/read-answer.ts";
import type { ErrorCode, IndexerError } from "./indexer-error.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";

/** The options of a client. */
export type ClientOptions<Request extends EndpointRequest = EndpointRequest> = {
  /** Distinguishes clients in the keys of queries. @default their environment */
  readonly name?: string | undefined;
  /** Returns the endpoint of a deployment; null if there is none. @default the endpoints of the configuration */
  readonly endpoint?: FindEndpoint<Request> | undefined;
  /** The environment of subgraph URLs. @default "production" */
  readonly environment?: Environment | undefined;
  /** The variables that keys and URLs are read from. @default process.env, where there is one */
  readonly env?: Variables | undefined;
  /** Further headers for an endpoint. */
  readonly headers?: AddHeaders | undefined;
  /** @default the platform's own */
  readonly fetch?: Fetch | undefined;
  /** The styles in the order in which they are tried. @default ["multichain", "subgraph"] */
  readonly styles?: readonly StyleName[] | undefined;
  /** The time limit of one HTTP request, in milliseconds. @default 15_000 */
  readonly timeout?: number | undefined;
  /** The time limit of a call with its retries, in milliseconds. @default 30_000 */
  readonly deadline?: number | undefined;
  /** The most retries in a style. @default 2 */
  readonly retries?: number | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds. @default 10_000 */
  readonly maxWait?: number | undefined;
  /** The most requests in flight to one deployment. @default 6 */
  readonly concurrency?: number | undefined;
  /** The most requests in flight to all deployments. @default ten times `concurrency` */
  readonly totalConcurrency?: number | undefined;
  /** The maximum lag of an answer. @default no limit */
  readonly maxLag?: MaxLag | undefined;
  /** Whether to request the head block with each operation. If not, operations are sent as published. @default true */
  readonly freshness?: boolean | undefined;
  /**
   * Whether `each` sends the requests for several chains of one endpoint as a batch, ten in one HTTP request. A host that
   * refuses batches gets single requests. @default false
   */
  readonly batch?: boolean | undefined;
  /** The time, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Called after every HTTP request. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
};

// A method type is bivariant: a function that takes only the requests of its project is assignable.
type FindEndpoint<Request> = { find(request: Request): OwnEndpoint | null }["find"];

// Likewise, so that a function that takes an endpoint of the manifest is assignable.
type AddHeaders = { add(target: RequestTarget): HeaderValues | Promise<HeaderValues> }["add"];

/** The endpoint of a request. */
type RequestTarget = OwnEndpoint & Pick<Endpoint, "headers" | "chains">;

/** An endpoint of the application: its URL, and the name of the deployment for errors and keys. Other members have defaults. */
export type OwnEndpoint = Pick<Endpoint, "url" | "deployment"> & Partial<Endpoint>;

/** Seconds: more lag is an error. With `or: "best"`, the answer with the least lag is returned if all have more. */
export type MaxLag = number | { readonly seconds?: number; readonly or: "best" };

/** One HTTP request that has ended. It contains no URL and no key. */
export type RequestEvent = {
  readonly deployment: string;
  readonly style: StyleName;
  readonly operation: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** Null if it succeeded or was aborted. */
  readonly code: ErrorCode | null;
};

/** The options and the shared state of a client, the first argument of each function: `run(client, …)`. */
export type Client<T extends Project = Project> = Complete<
  ClientOptions,
  "env" | "headers" | "maxLag" | "name" | "onRequest"
> & {
  /** Type only; absent at run time. */
  readonly __project?: T;
  /** Whether the application has its own `endpoint` function. */
  readonly isCustom: boolean;
  /** Builds a request with the text of an operation; in tests, with its name. */
  readonly buildPart: BuildPart;
  /** Reads an answer. */
  readonly readAnswer: ReadAnswer;
  /** Adds the keys of an endpoint to the headers of a request. */
  readonly addKeys: (client: Client, target: Target, added: Headers) => void;
  readonly routes: Routes;
  readonly shared: Shared;
};

type Complete<T, Open extends keyof T> = Pick<T, Open> & {
  readonly [K in Exclude<keyof T, Open>]-?: Exclude<T[K], undefined>;
};

/** The state that the requests of a client share. */
type Shared = {
  /** Retries left in each style: an outage must not double its own traffic. */
  readonly retries: Record<StyleName, number>;
  /** The requests in flight. */
  running: number;
  /** Those to each deployment. */
  readonly slots: Map<string, Slots>;
  /** After a 429: until when the host gets no requests, by `readClock`. */
  readonly paused: Map<string, number>;
  /** The last head of each deployment and chain, and when it was first seen. */
  readonly heads: Map<string, { readonly block: number; readonly time: number }>;
  /** Deployments whose last requests failed. */
  readonly failing: Map<string, Outage>;
  /** The URLs of endpoints that refuse batches. */
  readonly refusing: Set<string>;
};

/** The requests to a deployment: how many are in flight, and callbacks that start the next ones. */
export type Slots = { running: number; readonly waiting: Set<() => void> };

/** Failures of a deployment in a row. */
type Outage = {
  count: number;
  /** How many of the last ones were timeouts. */
  hung: number;
  /** Until when it is used last, by `readClock`. */
  until: number;
  /** Whether it timed out twice and has a request in flight: until that ends, it gets no other. */
  isProbed: boolean;
};

/** A call of an operation: its variables, and the options of the client with those of the call. */
export type Call<P extends string, R, V> = {
  readonly client: Client;
  readonly operation: PortableOperation<P, R, V, Kind>;
  readonly variables: Given<V>;
  readonly styles: readonly StyleName[];
  readonly signal?: Signal | undefined;
  readonly block?: BlockRef<number> | undefined;
  readonly minBlock?: MinBlock<number> | undefined;
  readonly maxLag?: MaxLag | undefined;
  readonly timeout: number;
  readonly deadline: number;
  /** When the deadline passes, by `readClock`. */
  readonly end: number;
  /** Whether to request the head block. */
  readonly heads: boolean;
  readonly state: CallState;
};

/** The state that the requests of a call share. */
export type CallState = {
  /** With several chains: the failures of deployments that serve several. Other chains query these last. */
  readonly down?: Map<string, IndexerError>;
  /** The error with which the platform refused further requests. */
  refusal?: unknown;
};

/** An endpoint, with its style and the key of the pauses of its host. */
export type Target = RequestTarget & {
  readonly style: StyleName;
  readonly host: string;
  /** Whether no other style remains to be queried. */
  readonly isLast?: boolean;
};

/** The block that an answer must have reached, of every chain or by the key of a chain. */
export type MinBlock<N = number | bigint> = N | Readonly<Record<string, N>>;

/** A block by its number or its hash. */
export type BlockRef<N = number | bigint> =
  | { readonly number: N; readonly hash?: undefined }
  | { readonly hash: `0x${string}`; readonly number?: undefined };

/** A text, or in tests the name of an operation, and its variables. */
export type Part = { readonly variables: Readonly<Record<string, unknown>> };

/** Builds a request to an endpoint for some of its chains. */
export type BuildPart = <P extends string, R, V>(
  call: Call<P, R, V>,
  style: StyleName,
  chains: readonly string[],
) => Part;
