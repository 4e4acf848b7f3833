import { rowOf } from "../client/chain-ref.ts";
import type { Call, Client, Target } from "../client/client-types.ts";
import { type ErrorCode, failAt, IndexerError } from "../client/indexer-error.ts";
import { IS_SHARED } from "../client/portable-operation.ts";
import { leastBlock, own, sizeOf } from "../client/values.ts";
import type { EndpointRequest, StyleName } from "../manifest/manifest-types.ts";
import { checkData } from "./check-data.ts";
import { type Head, readHead, takeHeads, timeOf } from "./heads.ts";
import { platform } from "./platform.ts";
import type { Data } from "./read-answer.ts";
import { sendWithRetries } from "./send-with-retries.ts";

/** The answer of an endpoint for one of its chains. */
export type Reading<R> = {
  readonly chain: string;
  readonly style: StyleName;
  readonly data: R;
  readonly head: Head | null;
  /**
   * How many rows may be missing because the host's row cap was reached: 0 if a list has as many rows as requested; null if
   * it has all rows.
   */
  readonly capped: number | null;
  /** Why the answer cannot be used; null if it can. */
  readonly error: IndexerError | null;
  /** Whether it lags, but may be used if every other answer lags more. */
  readonly isSpare: boolean;
};

/**
 * Returns the endpoint of a chain in a style; null if the chain is not served.
 *
 * @throws IndexerError `not-served` if the URL of the deployment is not configured, or if `endpoint()` of the application
 *   throws or returns something else.
 */
export function findTarget<P extends string, R, V>(
  { client, operation: { protocol, not } }: Pick<Call<P, R, V>, "client" | "operation">,
  style: StyleName,
  chain: string,
): Target | null {
  if (not?.[style]?.includes(chain) || !own(client.routes.chains, chain)) return null;
  // Only indexers of one chain have other environments.
  const environment = IS_SHARED[style] ? undefined : client.environment;
  try {
    const endpoint = client.endpoint({ protocol, style, chain, environment } as EndpointRequest);
    if (!endpoint) return null;
    const { url, deployment } = endpoint;
    if (client.isCustom && !(typeof deployment === "string" && /^https?:/.test(url))) {
      throw new TypeError("endpoint() must return url and deployment.");
    }
    // One machine may serve both styles with different limits.
    const host = `${style} ${new platform.URL(url).host}`;
    const headers = { "content-type": "application/json" };
    return { headers, chains: [chain], ...endpoint, style, host };
  } catch (error) {
    throw new IndexerError("not-served", String(Object(error).message ?? error), { style, cause: error });
  }
}

/**
 * Queries several chains of an endpoint with one request.
 *
 * @returns a function from a chain to its answer.
 * @throws IndexerError if the request fails, and the reason of the signal if it is aborted.
 */
export async function queryEndpoint<P extends string, R, V>(
  call: Call<P, R, V>,
  target: Target,
  keys: readonly string[],
): Promise<(chain: string) => Reading<R>> {
  const { client, operation } = call;
  const data = await sendWithRetries(call, target, {
    content: client.buildPart(call, target.style, keys),
    readBody: (value, read) => read(value),
  });
  const read = checkAnswer(call, { target, keys }, data);
  const [chain = ""] = keys;
  const start = read(chain);
  // Only rows of one chain have a cursor.
  if (keys.length > 1 || !operation.rest || !start.capped || start.error) return read;
  const rest = await operation.rest(call, start, async (further) =>
    (await queryEndpoint({ ...call, variables: further }, target, keys))(chain),
  );
  if (!rest) throw failAt(target, "inconsistent", "rows out of order");
  return () => rest;
}

/**
 * Checks the answer of an endpoint for some of its chains.
 *
 * @returns a function from a chain to its answer.
 * @throws IndexerError if it cannot be used for any chain.
 */
export function checkAnswer<P extends string, R, V>(
  { client, operation, variables, block, minBlock, maxLag, heads }: Call<P, R, V>,
  { target, keys }: { readonly target: Target; readonly keys: readonly string[] },
  data: Data,
): (chain: string) => Reading<R> {
  const { style, deployment, limits } = target;
  const isShared = IS_SHARED[style];
  const headOf = heads ? takeHeads(data, style) : null;
  const chainIds = keys.map((key) => rowOf(client, key).chainId);
  const isOdd = (words: string | null | undefined) => words && (["inconsistent", words] as const);
  const problem =
    (heads && !headOf && (["unavailable", "no head block"] as const)) ||
    isOdd(operation.normalize?.(data)) ||
    checkData(data, operation, { chainIds, servesMore: target.chains.length > 1, hasHeads: heads }) ||
    (isShared && isOdd(operation.answer?.(data, keys.length > 1 ? undefined : chainIds[0])));
  if (problem) throw failAt(target, ...problem);
  let capped: number | null = null;
  for (const list of operation.lists ?? [operation.list ?? operation.page ?? []].flat()) {
    const { length } = (data[list.key] ?? []) as readonly unknown[];
    const most = sizeOf(list, variables);
    if (!(length <= most)) throw failAt(target, "unavailable", `returned no valid ${list.key}`);
    if (length >= Math.min(most, limits?.maxRows ?? Infinity)) capped = (capped ?? 0) + most - length;
  }
  return (chain) => {
    const row = rowOf(client, chain);
    let head = headOf && readHead(headOf(row), style, { chain: row, now: () => timeOf(client, data) });
    const read = (code?: ErrorCode, words = "", missingBlocks = 0): Reading<R> => ({
      chain,
      style,
      data: data as R,
      head,
      capped,
      isSpare: false,
      error: code ? failAt(target, code, `${words} ${chain}`, missingBlocks ? { missingBlocks } : {}) : null,
    });
    if (!headOf) return read();
    if (!head) return read(isShared ? "not-served" : "unavailable", "no head block of");
    const still = secondsStill(client, `${deployment} ${chain}`, head.block);
    const least = leastBlock(minBlock, chain);
    const missing = least - Math.max(0, head.block);
    if (head.block < 0) return read("behind", "has not started indexing", missing);
    if (block) {
      const { hash, number = head.block } = block;
      const isRequested = hash ? hash.toLowerCase() === head.hash : number === head.block;
      return isRequested ? read() : read("inconsistent", `answered for block ${head.block} of`);
    }
    if (missing > 0) return read("behind", `${missing} blocks short of block ${least} of`, missing);
    const most = (typeof maxLag === "object" ? maxLag.seconds : maxLag) ?? (maxLag ? 0 : Infinity);
    const lag = still - 5 * (row.secondsPerBlock ?? 60);
    if (lag > Math.max(most, head.lag ?? 0)) head = { ...head, lag, isEstimate: true };
    if (head.lag === null || head.lag <= most) return read();
    return { ...read("behind", `${Math.round(head.lag)} s behind on`), isSpare: typeof maxLag === "object" };
  };
}

/** Returns for how many seconds the head of a deployment has not moved. */
function secondsStill({ now, shared }: Client, name: string, block: number): number {
  const seen = shared.heads.get(name);
  if (seen && block <= seen.block) return (now() - seen.time) / 1000;
  shared.heads.set(name, { block, time: now() });
  return 0;
}
