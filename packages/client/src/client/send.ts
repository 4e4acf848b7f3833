import type { Endpoint } from "../manifest/manifest-types.ts";
import type { StyleName } from "../manifest/project.ts";
import { keepTime } from "./answer-time.ts";
import { classifyStatus } from "./classify.ts";
import type { Client } from "./client-options.ts";
import { headersOf } from "./headers-of.ts";
import { hostOf } from "./host-of.ts";
import {
  type ErrorCode,
  type ErrorFacts,
  IndexerError,
  type PlainError,
  throwable,
} from "./indexer-error.ts";
import { isObject } from "./is-object.ts";
import { notify } from "./notify.ts";
import { onAbort } from "./on-abort.ts";
import { type FetchResponse, platform, readClock, type Signal } from "./platform.ts";
import type { ProxyQuestion } from "./proxy-question.ts";
import { type Data, parseJson, readAnswer } from "./read-answer.ts";
import { readText } from "./read-text.ts";
import { MOST_MILLISECONDS, waitFor } from "./wait.ts";

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

/** A text and its variables, or what a proxy has these from. */
export type Part =
  | { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }
  | ProxyQuestion;

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
