import type { AnswerError } from "../../indexers/create-indexers.ts";

/**
 * Whether all nodes would give these errors, so that an answer with them can be attested to: `graph-attestable`
 * says so (C.4). The words of an error tell its kind, as they do for the gateway.
 */
export function isAttestable(errors: readonly AnswerError[]): boolean {
  return errors.every(
    ({ message, locations }) =>
      !dependsOnNode(message) &&
      (locations !== undefined || DETERMINISTIC.some((words) => message.startsWith(words))),
  );
}

/** How the deterministic errors without a place in the query begin; validation as specified is not among them. */
const DETERMINISTIC: readonly string[] = [
  "Operation name required",
  "Not supported: ",
  "Invalid value provided for argument `",
  "No value provided for required ",
  "Null value resolved for non-null field `",
  "Failed to resolve ",
  "Failed to decode `",
  "Failed to coerce value `",
  "Ordering by `",
  "Filter must by an object",
  "Cannot mix column filters with 'or' operator",
  "Child filter nesting not supported",
  "Type `",
  "Variable `",
  "Entity `",
  "Non-list value passed to `",
  "Query contains value with invalid type `",
  "query has fragment cycle including `",
  "Invalid fulltext search query syntax",
  "The _logs query cannot be combined",
];

/**
 * The gateway's first sieve: whether an error is one of those that depend on the node, by its store, its limits
 * or its load (C.6).
 */
export function dependsOnNode(message: string): boolean {
  return NODE_DEPENDENT.some((words) => message.includes(words));
}

const NODE_DEPENDENT: readonly string[] = [
  "argument must be between 0 and",
  "Failed to get entities from store:",
  "Store error:",
  "Broken entity found in store:",
  "Non-list value resolved for list field",
  "Ambiguous result for derived field",
  "Possible solutions are reducing the depth",
  "query has a depth that exceeds the limit",
  "is larger than the allowed limit of",
  "Query timed out",
  "query is too expensive",
  "service is overloaded and can not run",
  "the chain was reorganized while executing",
  "panic processing query:",
];

/** Whether a query got so far that it was run, for which its blocks have to be there (C.4). */
export function hasRun(errors: readonly AnswerError[]): boolean {
  return (
    errors.length === 0 ||
    errors.some(
      ({ message }) =>
        !/has not started syncing yet|^Failed to decode `block\./.test(message) &&
        WHILE_RUNNING.some((words) => message.startsWith(words)),
    )
  );
}

/** How the errors begin that need rows; all others are found in the query alone. */
const WHILE_RUNNING: readonly string[] = [
  "The `",
  "Failed to decode `",
  "Failed to get entities from store:",
  "Failed to coerce value `",
  "Store error:",
  "Ordering by `",
  "Filter must by an object",
  "Cannot mix column filters with 'or' operator",
  "Child filter nesting not supported",
  "Entity `",
  "Non-list value ",
  "Query contains value with invalid type `",
  "Null value resolved for non-null field `",
  "Ambiguous result for derived field `",
  "Invalid fulltext search query syntax",
  "The _logs query cannot be combined",
  "Not supported: the `_logs` query",
  "Query timed out",
  "indexing_error",
  "panic processing query:",
];
