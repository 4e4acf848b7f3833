/** One entry of `errors`. The order of its keys is part of the dialect (B.8): locations, then message. */
export type ErrorEntry = {
  readonly locations?: readonly Location[];
  readonly message: string;
};

export type Location = { readonly line: number; readonly column: number };

/**
 * Ends a request, or one group of its root fields, with these errors. It never leaves the executor: a refused
 * query is an answer, not an exception.
 */
export class QueryError extends Error {
  readonly errors: readonly ErrorEntry[];
  /** Nothing else of its group is answered or refused, as when the server panics. */
  readonly isFatal: boolean;
  constructor(errors: readonly ErrorEntry[], isFatal = false) {
    super(errors.map((error) => error.message).join("\n"));
    this.name = "QueryError";
    this.errors = errors;
    this.isFatal = isFatal;
  }
}

/** Ends the work with one error. */
export function refuse(error: ErrorEntry): never {
  throw new QueryError([error]);
}
