import type { ErrorCode } from "../client/indexer-error.ts";
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
};

/** Reads a parsed answer. Everything except data without errors is a failure. */
export type ReadAnswer = (value: unknown, secrets: readonly string[]) => Answer;

/** Reads an answer of an indexer. */
export const readAnswer: ReadAnswer = (value, secrets) => {
  const { data, errors, message }: Data = Object(value);
  const said = errors ? [errors].flat().map((error): Data => Object(error)) : [];
  return {
    data,
    code:
      said.length > 0
        ? classifyErrors(said.map((error) => `${textOf(error)} ${textOf(error["extensions"], "code")}`))
        : message === "Not found"
          ? "not-served"
          : isObject(data)
            ? null
            : "unavailable",
    messages: said.map((error) => hideKeys(textOf(error), secrets)),
  };
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
    for (const item of value) found ??= findOdd(item, numbers, key, level + 1);
    return found;
  }
  for (const name in value) {
    const member = value[name as never] as unknown;
    if (typeof member !== "string" && !numbers?.includes(name))
      found ??= findOdd(member, numbers, name, level + 1);
  }
  return found;
}

/** Returns the start of a message without secrets, and without long hex texts, which may be keys. */
function hideKeys(message: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), message);
  return shown.replace(/[\da-f]{32,}/gi, "…").slice(0, 300);
}

/** Returns the text of a member; "" for any other value. */
function textOf(value: unknown, name = "message"): string {
  const text: unknown = Object(value)[name];
  return typeof text === "string" ? text.trim() : "";
}

/**
 * The code of an error by its text and the code of its extensions: the first match. Only words that refuse a query or its
 * variables are `rejected`: others may describe a passing state of the indexer.
 */
const MEANINGS: readonly (readonly [pattern: RegExp, code: ErrorCode])[] = [
  [/^(auth error|invalid auth):|access-denied| (\S*jwt\S*|invalid-headers)$/i, "auth"],
  [/indexing_error/i, "indexing"],
  [/only indexed|not started|missing block|far behind/i, "behind"],
  [/data starting at|no block with/i, "pruned"],
  [/^(subgraph not found|deployment `.*` does not exist|no indexers found)/i, "not-served"],
  [/ rate-limit-exceeded$/i, "rate-limited"],
  [
    /query timed out|too expensive|overloaded|statement timeout|result size|exceeds the limit|-limit-exceeded$/i,
    "overloaded",
  ],
  [/reorganized while/i, "reorganized"],
  [/value resolved|^(ambiguous|failed to coerce)/i, "inconsistent"],
  [
    /^([\w-]+ )*(type|field|variable|fragment|entity|argument|enum|value|decode|by|unexpected):? ["`]|^(bad query:|cannot mix|filter must|invalid (fulltext|query)|non-list value passed)|must be between|unsupported filter|((parse|validation).failed|data-exception|bad-request)$/i,
    "rejected",
  ],
];

/** Returns the code of GraphQL errors: the first transient one, because a retry may then help. */
function classifyErrors(said: readonly string[]): ErrorCode {
  const codes = said.flatMap((text) => {
    // Why each indexer behind a gateway failed: `0xa: Timeout, 0xb: BadResponse(unattestable response: …)`.
    const isGateway = /^bad indexers:/i.test(text);
    const reasons = isGateway
      ? text.split(/0x[\da-f]+: (?:\w+\((?:\w+ (?:response|attestation): )?)?/).slice(1)
      : [text];
    // Some indexers refuse every query of a gateway.
    const others = reasons.filter((reason) => !/^(40[123]\)|not supported: )/i.test(reason));
    const unknown = isGateway ? "indexers" : "unavailable";
    return others.map((reason) => MEANINGS.find(([pattern]) => pattern.test(reason))?.[1] ?? unknown);
  });
  return codes.find((code) => TRANSIENT.test(code)) ?? codes[0] ?? "indexers";
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
export const TRANSIENT: RegExp = /rate-limited|unavailable|network|timeout|overloaded|indexers|reorganized/;

/** Failures that the other style would have as well. */
export const FINAL: readonly ErrorCode[] = ["pruned", "no-time-travel"];

/** The largest body of an answer. */
const MOST_BYTES = 16_777_216;

/** Reads and decodes a body; returns "" if it is too large or not UTF-8. */
export async function readText(response: FetchResponse): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
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
  const bytes = new Uint8Array(size);
  for (const chunk of chunks.reverse()) {
    size -= chunk.length;
    bytes.set(chunk, size);
  }
  try {
    return new platform.TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}
