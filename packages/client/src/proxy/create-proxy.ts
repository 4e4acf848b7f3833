import type { Client, ClientOptions } from "../client/client-types.ts";
import { createClient } from "../client/create-client.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { EndpointRequest, Routes } from "../manifest/manifest-types.ts";
import { answerError, hideSecrets, renderBody } from "./answer-error.ts";
import { type AnyOperation, forward } from "./forward.ts";
import { parseRequest, readBody, refuseRequest } from "./parse-request.ts";
import { type MinimalRequest, type WebRequest, type WebResponse, web } from "./web.ts";

/** The options of a proxy: the allowed operations, and options of the client that forwards them. */
export type ProxyOptions<Request extends EndpointRequest = EndpointRequest> = Pick<
  ClientOptions<Request>,
  "endpoint" | "environment" | "env" | "headers" | "fetch" | "timeout" | "concurrency" | "now" | "onRequest"
> & {
  /** The allowed operations. @default every portable operation */
  readonly operations?: readonly AnyOperation[] | undefined;
};

/**
 * Creates the handler of the requests of clients that have the option `proxy`. It has the texts of the operations and their
 * endpoints, and adds the key. Only generated operations are forwarded. Generated code has `createProxy(options)`, which
 * is bound to the project.
 */
export function createProxy(
  routes: Routes,
  all: readonly object[],
  { operations = all as readonly AnyOperation[], ...options }: ProxyOptions = {},
): (request: WebRequest) => Promise<WebResponse> {
  const client = createClient(routes, options);
  return async (request) => {
    const incoming = request as unknown as MinimalRequest;
    try {
      return await answer(client, operations, incoming);
    } catch (error) {
      // The page has aborted the request.
      if (incoming.signal?.aborted) return new web.Response(null, { status: 499 });
      // An answer that is too deep or too large for the platform must not end the server.
      if (!(error instanceof RangeError)) throw error;
      return answerError(new IndexerError("unavailable", "The answer is too large."));
    }
  };
}

/** Answers a request with that of the indexer, or with an error. Throws the reason of the signal if it is aborted. */
async function answer(
  client: Client,
  operations: readonly AnyOperation[],
  request: MinimalRequest,
): Promise<WebResponse> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const secrets: string[] = [];
  const places: string[] = [];
  const fetch: Client["fetch"] = async (url, init) => {
    const { hostname, pathname } = new web.URL(String(url));
    secrets.push(...secretsOf(String(url), init?.headers));
    places.push(hostname, pathname);
    // The only mode of Workers that does not follow redirects.
    const { fetch: send } = client;
    const response = await send(url, { ...init, redirect: "manual" });
    for (const name of FORWARDED) {
      const value = response.headers.get(name);
      if (value !== null && hideSecrets(value, secrets) === value) headers[name] = value;
    }
    return response;
  };
  try {
    if (request.method !== "POST") refuseRequest(405, "The method must be POST.");
    // Forms of other sites cannot send this type.
    if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
      refuseRequest(415, "The content type must be application/json.");
    }
    const question = parseRequest(await readBody(request, client.timeout));
    const data = await forward({ ...client, fetch }, operations, question, request.signal);
    return new web.Response(renderBody({ data }, secrets), { headers });
  } catch (error) {
    // Hosts are only hidden in errors: rows may contain their names.
    if (error instanceof IndexerError) return answerError(error, [...secrets, ...places]);
    throw error;
  }
}

/** The forwarded response headers. Not `etag`, because the body differs. */
const FORWARDED = ["age", "cache-control", "expires"];

/** Returns the parts of a request to an indexer that pages must not see: its URL and headers. */
function secretsOf(url: string, headers: unknown): string[] {
  const values = [...new web.Headers(headers)].flatMap(([name, value]) =>
    name === "content-type" ? [] : [value, value.split(" ").at(-1) ?? ""],
  );
  return [url, new web.URL(url).host, ...values];
}
