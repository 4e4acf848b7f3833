import { type ErrorCode, IndexerError, type PlainError } from "../client/indexer-error.ts";
import { type FetchResponse, platform, type Signal } from "../requests/platform.ts";
import { MOST_MILLISECONDS } from "../requests/wait.ts";
import type { Client } from "./types.ts";

/** A call of a page. */
export type Sent = {
  readonly call: string;
  readonly operation: { readonly protocol: string; readonly name?: string; readonly digest?: string };
  readonly variables?: unknown;
  readonly options: { readonly signal?: Signal | undefined; readonly deadline?: number | undefined };
  /** Ends the call. */
  readonly stop?: Stop;
};

/** The platform's `AbortController`. */
export type Stop = InstanceType<typeof platform.AbortController>;

/**
 * Sends a call to the proxy, once.
 *
 * @param isAnswer whether a result has the shape of the call's; throws or returns false if it has not.
 * @throws IndexerError that of the proxy, or by the status of what else has answered; the reason of the signal if it is
 *   aborted.
 */
export function send<T>(client: Client, sent: Sent, isAnswer: (result: T) => unknown): Promise<T> {
  return exchange(client, sent, (response) => readResult(response, isAnswer));
}

/** Sends a call, and reads its answer with a function. */
export async function exchange<T>(
  client: Client,
  {
    call,
    operation: { protocol, name: operation, digest },
    variables,
    options: { signal, deadline = client.deadline ?? 30_000, ...options },
    stop = new platform.AbortController(),
  }: Sent,
  read: (response: FetchResponse) => Promise<T>,
): Promise<T> {
  const { proxy, headers, fetch = platform.fetch, maxLag } = client;
  // The proxy reports what has failed at the deadline.
  const forget = onEnd(signal, deadline + 5_000, () => stop.abort());
  try {
    const requestHeaders = new platform.Headers(
      typeof headers === "function" ? await headers() : headers,
    ) as unknown as {
      set(name: string, value: string): void;
    };
    requestHeaders.set("content-type", "application/json");
    const response = await fetch(proxy, {
      method: "POST",
      headers: requestHeaders as never,
      body: JSON.stringify(
        { call, protocol, operation, digest, variables, options: { maxLag, ...options, deadline } },
        (_, value) => (/^(bi|n)/.test(typeof value) && !Number.isFinite(value) ? `${value}` : value),
      ),
      redirect: "manual",
      signal: stop.signal,
    });
    return await read(response);
  } catch (error) {
    if (IndexerError.is(error)) throw error;
    // React Native does not keep the reason.
    if (signal?.aborted) throw signal.reason ?? error;
    if (stop.signal.aborted) throw new IndexerError("timeout", `No answer within ${deadline} ms.`);
    const isOnServer = proxy[0] === "/" && !platform.location;
    const hint = isOnServer ? " On a server, import generated/client.ts." : "";
    throw new IndexerError("network", `No answer of the proxy.${hint}`, { cause: error });
  } finally {
    forget();
  }
}

/** Calls a function after some milliseconds and when a signal is aborted. Returns a function that removes both. */
export function onEnd(signal: Signal | undefined, milliseconds: number, end: () => void): () => void {
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  const timer = platform.setTimeout(end, Math.min(milliseconds, MOST_MILLISECONDS));
  return () => {
    platform.clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  };
}

/** Reads the result of a call. */
export async function readResult<T>(response: FetchResponse, isAnswer: (result: T) => unknown): Promise<T> {
  const { status, headers } = response;
  const text = await response.text();
  let failure: unknown;
  try {
    const { result, error } = JSON.parse(text);
    if (result && isAnswer(result)) return result;
    failure = readFailure(error, status);
  } catch {}
  // Without one, something in front of the proxy has answered.
  const said = status === 404 ? "No proxy at this path." : `No answer of the proxy: HTTP ${status}.`;
  const retryAfter = Number(headers.get("retry-after")) || null;
  throw failure ?? new IndexerError(codeOf(status), said, { status: status || null, retryAfter });
}

/** Returns the error of a proxy; undefined for anything else. Throws for one that is not of its shape. */
export function readFailure(error: unknown, status = 502): IndexerError | undefined {
  const { code, message, ...facts } = Object(error) as PlainError;
  return typeof code === "string" && typeof message === "string"
    ? new IndexerError(CODES.test(code) ? code : codeOf(status), message, facts)
    : undefined;
}

/** The code of an HTTP status, of an unknown error or of no proxy. In browsers, a redirect has the status 0. */
function codeOf(status: number): ErrorCode {
  return status === 429 ? "rate-limited" : /^(0|3..|40[13])$/.test(`${status}`) ? "auth" : "unavailable";
}

/** The codes that this page knows. */
const CODES =
  /^(network|timeout|unavailable|auth|rate-limited|invalid-variables|index(ers|ing)|re(organiz|ject)ed|overloaded|pruned|not-served|no-time-travel|wrong-chain|behind|inconsistent)$/;
