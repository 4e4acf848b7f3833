import type { StyleName } from "../manifest/manifest-types.ts";
import type { Client } from "./client-types.ts";
import { failureOf, IndexerError } from "./indexer-error.ts";
import { isWorker, readClock, type Signal } from "./platform.ts";
import { type Data, TRANSIENT } from "./read-answer.ts";
import { hostOf, type Question, send } from "./send.ts";
import { sleep, wait } from "./wait.ts";

/** Sends a request, and retries transient failures after a pause that doubles, while the style has retries left. */
export async function sendWithRetries(
  client: Client,
  question: Question,
  signal: Signal | undefined,
): Promise<readonly (Data | IndexerError)[]> {
  const { shared, retries, maxWait } = client;
  const { style, target } = question;
  const { deployment } = target;
  const host = hostOf(client, style, target);
  earnRetry(client, style);
  const pausedUntil = () => shared.paused.get(host) ?? 0;
  let pause = 0;
  let waitedUntil = 0;
  for (let retry = 0; ; ) {
    const rest = pausedUntil() > waitedUntil ? pausedUntil() - readClock() : -Infinity;
    if (rest > maxWait) {
      const facts = { style, deployment, retryAfter: Math.ceil(rest / 1000) };
      throw new IndexerError(
        "rate-limited",
        `${deployment} is paused after a 429; retry in ${facts.retryAfter} s.`,
        facts,
      );
    }
    waitedUntil = pausedUntil();
    const delay = Math.max(rest, pause);
    if (delay > 0) await sleep(delay, signal);
    pause = 0;
    try {
      // While it waited for a slot, another request may have got a 429.
      const data = await inSlot(client, signal, async () =>
        pausedUntil() > waitedUntil ? null : send(client, question, signal),
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

/** The most retries of a style that has not failed for a while. */
const MOST_RETRIES = 20;

/** How long a host is tried last after it failed twice, in milliseconds. */
const DEMOTED = 5_000;

/** Adds a fifth of a retry to a style: one retry for every five requests. */
function earnRetry({ shared: { tokens } }: Client, style: StyleName): void {
  tokens.set(style, Math.min(MOST_RETRIES, (tokens.get(style) ?? MOST_RETRIES) + 0.2));
}

/** Takes one of the retries of a style; false if none is left. */
export function takeRetry({ shared: { tokens } }: Client, style: StyleName): boolean {
  const left = tokens.get(style) ?? MOST_RETRIES;
  if (left >= 1) tokens.set(style, left - 1);
  return left >= 1;
}

/** Counts how often a host failed in a row. */
function countFailure({ shared: { failing } }: Client, host: string): void {
  failing.set(host, { count: (failing.get(host)?.count ?? 0) + 1, until: readClock() + DEMOTED });
}

/** Whether a host recently failed twice in a row. */
export function isFailing({ shared: { failing } }: Client, host: string): boolean {
  const { count = 0, until = 0 } = failing.get(host) ?? {};
  return count > 1 && until > readClock();
}

/**
 * Runs work once fewer than `concurrency` requests are in flight. Not in Workers: they limit requests themselves, and cancel
 * one that waits for another.
 */
export async function inSlot<T>(
  { concurrency, shared }: Client,
  signal: Signal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { waiting } = shared;
  while (shared.running >= Math.max(1, concurrency) && !isWorker()) {
    await wait<void>(signal, (done) => {
      waiting.add(done);
      return () => waiting.delete(done);
    });
  }
  shared.running++;
  try {
    return await work();
  } finally {
    shared.running--;
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    }
  }
}
