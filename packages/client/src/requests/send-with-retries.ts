import type { Call, Client, Target } from "../client/client-types.ts";
import { failAt, failureOf } from "../client/indexer-error.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { readClock } from "./platform.ts";
import { TRANSIENT } from "./read-answer.ts";
import { type Request, send } from "./send.ts";
import { inSlot } from "./slots.ts";
import { LATE, wait } from "./wait.ts";

/** The most retries of a style that has not failed for a while. */
export const MOST_RETRIES = 20;

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
  shared.retries[style] = Math.min(MOST_RETRIES, shared.retries[style] + 0.2);
  // For how many milliseconds the host gets no requests after a 429.
  const readPause = () => (shared.paused.get(host) ?? 0) - readClock();
  let pause = 0;
  for (let retry = 0; ; ) {
    const rest = readPause();
    if (rest > maxWait) {
      const retryAfter = Math.ceil(rest / 1000);
      throw failAt(target, "rate-limited", `paused after a 429; retry in ${retryAfter} s`, { retryAfter });
    }
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
        if (readPause() > 0) return null;
        const outage = failing.get(deployment);
        if (outage?.isProbed) throw failAt(target, "unavailable", "does not answer", { retryAfter: 5 });
        start = readClock();
        if (!outage || outage.hung < 2) return send(call, target, request);
        outage.isProbed = true;
        return send(call, target, request).finally(() => {
          outage.isProbed = false;
        });
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

/** Takes one of the retries of a style; false if none is left. */
export function takeRetry({ shared: { retries } }: Client, style: StyleName): boolean {
  const isLeft = retries[style] >= 1;
  if (isLeft) retries[style]--;
  return isLeft;
}
