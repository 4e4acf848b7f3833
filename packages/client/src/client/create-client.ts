import type { EndpointRequest, Project, Routes } from "../manifest/manifest-types.ts";
import { addKeys } from "../requests/add-keys.ts";
import { buildText } from "../requests/build-part.ts";
import { type Fetch, platform, systemTime } from "../requests/platform.ts";
import { readAnswer } from "../requests/read-answer.ts";
import { MOST_RETRIES } from "../requests/send-with-retries.ts";
import type { Client, ClientOptions } from "./client-types.ts";

/**
 * Creates a client of a project by its routes. It sends nothing, and one client may serve a whole program. Generated
 * code has `createClient(options)`, which is bound to the project.
 *
 * @throws TypeError for the URL of a proxy, whose clients are created by another module.
 */
export function createClient<T extends Project>(routes: Routes, options: ClientOptions = {}): Client<T> {
  if ("proxy" in options) throw new TypeError("For proxy, import proxied.ts.");
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
    buildPart: buildText,
    addKeys,
    readAnswer,
    ...given,
    isCustom: Boolean(options.endpoint),
    routes,
    shared: {
      retries: { multichain: MOST_RETRIES, subgraph: MOST_RETRIES },
      running: 0,
      slots: new Map(),
      paused: new Map(),
      heads: new Map(),
      failing: new Map(),
      refusing: new Set(),
    },
    // A `fetch` for tests answers operations by name.
    ...(options.fetch as { readonly tested?: Partial<Client<T>> } | undefined)?.tested,
  };
}
