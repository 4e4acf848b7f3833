import type { AnswerError } from "../../indexers/create-indexers.ts";

// The words of an error tell its kind, as they do for the gateway.

/** The beginnings of what is found in a query alone, without a place in it; strict validation is not among them. */
const FOUND_BEFORE: readonly string[] = [
  "Operation name required",
  "Not supported: ",
  "Invalid value provided for argument `",
  "No value provided for required ",
  "Failed to resolve ",
  "Type `",
  "Variable `",
  "query has fragment cycle including `",
  "fragment `",
];

/** The beginnings of what all nodes find while they run a query, without a place in it. */
const FOUND_RUNNING: readonly string[] = [
  "Null value resolved for non-null field `",
  "Failed to decode `",
  "Failed to coerce value `",
  "Ordering by `",
  "Filter must by an object",
  "Cannot mix column filters with 'or' operator",
  "Child filter nesting not supported",
  "Entity `",
  "Non-list value passed to `",
  "Query contains value with invalid type `",
  "Invalid fulltext search query syntax",
  "Not supported: the `_logs` query",
];

/** The beginning of what every node finds, and yet none attests to. */
const COMBINED_LOGS = "The _logs query cannot be combined";

/** What depends on the node before it runs a query: its limits and its load. */
const LIMITED: readonly string[] = [
  "Possible solutions are reducing the depth",
  "query has a depth that exceeds the limit",
  "query is too expensive",
  "service is overloaded and can not run",
];

/** What depends on the node while it runs a query. */
const FAILED: readonly string[] = [
  "argument must be between 0 and",
  "Failed to get entities from store:",
  "Store error:",
  "Broken entity found in store:",
  "Non-list value resolved for list field",
  "Ambiguous result for derived field",
  "internal error: Cannot order by",
  "is larger than the allowed limit of",
  "Query timed out",
  "the chain was reorganized while executing",
  "panic processing query:",
];

/** The gateway's first sieve: whether an error is one of those that depend on the node (C.6). */
export function dependsOnNode(message: string): boolean {
  return [...LIMITED, ...FAILED].some((words) => message.includes(words));
}

/** Whether all nodes would give these errors, so that an answer with them can be attested to (C.4). */
export function isAttestable(errors: readonly AnswerError[]): boolean {
  return errors.every(
    ({ message, locations }) =>
      !dependsOnNode(message) &&
      !message.startsWith(COMBINED_LOGS) &&
      (locations !== undefined ||
        [...FOUND_BEFORE, ...FOUND_RUNNING].some((words) => message.startsWith(words))),
  );
}

/** Whether a query got so far that it was run, for which its blocks have to be there (C.4). */
export function hasRun(errors: readonly AnswerError[]): boolean {
  const isOf = ({ message }: AnswerError) =>
    !/has not started syncing yet|^Failed to decode `block\./.test(message) &&
    (message === "indexing_error" ||
      FAILED.some((words) => message.includes(words)) ||
      [...FOUND_RUNNING, COMBINED_LOGS].some((words) => message.startsWith(words)));
  return errors.length === 0 || errors.some(isOf);
}
