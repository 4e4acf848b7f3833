import type {
  Endpoint,
  EndpointRequest,
  Environment,
  Project,
  Routes,
  StyleName,
  Variables,
} from "../manifest/manifest-types.ts";
import { findRoute, routeEndpoint } from "../manifest/routes.ts";
import type { ErrorCode } from "./indexer-error.ts";
import { type Fetch, type HeaderValues, platform, systemTime } from "./platform.ts";

/**
 * Creates a client of a project by its routes. It sends nothing, and one client may serve a whole program. Generated
 * code has `createClient(options)`, which is bound to the project.
 */
export function createClient<T extends Project>(routes: Routes, options: ClientOptions = {}): Client<T> {
  const { env, proxy } = options;
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    endpoint: (request) => routeEndpoint(routes, request, env),
    environment: "production",
    fetch: ((...request: Parameters<Fetch>) => platform.fetch(...request)) as Fetch,
    styles: ["multichain", "subgraph"],
    timeout: 15_000,
    deadline: 30_000,
    retries: 2,
    maxWait: 10_000,
    concurrency: 6,
    freshness: true,
    batch: false,
    now: systemTime,
    ...given,
    ...(proxy && { endpoint: (request) => proxyEndpoint(routes, proxy, request) }),
    isCustom: Boolean(options.endpoint),
    routes,
    shared: {
      tokens: new Map(),
      running: 0,
      waiting: new Set(),
      resting: new Map(),
      heads: new Map(),
      failing: new Map(),
      refusing: new Set(),
    },
  };
}

/** The endpoint of a proxy, which alone knows the URL and headers of the deployment; null if the chain is not served. */
function proxyEndpoint(routes: Routes, url: string, request: EndpointRequest): Endpoint | null {
  const { protocol, style, environment = "production" } = request;
  const found = findRoute(routes, { ...request, environment: undefined });
  const { endpoints = {} } = routes.protocols[protocol] ?? {};
  const { maxRows } =
    endpoints[`${found?.name} ${environment}`] ?? endpoints[`${style} ${environment}`] ?? {};
  return (
    found && {
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
      secretHeaders: {},
      auth: null,
      limits: { dailyQueries: null, ...(maxRows && { maxRows }) },
      playground: null,
      explorer: null,
      deployment: found.name,
      chains: found.chains,
    }
  );
}

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
