import type { ErrorCode, PlainError } from "../client/indexer-error.ts";
import { isObject } from "../client/values.ts";
import { type FetchResponse, platform } from "./platform.ts";

/** The members of an answer's `data`. */
export type Data = Record<string, unknown>;

/** A parsed answer. */
type Answer = {
  readonly data: unknown;
  /** The code of its errors; null if it is valid. */
  readonly code: ErrorCode | null;
  readonly messages: readonly string[];
  /** The error of a proxy's client. */
  readonly passed?: Partial<PlainError> | null;
};

/** Reads a parsed answer. Everything except data without errors is a failure. */
export type ReadAnswer = (value: unknown, secrets: readonly string[]) => Answer;

/** Reads an answer of an indexer. */
export const readAnswer: ReadAnswer = (value, secrets) => {
  const { data, errors, message }: Data = Object(value);
  const said = errors ? [errors].flat().map((error) => readError(error, secrets)) : [];
  return {
    data,
    code:
      said.length > 0
        ? classifyErrors(said.map(({ words }) => words))
        : message === "Not found"
          ? "not-served"
          : isObject(data)
            ? null
            : "unavailable",
    messages: said.map((error) => error.message),
  };
};

/** Reads an answer of a proxy, which has classified the errors of the indexer. */
export const readProxied: ReadAnswer = (value) => {
  const { data, error }: Data = Object(value);
  const passed = typeof Object(error).code === "string" ? (error as Partial<PlainError>) : null;
  return { data, code: isObject(data) ? null : "unavailable", messages: [], passed };
};

/** Parses a text; undefined if it is not JSON, or more than 64 levels deep. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return findOdd(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the response key of a value below more than 64 levels, or of a number that should be text and may have lost digits.
 *
 * @param numbers the keys of values that may be numbers; without them, all may be.
 */
export function findOdd(
  value: unknown,
  numbers?: readonly string[],
  key = "",
  level = 0,
): string | undefined {
  if (typeof value === "number" && numbers) return key;
  if (typeof value !== "object" || value === null) return undefined;
  let found = level > 63 ? key : undefined;
  // `for … in` over a list takes four times as long. Most values are texts, which need no call.
  if (Array.isArray(value)) {
    for (const one of value) found ??= findOdd(one, numbers, key, level + 1);
    return found;
  }
  for (const name in value) {
    const one = value[name as never] as unknown;
    if (typeof one !== "string" && !numbers?.includes(name)) found ??= findOdd(one, numbers, name, level + 1);
  }
  return found;
}

/** Returns the message of a GraphQL error without secrets, and the text to classify, with the code of its extensions. */
function readError(
  error: unknown,
  secrets: readonly string[],
): { readonly message: string; readonly words: string } {
  const { message, extensions }: Data = Object(error);
  const text = textOf(message);
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  // Long hex text may be a key.
  return {
    words: `${text} ${textOf(Object(extensions).code)}`,
    message: shown.replace(/[\da-f]{32,}/gi, "…").slice(0, 300),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The code of an error by its text: the first match. Prefixes are used if the platform adds variable text. */
const MEANINGS: readonly (readonly [pattern: RegExp, code: ErrorCode])[] = [
  // Some of these indexers may answer the next request.
  [
    /^bad indexers:.*\b(timeout|failed to connect|unavailable\((?!missing block|too far|not supp)|\b(429|5\d\d)\))/is,
    "indexers",
  ],
  [/^(auth error:|invalid auth:)|access-denied/i, "auth"],
  [/indexing_error/i, "indexing"],
  [/must be between/i, "rejected"],
  [/only indexed up to|not started syncing|missing block|too far behind/i, "behind"],
  [/only has data starting at|no block with that hash/i, "pruned"],
  [/^(subgraph not found|deployment `.*` does not exist|no indexers found)/i, "not-served"],
  [
    /query timed out|too expensive|overloaded|statement timeout|result size| (time|node|depth)-limit-exceeded$/i,
    "overloaded",
  ],
  [/ rate-limit-exceeded$/i, "rate-limited"],
  [/reorganized while executing/i, "reorganized"],
  [/database unavailable|^internal error:| (postgres-error|unexpected)$/i, "unavailable"],
  [/^bad indexers:/i, "indexers"],
];

/** Returns the code of GraphQL errors; `rejected` if none is known. */
function classifyErrors(said: readonly string[]): ErrorCode {
  for (const [pattern, code] of MEANINGS) if (said.some((text) => pattern.test(text))) return code;
  return "rejected";
}

/** Returns the code of an HTTP status; null for a success. */
export function classifyStatus(status: number): ErrorCode | null {
  if (status > 199 && status < 300) return null;
  if (status === 429) return "rate-limited";
  if (status > 400 && status < 404) return "auth";
  if (status === 404) return "not-served";
  // A server that waited too long for the request may have more time for the next.
  return status > 399 && status < 500 && status !== 408 ? "rejected" : "unavailable";
}

/** Failures for which a retry of the same host may help. */
export const TRANSIENT: readonly ErrorCode[] = [
  "rate-limited",
  "unavailable",
  "network",
  "timeout",
  "overloaded",
  "indexers",
  "reorganized",
];

/** Failures that the other style would have as well. */
export const FINAL: readonly ErrorCode[] = ["pruned", "invalid-variables", "no-time-travel"];

/** The largest body of an answer. */
const MOST_BYTES = 16_777_216;

/** Reads and decodes a body; returns "" if it is too large or not UTF-8. */
export async function readText(response: FetchResponse): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) {
    const text = await response.text();
    return text.length > MOST_BYTES ? "" : text;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) break;
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      return "";
    }
    chunks.push(value);
  }
  // Not chunk by chunk: Node decodes parts of a stream more slowly, and to wider text.
  let [bytes] = chunks;
  if (chunks.length > 1) {
    const all = new Uint8Array(size);
    size = 0;
    for (const chunk of chunks) {
      all.set(chunk, size);
      size += chunk.length;
    }
    bytes = all;
  }
  try {
    return new platform.TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}
