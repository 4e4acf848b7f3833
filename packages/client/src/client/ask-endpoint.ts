import type { Endpoint } from "../manifest/manifest-types.ts";
import type { EndpointRequest, StyleName } from "../manifest/project.ts";
import { ask } from "./ask.ts";
import { buildPart } from "./build-part.ts";
import { rowOf } from "./chain-ref.ts";
import { checkData } from "./check-data.ts";
import { type Head, takeHeads } from "./heads.ts";
import { type ErrorCode, IndexerError } from "./indexer-error.ts";
import type { Inquiry } from "./inquiry.ts";
import { own } from "./own.ts";
import type { Data } from "./read-answer.ts";
import type { Part } from "./send.ts";

/** What an endpoint answered for one of its chains. */
export type Reading<R> = {
  readonly data: R;
  readonly head: Head | null;
  /** Why the answer is not good enough; null where it is. */
  readonly error: IndexerError | null;
};

/**
 * Finds where a chain is asked in a style; null where it is not served.
 *
 * @throws IndexerError `not-served` where nobody says where that is.
 */
export function findTarget<P extends string, R, V>(
  { client, operation: { protocol, not, subgraph }, operation }: Inquiry<P, R, V>,
  style: StyleName,
  chain: string,
): Endpoint | null {
  if (not?.[style]?.includes(chain) || !own(client.routes.chains, chain)) return null;
  // Only what is served per chain has other environments.
  const environment = operation[style as "subgraph"] === subgraph ? client.environment : undefined;
  try {
    return client.endpoint({ protocol, style, chain, environment } as EndpointRequest);
  } catch (error) {
    throw new IndexerError("not-served", (error as Error).message, { style, cause: error });
  }
}

/**
 * Asks an endpoint for some of its chains at once.
 *
 * @returns what it answered, by chain.
 * @throws IndexerError when it did not, and the reason of an abort.
 */
export async function askEndpoint<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  style: StyleName,
  target: Endpoint,
  keys: readonly string[],
): Promise<(chain: string) => Reading<R>> {
  const { client, operation, signal } = inquiry;
  const { part, read } = prepare(inquiry, style, target, keys);
  const [data] = await ask(client, { operation: operation.name, style, target, parts: [part] }, signal);
  return read(data as Data);
}

/** What an endpoint is asked for some of its chains, and how its answer is read: by chain. */
export function prepare<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  style: StyleName,
  { chains, deployment }: Endpoint,
  keys: readonly string[],
): { readonly part: Part; readonly read: (data: Data) => (chain: string) => Reading<R> } {
  const { client, operation, block, maxLag = client.maxLag } = inquiry;
  const chainIds = keys.map((key) => rowOf(client, key).chainId);
  const most = (typeof maxLag === "object" ? maxLag.seconds : maxLag) ?? (maxLag ? 0 : Infinity);
  const fail = (code: ErrorCode, said: string) =>
    new IndexerError(code, `${deployment}: it ${said}`, { style, deployment });
  return {
    part: buildPart(inquiry, style, keys),
    read: (data) => {
      const progress = client.freshness ? takeHeads(data, style, client.now()) : null;
      if (client.freshness && !progress) throw fail("unavailable", "does not tell its block");
      const wrong = checkData(data, operation[style as "subgraph"], operation, chainIds, chains.length > 1);
      if (wrong) throw fail(...wrong);
      const [only, ...others] = chainIds;
      const isWritten = operation[style as "subgraph"] !== operation.subgraph;
      const odd = isWritten && operation.answer?.(data, others.length > 0 ? undefined : only);
      if (odd) throw fail("inconsistent", odd);
      return (chain) => {
        const head = progress?.(rowOf(client, chain))?.head ?? null;
        const lag = head?.lag ?? null;
        const error =
          progress && !head
            ? fail("not-served", `has nothing of ${chain}`)
            : head && head.block < 0
              ? fail("behind", `has not begun with ${chain}`)
              : !block && lag !== null && lag > most
                ? fail("behind", `is ${Math.round(lag)} s behind on ${chain}`)
                : null;
        return { data: data as R, head, error };
      };
    },
  };
}
