import type { ErrorCode, IndexerError, PlainError } from "../client/indexer-error.ts";
import { isObject } from "../client/values.ts";

/** Returns the HTTP status of an error. The error itself has the status of the indexer. */
export function statusOf({ code, status, deployment, style }: IndexerError): number {
  const isRefused = code === "rejected" && deployment === null && style === null;
  return isRefused ? (status ?? 400) : (STATUS[code] ?? 502);
}

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  "invalid-variables": 400,
  "no-time-travel": 400,
  "not-served": 404,
  "rate-limited": 429,
  // The key of the server is missing or wrong.
  auth: 500,
  behind: 503,
  overloaded: 503,
  timeout: 504,
};

/** Returns the headers of the response for an error. */
export function headersOf({
  status,
  retryAfter,
}: Pick<PlainError, "status" | "retryAfter">): Record<string, string> {
  return {
    ...(status === 405 && { allow: "POST" }),
    ...(retryAfter !== null && { "retry-after": String(Math.ceil(retryAfter)) }),
  };
}

/** Shorter secrets could be part of an answer by chance. */
const MIN_LENGTH = 8;

/** Renders a body as JSON, with secrets replaced in its values and names. */
export function renderBody(body: object, secrets: readonly string[]): string {
  const text = JSON.stringify(body);
  const lower = text.toLowerCase();
  // A URL contains its host, which is a secret of its own: most answers are searched for few texts.
  const isIn = (secret: string) =>
    secret.length >= MIN_LENGTH &&
    !/^https?:/.test(secret) &&
    lower.includes(JSON.stringify(secret).slice(1, -1).toLowerCase());
  return secrets.some(isIn) ? JSON.stringify(hideIn(body, secrets)) : text;
}

/** A value without the secrets in its texts and names. */
export function hideIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return hideSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => hideIn(item, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [hideSecrets(name, secrets), hideIn(item, secrets)]),
  );
}

/** A text without the secrets, in any case: hosts have none. */
function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= MIN_LENGTH)
    .reduce((rest, secret) => rest.replace(new RegExp(escapeRegExp(secret), "gi"), "…"), text);
}

function escapeRegExp(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
