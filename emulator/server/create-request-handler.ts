import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Reply } from "../adapters/adapter.ts";
import type { ApiKeys } from "../adapters/api-keys.ts";
import type { Quota } from "../adapters/create-quota.ts";
import type { Striker } from "../faults/injection.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { createAddressBook } from "./create-router.ts";
import { readBody } from "./read-body.ts";

/** What a request may need of the emulator. */
export type House = {
  readonly endpoints: readonly EmulatedEndpoint[];
  /** Brings the indexers to life. */
  readonly indexers: () => Promise<Indexers>;
  readonly quota: Quota;
  readonly keys: ApiKeys;
  /** Counts a POST request of an endpoint: how many it has got, this one included. */
  readonly count: (endpoint: EmulatedEndpoint) => number;
  readonly strike: Striker;
};

/** Creates what answers HTTP: each style's front replies, unless a fault is in its way. */
export function createRequestHandler(house: House): RequestListener {
  const addresses = createAddressBook(house.endpoints);
  let requests = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const [path = "/", ...search] = (request.url ?? "/").split("?");
    const endpoint = addresses.endpointAt(path);
    // Only POST asks an indexer: a preflight or a page neither counts nor fails.
    const strike = endpoint && method === "POST" ? house.strike(endpoint, house.count(endpoint)) : null;
    const body = await readBody(request);
    if (strike && strike.delay > 0 && !(await waited(strike.delay, response))) return;
    if (strike?.isReset) {
      request.socket.resetAndDestroy();
      return;
    }
    const reply =
      strike?.reply ?? (await answer(request, method, path, search.join("?"), endpoint, body, strike));
    (strike?.send ?? send)(request, response, reply);
  }

  async function answer(
    { headers }: IncomingMessage,
    method: string,
    path: string,
    search: string,
    endpoint: EmulatedEndpoint | null,
    body: string | null,
    strike: ReturnType<Striker>,
  ): Promise<Reply> {
    if (body === null) return PAYLOAD_TOO_LARGE;
    const { quota, keys } = house;
    return addresses.frontOf(path).reply({
      number: requests++,
      method,
      path,
      search,
      headers,
      body,
      endpoint,
      indexerOf: async (deployment) => {
        const indexers = await house.indexers();
        return strike ? strike.indexerOf(indexers, deployment) : indexers.of(deployment);
      },
      quota,
      keys,
    });
  }

  return (request, response) => {
    handle(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
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

/** A bug of the emulator: told to the client, since the server has nobody else to tell. */
function internalError(error: unknown): Reply {
  const body = `Internal server error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(request.method === "HEAD" ? undefined : body);
}
