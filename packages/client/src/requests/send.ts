import type { Call, Client, Part, Target } from "../client/client-types.ts";
import { type ErrorCode, type ErrorFacts, failAt, IndexerError } from "../client/indexer-error.ts";
import { isObject } from "../client/values.ts";
import { keepHeaders } from "./heads.ts";
import { type FetchResponse, type Headers, platform, readClock, type Signal } from "./platform.ts";
import { classifyStatus, type Data, parseJson, readText } from "./read-answer.ts";
import { LATE, notify, throwIfAborted, wait } from "./wait.ts";

/** A request, and how its answer is read. */
export type Request<T> = {
  /** One part, or a batch of them. */
  readonly content: Part | readonly Part[];
  readonly readBody: ReadBody<T>;
};

/**
 * Reads the parsed body of an answer.
 *
 * @param read returns the data of an answer, or of a part of a batch. Throws an `IndexerError` if it has none.
 * @returns undefined if the body does not fit the request.
 */
type ReadBody<T> = (value: unknown, read: (parsed: unknown) => Data) => T | undefined;

/**
 * Sends a request once.
 *
 * @throws IndexerError if the response has no usable data, and the reason of the signal if it is aborted.
 */
export async function send<P extends string, R, V, T>(
  { client, operation, signal, timeout, deadline, end, styles, state }: Call<P, R, V>,
  target: Target,
  { content, readBody }: Request<T>,
): Promise<T> {
  const { style, deployment, url, host } = target;
  const headers = { ...target.headers };
  const secrets: string[] = [];
  const added: Headers = { headers, secrets };
  let start: number | null = null;
  let status: number | null = null;
  let code: ErrorCode | null = null;
  try {
    return await wait(signal, Math.min(timeout, end - readClock()), (done, reject) => {
      const stop = new platform.AbortController();
      exchange(stop.signal).then(done, reject);
      // Also closes the connection of a body that was not read to its end. An abort after success would cost CPU.
      return () => stop.abort();
    });
  } catch (error) {
    throwIfAborted(signal);
    const late = `no answer within ${readClock() < end ? timeout : deadline} ms`;
    const failure = error === LATE ? fail("timeout", late) : error;
    if (IndexerError.is(failure)) {
      code = failure.code;
      // Set before the slot is free for the next request. Other chains may not have failures of one query.
      if (target.chains.length > 1 && styles.length > 1 && !/over|in[dc]|reo/.test(code))
        state.down?.set(deployment, failure);
    }
    throw failure;
  } finally {
    if (start !== null) {
      const ms = client.now() - start;
      notify(client.onRequest, { deployment, style, operation: operation.name, ms, status, code });
    }
  }

  async function exchange(stop: Signal): Promise<T> {
    if (client.headers) await addHeaders(client, target, added);
    client.addKeys(client, target, added);
    throwIfAborted(stop);
    // Browsers throw if `fetch` is called as a method of another object.
    const { fetch } = client;
    const body = JSON.stringify(content);
    if (!state.refusal) start = client.now();
    let response: FetchResponse;
    let text: string;
    try {
      if (state.refusal) throw state.refusal;
      // A key must not follow a redirect.
      response = await fetch(url, { method: "POST", headers, body, signal: stop, redirect: "manual" });
      // In browsers, a redirect has the status 0.
      status = response.status || null;
      text = await readText(response);
    } catch (error) {
      if (IndexerError.is(error)) throw error;
      // Cloudflare's workers limit the requests of an event.
      if (/too many subrequests/i.test(Object(error).message)) state.refusal = error;
      const { message, cause = error }: { readonly message?: unknown; readonly cause?: unknown } =
        Object(error);
      const { message: inner, code }: { readonly message?: unknown; readonly code: string } = Object(cause);
      // A message with a key or the URL is not shown.
      if ([url, ...secrets].some((secret) => `${message} ${inner}`.includes(secret))) throw fail("network");
      throw fail("network", /^[A-Z][A-Z_\d]+$/.test(code) ? `network, ${code}` : undefined, { cause: error });
    }
    // React Native follows redirects, and does not say so. A `fetch` of the application may send to another host.
    const isElsewhere =
      response.redirected !== false &&
      response.url &&
      !host.endsWith(` ${new platform.URL(response.url).host}`);
    if (!status || /^30[12378]$/.test(`${status}`) || isElsewhere) {
      throw fail("not-served", "the URL redirects");
    }
    const value = parseJson(text);
    if (status === 404 && !isObject(value)) throw fail("unavailable", "no GraphQL at this path");
    const refusal = classifyStatus(status);
    const retryAfter = parsePause(String(response.headers.get("retry-after")), client.now());
    // Set before the slot is free for the next request.
    if (status === 429) client.shared.paused.set(host, readClock() + (retryAfter ?? 1) * 1000);
    const read = (parsed: unknown): Data => {
      const { data, code, messages } = client.readAnswer(parsed, secrets);
      // The words of an error may say more than these statuses.
      const isVague = refusal === "rejected" || refusal === "unavailable";
      const reason = isVague && code !== "unavailable" ? (code ?? refusal) : (refusal ?? code);
      if (reason) {
        // A host may repeat the headers of the request in its answer. In unparsed JSON, escapes could hide them.
        const sent = String(JSON.stringify(value));
        const isSafe = !secrets.some((secret) => sent.includes(JSON.stringify(secret).slice(1, -1)));
        throw fail(reason, undefined, { messages, data: isSafe ? data : undefined, retryAfter });
      }
      keepHeaders(data as Data, response.headers);
      return data as Data;
    };
    const answer = refusal ? (read(value) as T) : readBody(value, read);
    if (answer) return answer;
    throw fail("rejected");
  }

  function fail(code: ErrorCode, words: string = code, facts: ErrorFacts = {}): IndexerError {
    const said = facts.messages?.find((text) => text) ?? (status ? `${words}, HTTP ${status}` : words);
    return failAt(target, code, said, { status, ...facts });
  }
}

/** Adds the headers of the application. */
async function addHeaders(client: Client, target: Target, { headers, secrets }: Headers): Promise<void> {
  let given: unknown;
  try {
    given = await client.headers?.(target);
  } catch (cause) {
    throw failAt(target, "auth", "headers() threw", { cause });
  }
  try {
    for (const [name, value] of new platform.Headers(given)) {
      headers[name] = value;
      // Any long value of the application's headers may be secret.
      secrets.push(...value.split(" ").filter((word) => word.length > 7));
    }
  } catch {
    // The platform's error contains the value, so that it is not the cause.
    throw failAt(target, "auth", "headers() returned an invalid header");
  }
}

/** The longest pause after a 429, in seconds: a wrong `Retry-After` must not stop an application for a day. */
const LONGEST_PAUSE = 300;

/** Returns the seconds of `Retry-After`, which may be a date; null for anything else. */
function parsePause(text: string, now: number): number | null {
  // One of the three forms of dates has no time zone.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text.replace(/ \d{4}$/, "$& GMT")) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : (date - now) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_PAUSE, Math.max(0, seconds));
}
