import type { ClientOptions } from "../client/client-options.ts";
import { createClient } from "../client/create-client.ts";
import type { AnyOperation } from "../client/forward.ts";
import { answer } from "./answer.ts";
import { listOperations } from "./operations.ts";
import { type Asked, type WebRequest, type WebResponse, web } from "./web.ts";

/** What a proxy lets through, and how it asks: all but `operations` as a client has it. */
export type ProxyOptions = Pick<
  ClientOptions,
  "endpoint" | "environment" | "env" | "headers" | "fetch" | "timeout" | "now" | "onRequest"
> & {
  /** What may be asked. @default every operation that is written once */
  readonly operations?: readonly AnyOperation[] | undefined;
};

/**
 * Creates the handler of what clients ask that have the option `proxy`. It knows the texts of the operations and where
 * they are asked, and adds the key: nothing but a generated operation is sent on.
 */
export function createProxy({
  operations = listOperations() as readonly AnyOperation[],
  ...options
}: ProxyOptions = {}): (request: WebRequest) => Promise<WebResponse> {
  const client = createClient(options);
  return async (request) => {
    const asked = request as unknown as Asked;
    try {
      return await answer(client, operations, asked);
    } catch (error) {
      // Nobody is left to be told.
      if (asked.signal?.aborted) return new web.Response(null, { status: 499 });
      throw error;
    }
  };
}
