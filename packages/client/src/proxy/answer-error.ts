import type { ErrorCode, IndexerError } from "../client/indexer-error.ts";
import { renderBody } from "./render-body.ts";
import { type WebResponse, web } from "./web.ts";

/** Answers with an error, which a client throws as it is: never with the status of a success. */
export function answerError(error: IndexerError, secrets: readonly string[] = []): WebResponse {
  const { code, message, style, deployment, status, retryAfter, messages, data } = error;
  const isFailure = status !== null && status >= 400 && status <= 599;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (status === 405) headers["allow"] = "POST";
  if (retryAfter !== null) headers["retry-after"] = String(Math.ceil(retryAfter));
  const body = { error: { code, message, style, deployment, status, retryAfter, messages, data } };
  return new web.Response(renderBody(body, secrets), {
    status: isFailure ? status : (STATUS[code] ?? 502),
    headers,
  });
}

/** The status of errors that no indexer has given one. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  "invalid-variables": 400,
  "no-time-travel": 400,
  "not-served": 404,
  // It is the server that has no key.
  auth: 500,
  timeout: 504,
};
