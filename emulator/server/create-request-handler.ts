import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { once } from "../../src/base/collections.ts";
import type { Adapter, ApiKeys, Exchange, Quota, Reply } from "../adapters/adapter.ts";
import { adapters } from "../adapters/index.ts";
import type { InjectFaults } from "../faults/effect.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { ServerPanic } from "../styles/served-style.ts";

type RequestHandlerOptions = {
  readonly endpoints: readonly EmulatedEndpoint[];
  /** Further paths, which may be added at any time: those that a project's configuration makes of its own names. */
  readonly aliases: ReadonlyMap<string, EmulatedEndpoint>;
  /** Loads the indexers on the first call. */
  readonly indexers: () => Promise<Indexers>;
  readonly quota: Quota;
  readonly keys: ApiKeys;
  /** Counts a POST request of an endpoint. Returns its number. */
  readonly count: (endpoint: EmulatedEndpoint) => number;
  readonly inject: InjectFaults;
};

/** Creates the HTTP handler: the adapter of each style replies, unless a fault changes that. */
export function createRequestHandler(options: RequestHandlerOptions): RequestListener {
  const router = createRouter(options.endpoints, options.aliases);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const [path = "/", ...search] = (request.url ?? "/").split("?");
    const endpoint = router.endpointAt(path);
    // Only POST reaches an indexer: a preflight or a page is not counted and has no faults.
    const injection =
      endpoint && method === "POST" ? options.inject(endpoint, options.count(endpoint)) : null;
    const body = await readBody(request);
    if (injection && injection.delay > 0 && !(await waited(injection.delay, response))) return;
    if (injection?.isReset) {
      request.socket.resetAndDestroy();
      return;
    }
    const { headers } = request;
    const parts = { method, path, search: search.join("?"), headers, endpoint };
    const reply = injection?.reply ?? (await answer(parts, body, injection));
    if (injection?.send) await injection.send(response, reply);
    else send(request, response, reply);
  }

  async function answer(
    parts: Pick<Exchange, "method" | "path" | "search" | "headers" | "endpoint">,
    body: string | null,
    injection: ReturnType<InjectFaults>,
  ): Promise<Reply> {
    if (body === null) return PAYLOAD_TOO_LARGE;
    const { quota, keys } = options;
    return router.adapterOf(parts.path).reply({
      ...parts,
      body,
      indexerOf: async (deployment) => {
        const indexers = await options.indexers();
        return injection ? injection.indexerOf(indexers, deployment) : indexers.of(deployment);
      },
      quota,
      keys,
    });
  }

  return (request, response) => {
    handle(request, response).catch((error) => {
      if (response.headersSent || error instanceof ServerPanic) response.destroy();
      else send(request, response, internalError(error));
    });
  };
}

const PAYLOAD_TOO_LARGE: Reply = {
  status: 413,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ error: "The request body is larger than 2 MB." }),
};

/** Resolves to false, and clears the timer, if the connection closes first. */
async function waited(milliseconds: number, response: ServerResponse): Promise<boolean> {
  if (response.destroyed) return false;
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  return setTimeout(milliseconds, true, { signal: closing.signal }).catch(() => false);
}

/** A bug of the emulator; the client is the only place to report it. */
function internalError(error: unknown): Reply {
  const body = `Internal server error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(request.method === "HEAD" ? undefined : body);
}

type Router = {
  readonly adapterOf: (path: string) => Adapter;
  /** Null without a deployment. */
  readonly endpointAt: (path: string) => EmulatedEndpoint | null;
};

/** Creates the router. The last platform answers all paths without an owner. */
function createRouter(
  endpoints: readonly EmulatedEndpoint[],
  aliases: RequestHandlerOptions["aliases"],
): Router {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const styles = new Set(endpoints.map(({ deployment }) => deployment.style));
  const served = Object.entries(adapters)
    .filter(([style]) => endpoints.length === 0 || [...styles].some((name) => name === style))
    .map(([, adapter]) => adapter);
  const last = served.at(-1);
  if (last === undefined) throw new TypeError("There is an adapter for every style.");
  const adapterOf = (path: string) => served.find((adapter) => adapter.owns(path)) ?? last;
  // Names are hashed here, which must not delay startup.
  const others = once(() => listOthers(endpoints));
  return {
    adapterOf,
    endpointAt: (path) => {
      const endpoint = byPath.get(path) ?? aliases.get(path);
      if (endpoint) return endpoint;
      const address = adapterOf(path).addressOf(path);
      return byPath.get(address) ?? others().get(address) ?? null;
    },
  };
}

function listOthers(endpoints: readonly EmulatedEndpoint[]): ReadonlyMap<string, EmulatedEndpoint | null> {
  const others = new Map<string, EmulatedEndpoint | null>();
  for (const endpoint of endpoints) {
    const { deployment, environment } = endpoint;
    for (const path of adapters[deployment.style].otherPathsOf(deployment, environment)) {
      others.set(path, others.has(path) ? null : endpoint);
    }
  }
  return others;
}

/** About the limit of both platforms. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** Reads a request's body as UTF-8; null if it is larger than 2 MB. */
export function readBody(request: IncomingMessage): Promise<string | null> | string {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return "";
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      // A body that is too large is still read to its end: a sending client would miss the answer.
      if (size <= LARGEST_BODY) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on("end", () => {
      const [first] = chunks;
      const whole = first && chunks.length === 1 ? first : Buffer.concat(chunks);
      resolve(size > LARGEST_BODY ? null : whole.toString("utf8"));
    });
    request.on("error", reject);
    // Closed before the end: the client is gone.
    request.on("close", () => resolve(""));
  });
}
