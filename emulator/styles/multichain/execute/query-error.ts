/** The codes of `extensions.code` that a query can end with. */
export type QueryErrorCode =
  | "validation-failed"
  | "parse-failed"
  | "data-exception"
  | "bad-request"
  | "unexpected-payload"
  | "unexpected";

/**
 * What a query is refused with. It is the answer of the served dialect, not an error of Lockflow, and never
 * leaves the executor: {@link errorBody} makes the response of it.
 */
export class QueryError extends Error {
  /** Where in the request, as the server writes it: `$.selectionSet.Stream.args.where`. */
  readonly path: string;
  readonly code: QueryErrorCode;

  constructor(code: QueryErrorCode, path: string, message: string) {
    super(message);
    this.name = "QueryError";
    this.path = path;
    this.code = code;
  }
}

/** The whole body of a failed request (D.1): one error, no `data`, keys in this order. */
export function errorBody(error: QueryError): Readonly<Record<string, unknown>> {
  return {
    errors: [{ message: error.message, extensions: { path: error.path, code: error.code } }],
  };
}
