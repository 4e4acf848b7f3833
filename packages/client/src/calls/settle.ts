import { rowOf } from "../client/chain-ref.ts";
import type { Call, Client } from "../client/client-types.ts";
import {
  type ErrorCode,
  type Failure,
  failureOf,
  IndexerError,
  plainOf,
  throwable,
} from "../client/indexer-error.ts";
import { leastBlock } from "../client/values.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { headOperation } from "../requests/heads.ts";
import { readClock } from "../requests/platform.ts";
import { findTarget, queryEndpoint, type Reading } from "../requests/query-endpoint.ts";
import { FINAL, TRANSIENT } from "../requests/read-answer.ts";
import { takeRetry } from "../requests/send-with-retries.ts";
import { wait } from "../requests/wait.ts";
import type { Settled, Success } from "./start-call.ts";

/**
 * Queries one chain in one style after the other, and again once an indexer has `minBlock`. Throws for invalid variables
 * and if the signal is aborted.
 *
 * @param before the failures of other styles.
 */
export async function settle<P extends string, R, V>(
  call: Call<P, R, V>,
  chain: string,
  styles: readonly StyleName[] = call.styles,
  before: readonly Failure[] = [],
): Promise<Settled<R, string>> {
  const least = leastBlock(call.minBlock, chain);
  const isShort = ({ error }: Failure) =>
    error.code === "behind" && (error.missingBlocks || error.messages.length > 0);
  let result = await tryStyles(call, chain, styles, before);
  while (least > 0 && result.status === "failed" && result.tried.some(isShort)) {
    const missingBlocks = await waitForBlock(call, chain, least);
    if (missingBlocks > 0) {
      const message = `${missingBlocks} blocks short of block ${least} of ${chain}.`;
      const error = new IndexerError("behind", message, { missingBlocks, tried: result.tried });
      return { ...result, error: plainOf(error) };
    }
    result = await tryStyles(call, chain, call.styles, []);
  }
  return result;
}

/**
 * Polls the heads of a chain until an indexer has the block.
 *
 * @returns how many blocks are missing at the deadline, or at once if they are more than ten minutes away.
 */
async function waitForBlock<P extends string, R, V>(
  call: Call<P, R, V>,
  chain: string,
  least: number,
): Promise<number> {
  const { client, signal, end, styles } = call;
  let best = 0;
  for (let pause = 250; best < least; pause = Math.min(4 * pause, 4000)) {
    await wait(signal, Math.min(pause, end - readClock()));
    const isLate = readClock() >= end;
    const results = isLate ? [] : await Promise.all(styles.map((style) => settleHead(call, chain, style)));
    const blocks = results.flatMap((result) => (result.status === "ok" ? (result.head?.block ?? 0) : []));
    best = Math.max(best, ...blocks);
    const isFar = blocks.length > 0 && (least - best) * (rowOf(client, chain).secondsPerBlock ?? 1) > 600;
    if (isLate || isFar) return least - best;
  }
  return 0;
}

/** Queries the last block that an indexer has of a chain. */
export function settleHead<P extends string, R, V>(
  call: Call<P, R, V>,
  chain: string,
  style: StyleName,
): Promise<Settled<unknown, string>> {
  const operation = headOperation(call.operation.protocol);
  const unbound = { ...call, block: undefined, minBlock: undefined, maxLag: undefined };
  return tryStyles({ ...unbound, operation, variables: {}, heads: true }, chain, [style], []);
}

async function tryStyles<P extends string, R, V>(
  call: Call<P, R, V>,
  chain: string,
  styles: readonly StyleName[],
  before: readonly Failure[],
): Promise<Settled<R, string>> {
  const { client, operation, block } = call;
  const queue = [...before.map(({ style }) => style), ...orderStyles(call, chain, styles)];
  let tried: Failure[] = [];
  let spare: Reading<R> | undefined;
  let code: ErrorCode = "not-served";
  const keep = ({ style, error }: Failure) => {
    tried = [...tried.filter((failure) => failure.style !== style), { style, error }];
    const attempts = queue.filter((queued) => queued === style).length;
    const isDown = call.state.down?.has(error.deployment as string) && style !== queue.at(-1);
    // A style that timed out or is down is retried after the others.
    const isOpen = isDown || error.code === "timeout";
    if (isOpen && attempts <= client.retries && takeRetry(client, style)) queue.push(style);
  };
  before.forEach(keep);
  for (let next = before.length; next < queue.length; next++) {
    const style = queue[next] as StyleName;
    if (tried.length > 0 && readClock() >= call.end) break;
    if (block && operation.past !== style) {
      code = "no-time-travel";
      continue;
    }
    try {
      const found = findTarget(call, style, chain);
      if (!found) continue;
      const target = { ...found, isLast: next === queue.length - 1 };
      const reading = (await queryEndpoint(call, target, [chain]))(chain);
      if (!reading.error) return successOf(reading, tried);
      // The lag of no spare answer is NaN.
      if (reading.isSpare && !(Number(spare?.head?.lag) <= Number(reading.head?.lag))) spare = reading;
      throw reading.error;
    } catch (error) {
      const failure = failureOf(error, call);
      keep({ style, error: plainOf(failure) });
      if (FINAL.includes(failure.code)) break;
    }
  }
  if (spare) return successOf(spare, tried);
  const nothing = new IndexerError(code, `No indexer answers ${operation.name} on ${chain.slice(0, 50)}.`);
  return { status: "failed", chain, error: plainOf(joinFailures(client, tried) ?? nothing), tried };
}

/** Returns the result of a chain from its answer. */
export function successOf<R>(
  { chain, style, data, head, capped }: Reading<R>,
  tried: readonly Failure[],
): Success<R, string> {
  return { status: "ok", chain, style, data, head, hasMore: capped !== null, tried };
}

/**
 * Returns styles in their order, but last those that recently failed twice in a row, and those that did not have
 * `minBlock` in their last answer.
 */
export function orderStyles<P extends string, R, V>(
  call: Call<P, R, V>,
  chain: string,
  styles: readonly StyleName[],
): StyleName[] {
  const { client, minBlock } = call;
  const { heads, failing } = client.shared;
  const least = leastBlock(minBlock, chain);
  const isLast = (style: StyleName) => {
    try {
      const { deployment = "" } = findTarget(call, style, chain) ?? {};
      const { block = least } = heads.get(`${deployment} ${chain}`) ?? {};
      const { count = 0, isProbed, until = 0 } = failing.get(deployment) ?? {};
      return Number(block < least || (count > 1 && (isProbed || until > readClock())));
    } catch {
      return 0;
    }
  };
  const order = [...styles];
  return failing.size + least === 0 ? order : order.sort((a, b) => isLast(a) - isLast(b));
}

/** Returns one error for all failures: the last of the most specific ones, with every message. */
function joinFailures({ isCustom }: Client, tried: readonly Failure[]): IndexerError | undefined {
  const errors = tried.map(({ error }) => error);
  // A style without a URL or a key says nothing about an outage of the other.
  const specific = errors.filter(({ code, status }) => status !== null || !/auth|not-served/.test(code));
  const most = [...errors, ...specific].at(-1);
  if (!most) return undefined;
  const said = errors.map(({ message }) => message.replace(/\.$/, "")).join("; ");
  const isUnset = !isCustom && errors.every(({ code, deployment }) => code === "not-served" && !deployment);
  const hint = isUnset && errors[1] ? "; one of the two is enough." : "";
  // After an outage of one style, the pause of the other still says when to ask again.
  const all = TRANSIENT.test(most.code) ? [most, ...errors] : [];
  const { retryAfter } = all.find((error) => error.retryAfter !== null) ?? most;
  return throwable(most, { tried, retryAfter }, said + hint);
}
