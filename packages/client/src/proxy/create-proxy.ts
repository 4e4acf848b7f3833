import type { ClientOptions } from "../client/client-options.ts";
import { createClient } from "../client/create-client.ts";
import type { AnyOperation } from "../client/forward.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { Routes } from "../manifest/manifest-types.ts";
import type { EndpointRequest } from "../manifest/project.ts";
import { answer } from "./answer.ts";
import { answerError } from "./answer-error.ts";
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
