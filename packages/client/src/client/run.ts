import type { Chains, Project, StyleName } from "../manifest/manifest-types.ts";
import { type Chain, type ChainRef, type KeyOf, requestedKey } from "./chain-ref.ts";
import type { Client, Inquiry } from "./client-types.ts";
import { type ErrorCode, type Failure, failureOf, IndexerError, throwable } from "./indexer-error.ts";
import { type AskOptions, inquire, type Settled, type Success } from "./inquiry.ts";
import type { ChainInId, Given, Kind, PortableOperation } from "./portable-operation.ts";
import { findTarget, orderStyles, queryEndpoint, type Reading } from "./query-endpoint.ts";
import { FINAL } from "./read-answer.ts";
import { takeRetry } from "./send-with-retries.ts";
import { isObject, leastBlock } from "./values.ts";
import { waitForBlock } from "./wait-for-block.ts";

/** The chain, and the options of the call. */
export type RunOptions<C extends Chains = Chains, Ref = ChainRef<C>> = AskOptions & { readonly chain: Ref };

/** The options if an id in the variables contains the chain. */
export type ChainlessOptions = AskOptions & { readonly chain?: undefined };

/**
 * Runs an operation on one chain, in the first style that answers. The chain may be omitted if an id in the variables
 * contains it.
 *
 * @throws IndexerError if no style answers, and the reason of the signal if it is aborted.
 */
export function run<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind> & ChainInId,
  variables: Given<V>,
  options?: ChainlessOptions,
): Promise<Success<R, Chain<T[P]>>>;
export function run<T extends Project, P extends keyof T & string, R, V, const Ref extends ChainRef<T[P]>>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: RunOptions<T[P], Ref>,
): Promise<Success<R, KeyOf<T[P], Ref>>>;
export async function run<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: AskOptions & { readonly chain?: unknown } = {},
): Promise<Success<R, never>> {
  const chain = requestedKey(client, operation, variables, options.chain);
  const result = await inquire({ client, operation, variables }, options, (inquiry) =>
    settle(inquiry, chain, inquiry.client.styles),
  );
  if (result.status === "failed") throw throwable(result.error);
  return result as Success<R, never>;
}

/**
 * Queries one chain in one style after the other, and again once an indexer has `minBlock`. Throws for invalid variables
 * and if the signal is aborted.
 */
export async function settle<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  chain: string,
  styles: readonly StyleName[],
  before: readonly Failure[] = [],
): Promise<Settled<R, string>> {
  let result = await settleOnce(inquiry, chain, styles, before);
  while (result.status === "failed" && result.tried.some(({ error }) => error.missingBlocks)) {
    const ahead = await waitForBlock(inquiry, chain, leastBlock(inquiry, chain));
    if (typeof ahead !== "string") return { ...result, error: ahead.toJSON() };
    const others = inquiry.client.styles.filter((style) => style !== ahead);
    result = await settleOnce(inquiry, chain, [ahead, ...others], []);
  }
  return result;
}

async function settleOnce<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  chain: string,
  styles: readonly StyleName[],
  before: readonly Failure[],
): Promise<Settled<R, string>> {
  const { client, operation, block, signal, maxLag = client.maxLag } = inquiry;
  const tried = [...before];
  let late: (Reading<R> & { readonly style: StyleName }) | null = null;
  let reason: ErrorCode = "not-served";
  const isTimeout = ({ error }: Failure) => error.code === "timeout";
  // A style that timed out is retried after the others.
  const queue = [
    ...orderStyles(inquiry, chain, styles),
    ...tried.filter((one) => isTimeout(one) && client.retries > 0).map(({ style }) => style),
  ];
  let again = client.retries * queue.length;
  for (const style of queue) {
    if (block && operation.past !== style) {
      reason = "no-time-travel";
      continue;
    }
    try {
      const target = findTarget(inquiry, style, chain);
      if (!target) continue;
      const reading = (await queryEndpoint(inquiry, style, target, [chain]))(chain);
      const { data, head, capped, error } = reading;
      if (!error) return { status: "ok", chain, style, data, head, hasMore: capped > 0, tried };
      const lag = head?.lag ?? null;
      const isLate =
        lag !== null && error.code === "behind" && typeof maxLag === "object" && !error.missingBlocks;
      if (isLate && !(late && Number(late.head?.lag) <= lag)) late = { ...reading, style };
      throw error;
    } catch (error) {
      const failure = withMissingBlocks(failureOf(error, signal), leastBlock(inquiry, chain));
      const known = tried.findIndex((one) => one.style === style);
      if (known >= 0) tried.splice(known, 1);
      tried.push({ style, error: failure.toJSON() });
      if (signal?.aborted || FINAL.includes(failure.code)) break;
      if (failure.code === "timeout" && again-- > 0 && takeRetry(client, style)) queue.push(style);
    }
  }
  if (late) {
    const { style, data, head, capped } = late;
    return { status: "ok", chain, style, data, head, hasMore: capped > 0, tried };
  }
  return {
    status: "failed",
    chain,
    error: joinFailures(tried, reason, operation.name, chain).toJSON(),
    tried,
  };
}

/** Adds the number of missing blocks, which is parsed from the message of a subgraph. */
function withMissingBlocks(failure: IndexerError, least: number): IndexerError {
  if (failure.code !== "behind" || failure.missingBlocks || least === 0) return failure;
  const [, block] = /up to block number (\d+)/.exec(failure.message) ?? [];
  return block === undefined
    ? failure
    : throwable(failure.toJSON(), { missingBlocks: Math.max(1, least - Number(block)) });
}

/** Returns one error for all failures: the last of the most specific ones, with every message. */
function joinFailures(
  tried: readonly Failure[],
  reason: ErrorCode,
  operation: string,
  chain: string,
): IndexerError {
  const errors = tried.map(({ error }) => error);
  // A style without a URL or a key says nothing about an outage of the other.
  const specific = errors.filter(({ code, status }) => status !== null || !/auth|not-served/.test(code));
  const most = specific.at(-1) ?? errors.at(-1);
  const said = errors.map(({ message }) => message.replace(/\.$/, "")).join("; ");
  return most
    ? throwable(most, { tried }, said)
    : new IndexerError(reason, `No indexer answers ${operation} on ${chain.slice(0, 50)}.`);
}

/** A method for each operation of a module. */
export type Bound<T extends Project, Module> = {
  readonly [Name in keyof Module as Module[Name] extends PortableOperation<string, unknown, never, Kind>
    ? Uncapitalize<Name & string>
    : never]: Module[Name] extends PortableOperation<infer P extends keyof T & string, infer R, infer V, Kind>
    ? Method<T[P], R, V> & (Module[Name] extends ChainInId ? ChainlessMethod<T[P], R, V> : unknown)
    : never;
};

type Method<C extends Project[string], R, V> = <const Ref extends ChainRef<C>>(
  variables: V,
  options: RunOptions<C, Ref>,
) => Promise<Success<R, KeyOf<C, Ref>>>;

type ChainlessMethod<C extends Project[string], R, V> = (
  variables: V,
  options?: ChainlessOptions,
) => Promise<Success<R, Chain<C>>>;

/**
 * Binds the operations of a module to a client. A bundle then has all operations of the module.
 *
 * @example
 * // `operations` is everything that `lockup/portable.ts` exports.
 * const lockup = bind(client, operations);
 * const { data } = await lockup.streamsBySender({ sender }, { chain: "base" });
 */
export function bind<T extends Project, Module extends object>(
  client: Client<T>,
  operations: Module,
): Bound<T, Module> {
  const methods = Object.entries(operations).flatMap(([name, operation]) =>
    isObject(operation) && "subgraph" in operation
      ? [
          [
            name.charAt(0).toLowerCase() + name.slice(1),
            (variables: never, options: RunOptions<never, never>) =>
              run(client as Client<never>, operation as never, variables, options),
          ],
        ]
      : [],
  );
  return Object.fromEntries(methods) as Bound<T, Module>;
}
