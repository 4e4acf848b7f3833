import { TRANSIENT } from "./classify.ts";
import type { Client } from "./client-options.ts";
import { MOST_TOKENS } from "./create-client.ts";
import { failureOf } from "./failure-of.ts";
import { hostOf } from "./host-of.ts";
import { inSlot } from "./in-slot.ts";
import { IndexerError } from "./indexer-error.ts";
import type { Signal } from "./platform.ts";
import type { Data } from "./read-answer.ts";
import { type Question, send } from "./send.ts";
import { sleep } from "./wait.ts";

/** Asks a deployment, again where that may help: after a while that doubles, and as often as the client can afford. */
export async function ask(
  client: Client,
  question: Question,
  signal: Signal | undefined,
): Promise<readonly (Data | IndexerError)[]> {
  const { shared, retries, maxWait, now } = client;
  const { style, target } = question;
  const { deployment } = target;
  const host = hostOf(client, style, target);
  shared.tokens = Math.min(MOST_TOKENS, shared.tokens + 0.2);
  const restingUntil = () => shared.resting.get(host) ?? 0;
  let pause = 0;
  let waitedUntil = 0;
  for (let retry = 0; ; ) {
    const rest = restingUntil() > waitedUntil ? restingUntil() - now() : -Infinity;
    if (rest > maxWait) {
      const facts = { style, deployment, retryAfter: rest / 1000 };
      throw new IndexerError("rate-limited", `${deployment}: it asked to be left alone.`, facts);
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
      if (data) return data;
    } catch (error) {
      const failure = failureOf(error, signal);
      const { code, retryAfter } = failure;
      const isLimited = code === "rate-limited";
      pause = retryAfter === null ? Math.random() * 250 * 2 ** retry : retryAfter * 1000;
      const isFinal = !TRANSIENT.includes(code) || (isLimited && retryAfter === null) || pause > maxWait;
      if (isFinal || retry >= retries || shared.tokens < 1) throw failure;
      retry++;
      shared.tokens--;
    }
  }
}
