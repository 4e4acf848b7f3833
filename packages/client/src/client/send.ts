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

/** A question to one deployment, or several at once. */
export type Question = {
  /** The name of the operation. */
  readonly operation: string;
  readonly style: StyleName;
  readonly target: Endpoint;
  readonly parts: readonly Part[];
  /** Whether the parts go as a list, however many they are. */
  readonly isList?: boolean;
};

/**
 * Sends a question once.
 *
 * @returns the data of each part, or why it has none.
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
      // Before the slot is free for another question.
      const until = readClock() + (retryAfter ?? 1) * 1000;
      client.shared.resting.set(hostOf(client, style, target), until);
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
      // What a host repeats of its request is not repeated here.
      const safe = secrets.some((secret) => holds(value, secret)) ? undefined : data;
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
    // Nothing reads the rest of a body.
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
    // In a browser it is the method of nothing but the page.
    const { fetch } = client;
    const response = await fetch(url, options);
    // In a page, a redirect has the status 0.
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

/** Whether a value has a text in it. It was parsed, so that no escape of JSON hides the text. */
function holds(value: unknown, text: string): boolean {
  return JSON.stringify(value)?.includes(JSON.stringify(text).slice(1, -1)) ?? false;
}

/** Returns the error that the platform threw, unless it shows a key or the URL, which may hold one. */
function causeOf(cause: unknown, hidden: readonly string[]): ErrorFacts {
  const text = `${Object(cause).message} ${Object(Object(cause).cause).message}`;
  return hidden.some((one) => text.includes(one)) ? {} : { cause };
}

/** The longest pause that a host gets, in seconds: a mistake of a host must not stop an application for a day. */
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

/** The headers of a request. A key is read now, and goes to the host that its rule names and to no other. */
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
      // Any value of a program's own headers may be secret if it is as long as a key.
      secrets.push(...value.split(" ").filter((word) => word.length > 7));
    }
  } catch {
    // The platform's error shows the value.
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
    // The platform would fail as if the host did, and show the key.
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
 * Who is left alone where it asks for that. Which deployments share a host, a proxy does not say; and what limits the one
 * style on a host, as on a machine that serves both, may leave the other.
 */
export function hostOf({ proxy }: Client, style: StyleName, { deployment, url }: Endpoint): string {
  return proxy ? deployment : `${style} ${new platform.URL(url).host}`;
}
