import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Reply } from "../adapters/adapter.ts";
import type { ApiKeys } from "../adapters/api-keys.ts";
import type { Quota } from "../adapters/create-quota.ts";
import type { InjectFaults } from "../faults/injection.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { ServerPanic } from "../styles/server-panic.ts";
import { createRouter } from "./create-router.ts";
import { readBody } from "./read-body.ts";

/** What answering requests needs of the emulator. */
export type RequestHandlerOptions = {
  readonly endpoints: readonly EmulatedEndpoint[];
  /** Loads the indexers with the first call. */
  readonly indexers: () => Promise<Indexers>;
  readonly quota: Quota;
  readonly keys: ApiKeys;
  /** Counts a POST request of an endpoint: how many it has got, this one included. */
  readonly count: (endpoint: EmulatedEndpoint) => number;
  readonly inject: InjectFaults;
};

/** Creates what answers HTTP: the adapter of each style replies, unless a fault is in its way. */
export function createRequestHandler(options: RequestHandlerOptions): RequestListener {
  const router = createRouter(options.endpoints);
  let requests = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const [path = "/", ...search] = (request.url ?? "/").split("?");
    const endpoint = router.endpointAt(path);
    // Only POST asks an indexer: a preflight or a page neither counts nor fails.
    const injection =
      endpoint && method === "POST" ? options.inject(endpoint, options.count(endpoint)) : null;
    const body = await readBody(request);
    if (injection && injection.delay > 0 && !(await waited(injection.delay, response))) return;
    if (injection?.isReset) {
      request.socket.resetAndDestroy();
      return;
    }
    const reply =
      injection?.reply ?? (await answer(request, method, path, search.join("?"), endpoint, body, injection));
    (injection?.send ?? send)(request, response, reply);
  }

  async function answer(
    { headers }: IncomingMessage,
    method: string,
    path: string,
    search: string,
    endpoint: EmulatedEndpoint | null,
    body: string | null,
    injection: ReturnType<InjectFaults>,
  ): Promise<Reply> {
    if (body === null) return PAYLOAD_TOO_LARGE;
    const { quota, keys } = options;
    return router.adapterOf(path).reply({
      number: requests++,
      method,
      path,
      search,
      headers,
      body,
      endpoint,
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

/** Waits; false when the connection is gone before the time is over, and with it the timer. */
function waited(milliseconds: number, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve(false);
    const timer = setTimeout(() => {
      response.off("close", gone);
      resolve(true);
    }, milliseconds);
    function gone() {
      clearTimeout(timer);
      resolve(false);
    }
    response.once("close", gone);
  });
}

/** A bug of the emulator, reported to the client, since the server has nobody else to report it to. */
function internalError(error: unknown): Reply {
  const body = `Internal server error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(request.method === "HEAD" ? undefined : body);
}
