import { TRANSIENT } from "./classify.ts";
import type { Client } from "./client-options.ts";
import { failureOf } from "./failure-of.ts";
import { hostOf } from "./host-of.ts";
import { inSlot } from "./in-slot.ts";
import { IndexerError } from "./indexer-error.ts";
import { readClock, type Signal } from "./platform.ts";
import type { Data } from "./read-answer.ts";
import { countFailure, earnRetry, takeRetry } from "./retry-budget.ts";
import { type Question, send } from "./send.ts";
import { sleep } from "./wait.ts";

/** Asks a deployment, again where that may help: after a while that doubles, and as often as the client can afford. */
export async function ask(
  client: Client,
  question: Question,
  signal: Signal | undefined,
): Promise<readonly (Data | IndexerError)[]> {
  const { shared, retries, maxWait } = client;
  const { style, target } = question;
  const { deployment } = target;
  const host = hostOf(client, style, target);
  earnRetry(client, style);
  const restingUntil = () => shared.resting.get(host) ?? 0;
  let pause = 0;
  let waitedUntil = 0;
  for (let retry = 0; ; ) {
    const rest = restingUntil() > waitedUntil ? restingUntil() - readClock() : -Infinity;
    if (rest > maxWait) {
      const facts = { style, deployment, retryAfter: Math.ceil(rest / 1000) };
      throw new IndexerError("rate-limited", `${deployment}: the host asked to be left alone.`, facts);
    }
    waitedUntil = restingUntil();
    const delay = Math.max(rest, pause);
    if (delay > 0) await sleep(delay, signal);
    pause = 0;
    try {
      // Who waits for others to be answered has to hear what they are told.
      const data = await inSlot(client, signal, async () =>
        restingUntil() > waitedUntil ? null : send(client, question, signal),
      );
      if (data) {
        shared.failing.delete(host);
        return data;
      }
    } catch (error) {
      const failure = failureOf(error, signal);
      const { code, retryAfter } = failure;
      if (/network|timeout|unavailable/.test(code)) countFailure(client, host);
      const delay = code === "rate-limited" ? 1000 : Math.random() * 250;
      pause = retryAfter === null ? delay * 2 ** retry : retryAfter * 1000;
      // The other style may answer sooner than one that timed out.
      const isFinal = !TRANSIENT.includes(code) || code === "timeout" || pause > maxWait;
      if (isFinal || retry >= retries || !takeRetry(client, style)) throw failure;
      retry++;
    }
  }
}
