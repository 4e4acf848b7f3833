import type { Client, ClientOptions } from "../client/client-types.ts";
import { createClient } from "../client/create-client.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { EndpointRequest, Routes } from "../manifest/manifest-types.ts";
import { answerError, hideSecrets, renderBody } from "./answer-error.ts";
import { type AnyOperation, forward } from "./forward.ts";
import { parseQuestion, readBody, refuseRequest } from "./parse-question.ts";
import { type Asked, type WebRequest, type WebResponse, web } from "./web.ts";

/** What a proxy lets through, and how it asks: all but `operations` as a client has it. */
export type ProxyOptions<Request extends EndpointRequest = EndpointRequest> = Pick<
  ClientOptions<Request>,
  "endpoint" | "environment" | "env" | "headers" | "fetch" | "timeout" | "concurrency" | "now" | "onRequest"
> & {
  /** What may be asked. @default every operation that is written once */
  readonly operations?: readonly AnyOperation[] | undefined;
};

/**
 * Creates the handler of the requests of clients that have the option `proxy`. It holds the texts of the operations and their
 * endpoints, and adds the key. Only generated operations are sent on. Generated code has `createProxy(options)`, which
 * is bound to the project.
 */
export function createProxy(
  routes: Routes,
  all: readonly object[],
  { operations = all as readonly AnyOperation[], ...options }: ProxyOptions = {},
): (request: WebRequest) => Promise<WebResponse> {
  const client = createClient(routes, options);
  return async (request) => {
    const asked = request as unknown as Asked;
    try {
      return await answer(client, operations, asked);
    } catch (error) {
      // The page does not wait any more.
      if (asked.signal?.aborted) return new web.Response(null, { status: 499 });
      // What is too deep or too large for the platform must not end a server.
      if (!(error instanceof RangeError)) throw error;
      return answerError(new IndexerError("unavailable", "The answer is too large."));
    }
  };
}

/** Answers a request as an indexer answers it, or with an error; throws the reason where it is aborted. */
async function answer(
  client: Client,
  operations: readonly AnyOperation[],
  request: Asked,
): Promise<WebResponse> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const secrets: string[] = [];
  const places: string[] = [];
  const fetch: Client["fetch"] = async (url, init) => {
    const { hostname, pathname } = new web.URL(String(url));
    secrets.push(...secretsOf(String(url), init?.headers));
    places.push(hostname, pathname);
    // Workers support no other mode that does not follow redirects.
    const { fetch: send } = client;
    const response = await send(url, { ...init, redirect: "manual" });
    for (const name of PASSED) {
      const value = response.headers.get(name);
      if (value !== null && hideSecrets(value, secrets) === value) headers[name] = value;
    }
    return response;
  };
  try {
    if (request.method !== "POST") refuseRequest(405, "The method must be POST.");
    // No form of another site sends this type.
    if (!/^application\/json *(;|$)/i.test(request.headers.get("content-type") ?? "")) {
      refuseRequest(415, "The content type must be application/json.");
    }
    const question = parseQuestion(await readBody(request, client.timeout));
    const data = await forward({ ...client, fetch }, operations, question, request.signal);
    return new web.Response(renderBody({ data }, secrets), { headers });
  } catch (error) {
    // Rows may have the name of a host in them; an error has no reason to.
    if (error instanceof IndexerError) return answerError(error, [...secrets, ...places]);
    throw error;
  }
}

/** How long an answer is good for. Its tag is left out: it is of another text than this one. */
const PASSED = ["age", "cache-control", "expires"];

/** What a page must not see of a request to an indexer: its URL, and all headers but one. */
function secretsOf(url: string, headers: unknown): string[] {
  const values = [...new web.Headers(headers)].flatMap(([name, value]) =>
    name === "content-type" ? [] : [value, value.split(" ").at(-1) ?? ""],
  );
  return [url, new web.URL(url).host, ...values];
}
