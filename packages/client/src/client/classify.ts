import type { ErrorCode } from "./indexer-error.ts";

/** What an error's words mean, the first that fits: prefixes where a platform puts its own words after them. */
const MEANINGS: readonly (readonly [pattern: RegExp, code: ErrorCode])[] = [
  // One of them may answer the next time.
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

/** What GraphQL errors mean. Those that nothing is known of refuse what was asked. */
export function classifyErrors(said: readonly string[]): ErrorCode {
  for (const [pattern, code] of MEANINGS) if (said.some((text) => pattern.test(text))) return code;
  return "rejected";
}

/** What the status of an HTTP answer means; null for one that may hold data. */
export function classifyStatus(status: number): ErrorCode | null {
  if (status > 199 && status < 300) return null;
  if (status === 429) return "rate-limited";
  if (status > 400 && status < 404) return "auth";
  if (status === 404) return "not-served";
  // A server that waited too long for the request may have more time for the next.
  return status > 399 && status < 500 && status !== 408 ? "rejected" : "unavailable";
}

/** What may be otherwise when the same host is asked again. */
export const TRANSIENT: readonly ErrorCode[] = [
  "rate-limited",
  "unavailable",
  "network",
  "timeout",
  "overloaded",
  "indexers",
  "reorganized",
];

/** What is the same in the other style. */
export const FINAL: readonly ErrorCode[] = ["pruned", "invalid-variables", "no-time-travel"];
