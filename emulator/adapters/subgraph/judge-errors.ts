import type { AnswerError } from "../../indexers/create-indexers.ts";

// The gateway recognizes the kind of an error by its text.

/** Prefixes of errors that depend on the query alone and have no location; without those of strict validation. */
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

/** Prefixes of errors that all nodes find while they run a query, without a location. */
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

/** Prefixes of errors that all nodes find while they run a query, but do not attest. */
const FOUND_UNATTESTED: readonly string[] = [
  "The _logs query cannot be combined",
  "internal error: Cannot order by",
];

/** Errors before a query runs that depend on the node: its limits and its load. */
const LIMITED: readonly string[] = [
  "Possible solutions are reducing the depth",
  "query has a depth that exceeds the limit",
  "query is too expensive",
  "service is overloaded and can not run",
];

/** Errors while a query runs that depend on the node. */
const FAILED: readonly string[] = [
  "argument must be between 0 and",
  "Failed to get entities from store:",
  "Store error:",
  "Broken entity found in store:",
  "Non-list value resolved for list field",
  "Ambiguous result for derived field",
  "is larger than the allowed limit of",
  "Query timed out",
  "the chain was reorganized while executing",
  "panic processing query:",
];

/** Words of errors that gateway 27.6 never passes on, whether or not the node attests them. */
const UNATTESTABLE: readonly string[] = [
  ...LIMITED,
  ...FAILED,
  // Features that nodes before 0.28 and 0.30 lack.
  '"block__timestamp" does not exist',
  'Invalid value provided for argument `orderBy`: Enum("block__timestamp")',
  'ield "and" is not defined by type',
  'ield "or" is not defined by type',
];

/** The gateway's first check of an error. */
export function isUnattestable(message: string): boolean {
  return (
    UNATTESTABLE.some((words) => message.includes(words)) ||
    (message.includes("Invalid value provided for argument `where`:") && /\{"(or|and)":/.test(message))
  );
}

/** Whether all nodes would return these errors, so that a node attests an answer with them. */
export function isAttestable(errors: readonly AnswerError[]): boolean {
  return errors.every(
    ({ message, locations }) =>
      ![...LIMITED, ...FAILED].some((words) => message.includes(words)) &&
      (locations !== undefined ||
        [...FOUND_BEFORE, ...FOUND_RUNNING].some((words) => message.startsWith(words))),
  );
}

/** Whether a query ran, which needs its blocks to exist. */
export function hasRun(errors: readonly AnswerError[]): boolean {
  const isFoundRunning = ({ message }: AnswerError) =>
    !/has not started syncing yet|^Failed to decode `block\./.test(message) &&
    (message === "indexing_error" ||
      FAILED.some((words) => message.includes(words)) ||
      [...FOUND_RUNNING, ...FOUND_UNATTESTED].some((words) => message.startsWith(words)));
  return errors.length === 0 || errors.some(isFoundRunning);
}
