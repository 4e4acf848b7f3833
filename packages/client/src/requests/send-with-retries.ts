import type { Call, Client, Target } from "../client/client-types.ts";
import { type ErrorFacts, failAt, failureOf, type IndexerError } from "../client/indexer-error.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { readClock } from "./platform.ts";
import { TRANSIENT } from "./read-answer.ts";
import { type Request, send } from "./send.ts";
import { inSlot } from "./slots.ts";
import { LATE, wait } from "./wait.ts";

/** Sends a request, and retries transient failures after a pause that doubles, while the style has retries left. */
export async function sendWithRetries<P extends string, R, V, T>(
  call: Call<P, R, V>,
  target: Target,
  request: Request<T>,
): Promise<T> {
  const { client, signal, end, state } = call;
  const { shared, retries, maxWait } = client;
  const { failing } = shared;
  const { style, host, deployment, isLast } = target;
  // One retry for every five requests.
  shared.tokens.set(style, Math.min(MOST_RETRIES, retriesLeft(client, style) + 0.2));
  let pause = 0;
  for (let retry = 0; ; ) {
    const rest = pauseOf(client, host);
    if (rest > maxWait) throw pausedError(target, rest);
    const delay = Math.max(rest, pause);
    if (delay > 0) await wait(signal, Math.min(delay, end - readClock()));
    if (readClock() >= end) throw LATE;
    pause = 0;
    let start = Infinity;
    try {
      // While it waited for a slot, another request may have got a 429.
      const data = await inSlot(call, deployment, async () => {
        const failure = state.down?.get(deployment);
        if (failure && !isLast) throw failure;
        if (pauseOf(client, host) > 0) return null;
        const outage = failing.get(deployment);
        if (outage?.isProbed) throw failAt(target, "unavailable", "does not answer", { retryAfter: 5 });
        start = readClock();
        if (!outage || outage.hung < 2) return send(call, target, request);
        outage.isProbed = true;
        try {
          return await send(call, target, request);
        } finally {
          outage.isProbed = false;
        }
      });
      if (!data) continue;
      failing.delete(deployment);
      return data;
    } catch (error) {
      const failure = failureOf(error, call);
      const { code, retryAfter } = failure;
      const isTimeout = code === "timeout";
      // A call with a short deadline says nothing about the deployment. Timers may be early by a millisecond.
      const least = isTimeout ? Math.min(client.timeout, client.deadline) - 5 : 0;
      if (/network|timeout|unavailable/.test(code) && readClock() - start >= least) {
        const outage = failing.get(deployment) ?? { count: 0, hung: 0, until: 0, isProbed: false };
        failing.set(deployment, outage);
        outage.count++;
        outage.hung = isTimeout ? outage.hung + 1 : 0;
        outage.until = readClock() + 5_000;
      }
      const usual = code === "rate-limited" ? 1000 : Math.random() * 250;
      pause = retryAfter === null ? usual * 2 ** retry : retryAfter * 1000;
      // The other style may answer sooner than one that timed out.
      const isFinal =
        !TRANSIENT.test(code) ||
        isTimeout ||
        pause > maxWait ||
        state.down?.has(deployment) ||
        state.refusal ||
        Number(failing.get(deployment)?.hung) > 1;
      if (isFinal || retry++ >= retries || !takeRetry(client, style)) throw failure;
    }
  }
}

/** Returns for how many milliseconds a host gets no requests after a 429. */
export function pauseOf({ shared }: Client, host: string): number {
  return (shared.paused.get(host) ?? 0) - readClock();
}

/** Creates the error of a host that gets no requests for some milliseconds. */
export function pausedError(target: Target, rest: number, facts?: ErrorFacts): IndexerError {
  const retryAfter = Math.ceil(rest / 1000);
  return failAt(target, "rate-limited", `paused after a 429; retry in ${retryAfter} s`, {
    retryAfter,
    ...facts,
  });
}

/** The most retries of a style that has not failed for a while. */
const MOST_RETRIES = 20;

/** Takes one of the retries of a style; false if none is left. */
export function takeRetry(client: Client, style: StyleName): boolean {
  const left = retriesLeft(client, style);
  if (left >= 1) client.shared.tokens.set(style, left - 1);
  return left >= 1;
}

function retriesLeft({ shared }: Client, style: StyleName): number {
  return shared.tokens.get(style) ?? MOST_RETRIES;
}

/** Whether a deployment recently failed twice in a row. */
export function isFailing({ shared }: Client, deployment: string): boolean {
  const outage = shared.failing.get(deployment);
  return outage !== undefined && outage.count > 1 && (outage.isProbed || outage.until > readClock());
}
