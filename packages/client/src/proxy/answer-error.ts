import type { ErrorCode, IndexerError } from "../client/indexer-error.ts";
import { isObject } from "../client/values.ts";
import { type WebResponse, web } from "./web.ts";

/** Builds the response for an error, never with a success status. The client throws the error unchanged. */
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

/** The status of errors without an HTTP status. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  "invalid-variables": 400,
  "no-time-travel": 400,
  "not-served": 404,
  // The key of the server is missing or wrong.
  auth: 500,
  timeout: 504,
};

/** Shorter secrets could be part of an answer by chance. */
const MIN_LENGTH = 8;

/** Renders a body as JSON, with secrets replaced in its values and names. */
export function renderBody(body: object, secrets: readonly string[]): string {
  const text = JSON.stringify(body);
  if (!secrets.some((secret) => hideSecrets(text, [JSON.stringify(secret).slice(1, -1)]) !== text))
    return text;
  return JSON.stringify(body, (_, value) => {
    if (typeof value === "string") return hideSecrets(value, secrets);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hideSecrets(name, secrets), one]));
  });
}

/** A text without the secrets, in any case: hosts have none. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= MIN_LENGTH)
    .reduce((rest, secret) => rest.replace(new RegExp(escapeRegExp(secret), "gi"), "…"), text);
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
