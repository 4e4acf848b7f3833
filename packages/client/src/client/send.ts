import type { Endpoint, StyleName, Variables } from "../manifest/manifest-types.ts";
import type { Client, Part } from "./client-types.ts";
import { keepTime } from "./heads.ts";
import {
  type ErrorCode,
  type ErrorFacts,
  IndexerError,
  type PlainError,
  throwable,
} from "./indexer-error.ts";
import { type FetchResponse, type HeaderValues, platform, readClock, type Signal } from "./platform.ts";
import { classifyStatus, type Data, parseJson, readAnswer, readText } from "./read-answer.ts";
import { isObject } from "./values.ts";
import { MOST_MILLISECONDS, notify, onAbort, waitFor } from "./wait.ts";

/** A request to a deployment, with one part or a batch of them. */
export type Question = {
  /** The name of the operation. */
  readonly operation: string;
  readonly style: StyleName;
  readonly target: Endpoint;
  readonly parts: readonly Part[];
  /** Whether to send the parts as a batch, even a single one. */
  readonly isList?: boolean;
};

/**
 * Sends a request once.
 *
 * @returns the data or the error of each part.
 * @throws IndexerError if the response has no usable data, and the reason of the signal if it is aborted.
 */
export async function send(
  client: Client,
  { operation, style, target, parts, isList = false }: Question,
  signal: Signal | undefined,
): Promise<readonly (Data | IndexerError)[]> {
  const { deployment, url } = target;
  const body = JSON.stringify(isList ? parts : parts[0]);
  const limit = new platform.AbortController();
  const abort = () => limit.abort();
  const timer = platform.setTimeout(abort, Math.min(client.timeout, MOST_MILLISECONDS));
  const forget = onAbort(signal, abort);
  let start: number | null = null;
  let status: number | null = null;
  let code: ErrorCode | null = null;
  let secrets: readonly string[] = [];
  try {
    signal?.throwIfAborted();
    const own = await waitFor(limit.signal, headersOf(client, target, style));
    secrets = own.secrets;
    start = client.now();
    const [text, answer] = await waitFor(limit.signal, post(own.headers));
    const value = parseJson(text);
    if (status === 404 && !isObject(value)) throw fail("unavailable", {}, "no GraphQL endpoint at this path");
    const refusal = classifyStatus(status ?? 0);
    const retryAfter = parsePause(answer.get("retry-after"), client.now());
    if (refusal === "rate-limited") {
      // Set before the slot is free for the next request.
      const until = readClock() + (retryAfter ?? 1) * 1000;
      client.shared.paused.set(hostOf(client, style, target), until);
    }
    const passed = client.proxy && isObject(value) ? value["error"] : null;
    if (isObject(passed) && typeof passed["code"] === "string") {
      throw throwable({ style, deployment, status, ...passed } as PlainError);
    }
    const isAnswered = isList && !refusal;
    if (isAnswered && !(Array.isArray(value) && value.length === parts.length)) throw fail("rejected");
    const answers = (isAnswered ? (value as readonly unknown[]) : [value]).map((one) => {
      const { data, code, messages } = readAnswer(one, secrets);
      const why = refusal ?? code;
      if (!why) {
        keepTime(data as Data, answer);
        return data as Data;
      }
      // A host may repeat the headers of the request in its answer.
      const safe = secrets.some((secret) => includesText(value, secret)) ? undefined : data;
      return fail(why, { messages, data: safe, retryAfter });
    });
    const [first] = answers;
    if (first instanceof IndexerError && !isAnswered) throw first;
    return answers;
  } catch (error) {
    signal?.throwIfAborted();
    const isLate = limit.signal.aborted;
    const failure =
      error instanceof IndexerError
        ? error
        : fail(isLate ? "timeout" : "network", causeOf(error, [url, ...secrets]));
    code = failure.code;
    throw failure;
  } finally {
    platform.clearTimeout(timer);
    forget();
    // Closes the connection of a body that was not read to its end.
    abort();
    if (start !== null) {
      notify(client.onRequest, { deployment, style, operation, ms: client.now() - start, status, code });
    }
  }

  async function post(
    headers: Record<string, string>,
  ): Promise<[text: string, headers: FetchResponse["headers"]]> {
    // A key must not follow a redirect.
    const options = { method: "POST", headers, body, redirect: "manual", signal: limit.signal } as const;
    // Browsers throw if `fetch` is called as a method of another object.
    const { fetch } = client;
    const response = await fetch(url, options);
    // In browsers, a redirect has the status 0.
    status = response.status || null;
    if (!status || /^30[12378]$/.test(`${status}`)) {
      throw fail("not-served", {}, "the URL redirects, which is not followed");
    }
    return [await readText(response), response.headers];
  }

  function fail(code: ErrorCode, facts: ErrorFacts = {}, words = code as string): IndexerError {
    const { cause } = Object(facts.cause);
    const detail = status ? `HTTP ${status}` : Object(cause ?? facts.cause).code;
    const said =
      facts.messages?.find((text) => text) ??
      (/^(HTTP \d+|[A-Z][A-Z_\d]+)$/.test(detail) ? `${words}, ${detail}` : words);
    return new IndexerError(code, `${deployment}: ${said}`, { style, deployment, status, ...facts });
  }
}

/** Whether a parsed value contains a text. In unparsed JSON, escapes could hide it. */
function includesText(value: unknown, text: string): boolean {
  return JSON.stringify(value)?.includes(JSON.stringify(text).slice(1, -1)) ?? false;
}

/** Returns the error that the platform threw, unless its message contains a key or the URL, which may have one. */
function causeOf(cause: unknown, hidden: readonly string[]): ErrorFacts {
  const text = `${Object(cause).message} ${Object(Object(cause).cause).message}`;
  return hidden.some((one) => text.includes(one)) ? {} : { cause };
}

/** The longest pause after a 429, in seconds: a wrong `Retry-After` must not stop an application for a day. */
const LONGEST_PAUSE = 300;

/** Returns the seconds of `Retry-After`, which may be a date; null for anything else. */
function parsePause(text: string | null, now: number): number | null {
  if (!text) return null;
  if (/^\d+$/.test(text)) return Math.min(LONGEST_PAUSE, Number(text));
  // One of the three forms of dates has no time zone.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(LONGEST_PAUSE, Math.max(0, (date - now) / 1000));
}

/** The headers of a request, and the secrets in their values. */
type Headers = { readonly headers: Record<string, string>; readonly secrets: readonly string[] };

/** Builds the headers of a request. A key is read for each request, and sent only to the host of its rule. */
async function headersOf(client: Client, target: Endpoint, style: StyleName): Promise<Headers> {
  const { auth, url, deployment, secretHeaders } = target;
  const fail = (said: string, cause?: unknown) =>
    new IndexerError("auth", `${deployment}: ${said}.`, { style, deployment, cause });
  const headers: Record<string, string> = { ...target.headers };
  const secrets: string[] = [];
  let given: HeaderValues | undefined;
  try {
    given = await client.headers?.(target);
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
  const wanted = Object.entries(secretHeaders).map(([name, env]) => [name, env, ""] as const);
  const rules = auth ? [...wanted, [auth.header, auth.env, `${auth.scheme} `] as const] : wanted;
  for (const [name, env, scheme] of rules) {
    const { host, protocol, hostname } = new platform.URL(url);
    const isSafe = protocol === "https:" || /^(localhost|\[::1]|127(\.\d+){3})$/.test(hostname);
    if (!isSafe || (auth && host !== auth.host)) continue;
    const value = readVariable(client.env, env);
    if (!value) throw fail(`set ${env}`);
    // The platform would throw an error that contains the key.
    if (/[^\t -~\x80-\xff]/.test(value)) throw fail(`the value of ${env} is not valid in a header`);
    headers[name.toLowerCase()] = scheme + value;
    secrets.push(value);
  }
  return { headers, secrets };
}

function readVariable(env: Variables | undefined, name: string): string {
  const value = (env ?? platform.process?.env)?.[name];
  return typeof value === "string" ? value.trim() : "";
}

/**
 * Returns the key of a host's state: pauses and failures. Each style has its own, because one machine may serve both with
 * different limits. Behind a proxy it is the deployment, because the host is unknown.
 */
export function hostOf({ proxy }: Client, style: StyleName, { deployment, url }: Endpoint): string {
  return proxy ? deployment : `${style} ${new platform.URL(url).host}`;
}
