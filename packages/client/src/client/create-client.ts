import type { Routes } from "../manifest/manifest-types.ts";
import type { Project } from "../manifest/project.ts";
import { routeEndpoint } from "../manifest/routes.ts";
import { systemTime } from "./answer-time.ts";
import type { Client, ClientOptions } from "./client-options.ts";
import { type Fetch, platform } from "./platform.ts";
import { proxyEndpoint } from "./proxy-endpoint.ts";

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
