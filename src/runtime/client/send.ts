import type { Endpoint } from "../manifest-types.ts";
import type { StyleName } from "../narrowed.ts";
import { classifyErrors, classifyStatus } from "./classify.ts";
import type { Client } from "./client-options.ts";
import { headersOf } from "./headers-of.ts";
import { type ErrorCode, type ErrorFacts, IndexerError } from "./indexer-error.ts";
import { platform, type Signal } from "./platform.ts";
import { isObject } from "./values-at.ts";
import { waitFor } from "./wait.ts";

/** A question to one deployment. */
export type Question = {
  /** The name of the operation. */
  readonly operation: string;
  readonly style: StyleName;
  readonly target: Endpoint;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** The members of an answer's `data`. */
export type Data = Record<string, unknown>;

/** Sends a question once, and gives the data of the answer: whatever else comes back is an error. */
export async function send(
  client: Client,
  { operation, style, target, query, variables }: Question,
  signal: Signal | undefined,
): Promise<Data> {
  const { deployment, url } = target;
  const body = JSON.stringify({ query, variables });
  let status: number | null = null;
  let code: ErrorCode | null = null;
  const limit = new platform.AbortController();
  const abort = () => limit.abort();
  const timer = platform.setTimeout(abort, Math.min(client.timeout, 2 ** 31 - 1));
  signal?.addEventListener("abort", abort);
  let start: number | null = null;
  try {
    signal?.throwIfAborted();
    const { headers, secrets } = await waitFor(limit.signal, headersOf(client, target));
    start = client.now();
    const [text, wait] = await waitFor(limit.signal, post(headers));
    const { data, errors, message } = parseObject(text);
    const said = errors ? [errors].flat().map(readError) : [];
    code =
      classifyStatus(status ?? 0) ??
      (said.length > 0
        ? classifyErrors(said.map((one) => one.join(" ")))
        : message === "Not found"
          ? "not-served"
          : isObject(data)
            ? null
            : "unavailable");
    if (!code) return data as Data;
    // What a host repeats of its request is not repeated here.
    const safe = parseObject(secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text));
    throw fail(code, {
      messages: (safe["errors"] ? [safe["errors"]].flat() : []).map((one) => redact(readError(one)[0])),
      data: safe["data"],
      retryAfter: parseWait(wait, client.now()),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const failure =
      error instanceof IndexerError ? error : fail(limit.signal.aborted ? "timeout" : "network");
    code = failure.code;
    throw failure;
  } finally {
    platform.clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    if (start !== null) {
      client.onRequest?.({ deployment, style, operation, ms: client.now() - start, status, code });
    }
  }

  async function post(headers: Record<string, string>): Promise<[text: string, wait: string | null]> {
    const options = { method: "POST", headers, body, redirect: "error", signal: limit.signal } as const;
    const response = await client.fetch(url, options);
    status = response.status;
    return [await response.text(), response.headers.get("retry-after")];
  }

  function fail(code: ErrorCode, facts: ErrorFacts = {}): IndexerError {
    const said = facts.messages?.[0] || (status ? `HTTP ${status}` : code);
    return new IndexerError(code, `${deployment}: ${said}`, { style, deployment, status, ...facts });
  }
}

/** An empty object for what is none. */
function parseObject(text: string): Data {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {}
  return {};
}

/** What an error says, and the code that some platforms put into its extensions. */
function readError(error: unknown): readonly [message: string, code: string] {
  const { message, extensions } = isObject(error) ? error : {};
  const code = isObject(extensions) ? extensions["code"] : "";
  return [typeof message === "string" ? message.trim() : "", typeof code === "string" ? code : ""];
}

/** What is as long as a key may be one. */
function redact(text: string): string {
  return text.replace(/[\da-f]{32,}/gi, "…").slice(0, 300);
}

/** The seconds that a host wants to rest, which it may say as a date; null for anything else. */
function parseWait(text: string | null, now: number): number | null {
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text);
  // One of the three forms of dates has no time zone.
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
