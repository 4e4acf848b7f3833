import type { Call, Client, Part, Target } from "../client/client-types.ts";
import {
  type ErrorCode,
  type ErrorFacts,
  failAt,
  IndexerError,
  type PlainError,
  throwable,
} from "../client/indexer-error.ts";
import { isObject } from "../client/values.ts";
import type { Variables } from "../manifest/manifest-types.ts";
import { keepTime } from "./heads.ts";
import { platform, readClock, type Signal } from "./platform.ts";
import { classifyStatus, type Data, parseJson, readAnswer, readText } from "./read-answer.ts";
import { LATE, notify, wait } from "./wait.ts";

/** The content of a request: one part, or a batch of them. */
export type Content = Part | readonly Part[];

/**
 * Sends a request once.
 *
 * @returns the data of the answer, or the data or the error of each part of a batch.
 * @throws IndexerError if the response has no usable data, and the reason of the signal if it is aborted.
 */
export async function send<P extends string, R, V>(
  { client, operation, signal, timeout, deadline, end }: Call<P, R, V>,
  target: Target,
  content: Content,
): Promise<readonly (Data | IndexerError)[]> {
  const { style, deployment, url, host } = target;
  let start: number | null = null;
  let status: number | null = null;
  let code: ErrorCode | null = null;
  let secrets: readonly string[] = [];
  try {
    return await wait(signal, Math.min(timeout, end - readClock()), (done, reject) => {
      const stop = new platform.AbortController();
      exchange(stop.signal).then(done, reject);
      // Also closes the connection of a body that was not read to its end. An abort after success would cost CPU.
      return () => stop.abort();
    });
  } catch (error) {
    signal?.throwIfAborted();
    const failure =
      error instanceof IndexerError
        ? error
        : error === LATE
          ? fail("timeout", `no answer within ${readClock() < end ? timeout : deadline} ms`)
          : fail("network", ...describeCause(error, [url, ...secrets]));
    code = failure.code;
    throw failure;
  } finally {
    if (start !== null) {
      const ms = client.now() - start;
      notify(client.onRequest, { deployment, style, operation: operation.name, ms, status, code });
    }
  }

  async function exchange(stop: Signal): Promise<readonly (Data | IndexerError)[]> {
    const own = await headersOf(client, target);
    secrets = own.secrets;
    stop.throwIfAborted();
    start = client.now();
    // Browsers throw if `fetch` is called as a method of another object.
    const { fetch } = client;
    const response = await fetch(url, {
      ...{ method: "POST", headers: own.headers, body: JSON.stringify(content), signal: stop },
      // A key must not follow a redirect.
      redirect: "manual",
    });
    // In browsers, a redirect has the status 0.
    status = response.status || null;
    if (!status || /^30[12378]$/.test(`${status}`)) {
      throw fail("not-served", "the URL redirects, which is not followed");
    }
    const value = parseJson(await readText(response));
    if (status === 404 && !isObject(value)) throw fail("unavailable", "no GraphQL endpoint at this path");
    const refusal = classifyStatus(status);
    const retryAfter = parsePause(response.headers.get("retry-after"), client.now());
    // Set before the slot is free for the next request.
    if (status === 429) client.shared.paused.set(host, readClock() + (retryAfter ?? 1) * 1000);
    const passed = client.proxy && isObject(value) ? value["error"] : null;
    if (isObject(passed) && typeof passed["code"] === "string") {
      throw throwable({ style, deployment, status, ...passed } as PlainError);
    }
    const read = (one: unknown): Data | IndexerError => {
      const { data, code, messages } = readAnswer(one, secrets);
      if (refusal ?? code) {
        // A host may repeat the headers of the request in its answer.
        const isSafe = !secrets.some((secret) => includesText(value, secret));
        const facts = { messages, data: isSafe ? data : undefined, retryAfter };
        return fail((refusal ?? code) as ErrorCode, undefined, facts);
      }
      keepTime(data as Data, response.headers);
      return data as Data;
    };
    if (Array.isArray(content) && !refusal) {
      if (Array.isArray(value) && value.length === content.length) return value.map(read);
      throw fail("rejected");
    }
    const answer = read(value);
    if (answer instanceof IndexerError) throw answer;
    return [answer];
  }

  function fail(code: ErrorCode, words: string = code, facts: ErrorFacts = {}): IndexerError {
    const said = facts.messages?.find((text) => text) ?? (status ? `${words}, HTTP ${status}` : words);
    return failAt(target, code, said, { status, ...facts });
  }
}

/** Whether a parsed value contains a text. In unparsed JSON, escapes could hide it. */
function includesText(value: unknown, text: string): boolean {
  return JSON.stringify(value)?.includes(JSON.stringify(text).slice(1, -1)) ?? false;
}

/** Returns words for an error of the platform, and the error, unless its message contains a key or the URL. */
function describeCause(
  cause: unknown,
  hidden: readonly string[],
): [words?: string | undefined, facts?: ErrorFacts] {
  const inner = Object(Object(cause).cause ?? cause);
  const text = `${Object(cause).message} ${inner.message}`;
  if (hidden.some((one) => text.includes(one))) return [];
  return [/^[A-Z][A-Z_\d]+$/.test(inner.code) ? `network, ${inner.code}` : undefined, { cause }];
}

/** The longest pause after a 429, in seconds: a wrong `Retry-After` must not stop an application for a day. */
const LONGEST_PAUSE = 300;

/** Returns the seconds of `Retry-After`, which may be a date; null for anything else. */
function parsePause(text: string | null, now: number): number | null {
  if (!text) return null;
  // One of the three forms of dates has no time zone.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : (date - now) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_PAUSE, Math.max(0, seconds));
}

/** The headers of a request, and the secrets in their values. */
type Headers = { readonly headers: Record<string, string>; readonly secrets: readonly string[] };

/** Builds the headers of a request. A key is read for each request, and sent only to the host of its rule. */
async function headersOf(client: Client, target: Target): Promise<Headers> {
  const { auth, url, secretHeaders } = target;
  const fail = (words: string, cause?: unknown) => failAt(target, "auth", words, { cause });
  const headers: Record<string, string> = { ...target.headers };
  const secrets: string[] = [];
  if (client.headers) {
    let given: unknown;
    try {
      given = await client.headers(target);
    } catch (error) {
      throw fail("headers() of the client threw", error);
    }
    try {
      for (const [name, value] of new platform.Headers(given)) {
        headers[name] = value;
        // Any long value of the application's headers may be secret.
        secrets.push(...value.split(" ").filter((word) => word.length > 7));
      }
    } catch {
      // The platform's error contains the value, so that it is not the cause.
      throw fail("headers() of the client returned an invalid header");
    }
  }
  const rules = Object.entries(secretHeaders).map(([header, env]) => ({ header, env, scheme: "" }));
  if (auth) rules.push({ ...auth, scheme: `${auth.scheme} ` });
  for (const { header, env, scheme } of rules) {
    const { host, protocol, hostname } = new platform.URL(url);
    const isSafe = protocol === "https:" || /^(localhost|\[::1]|127(\.\d+){3})$/.test(hostname);
    if (!isSafe || (auth && host !== auth.host)) continue;
    const value = readVariable(client.env, env);
    if (!value) throw fail(`set ${env}`);
    // The platform would throw an error that contains the key.
    if (/[^\t -~\x80-\xff]/.test(value)) throw fail(`the value of ${env} is not valid in a header`);
    headers[header.toLowerCase()] = scheme + value;
    secrets.push(value);
  }
  return { headers, secrets };
}

function readVariable(env: Variables | undefined, name: string): string {
  const value = (env ?? platform.process?.env)?.[name];
  return typeof value === "string" ? value.trim() : "";
}
