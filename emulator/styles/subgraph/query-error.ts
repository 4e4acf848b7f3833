/** An entry of `errors`. The order of its keys is part of the dialect (B.8): locations, then message. */
export type ErrorEntry = {
  readonly locations?: readonly Location[];
  readonly message: string;
};

export type Location = { readonly line: number; readonly column: number };

/**
 * Ends a request, or one group of its root fields, with these errors. Never leaves the executor: a refused query is an
 * answer, not an exception.
 */
export class QueryError extends Error {
  readonly errors: readonly ErrorEntry[];
  /** The rest of the group is neither answered nor refused, like after a panic. */
  readonly isFatal: boolean;
  constructor(errors: readonly ErrorEntry[], isFatal = false) {
    super(errors.map((error) => error.message).join("\n"));
    this.name = "QueryError";
    this.errors = errors;
    this.isFatal = isFatal;
  }
}

export function refuse(error: ErrorEntry): never {
  throw new QueryError([error]);
}
