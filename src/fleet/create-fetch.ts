import { Readable } from "node:stream";
import { resolveHttpProxy } from "../project/http-proxy.ts";
import type { Environ } from "../project/variables.ts";
import { decodeBody, startExchange } from "./exchange.ts";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` for the POST requests of a client, through the proxies of the environment. Node's own ignores them. */
export function createFetch(env: Environ): Fetch {
  return async (input, { headers, body, signal } = {}) => {
    const url = String(input);
    signal?.throwIfAborted();
    const { response, stop } = startExchange({
      url,
      headers: Object.fromEntries(new Headers(headers)),
      body: String(body),
      proxy: resolveHttpProxy(url, env),
    });
    signal?.addEventListener("abort", stop, { once: true });
    const message = await response;
    const { statusCode: status = 0 } = message;
    const received = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
    // These statuses have no body. One in an unknown encoding is passed on, and is not JSON.
    const content = [204, 205, 304].includes(status) ? null : Readable.toWeb(decodeBody(message) ?? message);
    return new Response(content as ReadableStream | null, { status, headers: Object.fromEntries(received) });
  };
}
