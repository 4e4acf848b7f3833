import type { EndpointRequest, Project, Routes } from "../manifest/manifest-types.ts";
import { addKeys } from "../requests/add-keys.ts";
import { buildProxied, buildText } from "../requests/build-part.ts";
import { type Fetch, platform, systemTime } from "../requests/platform.ts";
import { readAnswer, readProxied } from "../requests/read-answer.ts";
import type { Client, ClientOptions } from "./client-types.ts";

/**
 * Creates a client of a project by its routes. It sends nothing, and one client may serve a whole program. Generated
 * code has `createClient(options)`, which is bound to the project.
 */
export function createClient<T extends Project>(routes: Routes, options: ClientOptions = {}): Client<T> {
  const { proxy } = options;
  return proxy
    ? createProxiedClient(routes, { ...options, proxy })
    : complete(routes, options, { buildPart: buildText, readAnswer, addKeys });
}

/**
 * Creates a client that sends all requests to a proxy. It needs no texts of operations and no URLs of indexers, so that a
 * bundle has none. Generated code has it in `proxied.ts`.
 */
export function createProxiedClient<T extends Project>(
  routes: Routes,
  options: ClientOptions & { readonly proxy: string },
): Client<T> {
  return complete(
    routes,
    { ...options, endpoint: undefined },
    { buildPart: buildProxied, readAnswer: readProxied },
  );
}

function complete<T extends Project>(
  routes: Routes,
  options: ClientOptions,
  transport: Pick<Client, "buildPart" | "readAnswer" | "addKeys">,
): Client<T> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    endpoint: (request: EndpointRequest) => routes.endpoint(routes, request, options),
    environment: "production",
    fetch: ((...request: Parameters<Fetch>) => platform.fetch(...request)) as Fetch,
    styles: ["multichain", "subgraph"],
    timeout: 15_000,
    deadline: 30_000,
    retries: 2,
    maxWait: 10_000,
    concurrency: 6,
    totalConcurrency: 10 * (options.concurrency ?? 6),
    freshness: true,
    batch: false,
    now: systemTime,
    ...given,
    ...transport,
    isCustom: Boolean(options.endpoint),
    routes,
    shared: {
      tokens: new Map(),
      running: 0,
      slots: new Map(),
      paused: new Map(),
      heads: new Map(),
      failing: new Map(),
      probing: new Set(),
      refusing: new Set(),
    },
  };
}
