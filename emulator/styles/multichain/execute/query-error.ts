/** The codes of `extensions.code` that a query can end with. */
export type FaultCode =
  | "validation-failed"
  | "parse-failed"
  | "data-exception"
  | "bad-request"
  | "unexpected-payload"
  | "unexpected";

/**
 * What a query is refused with. It is the answer of the served dialect, not an error of Lockflow, and never
 * leaves the executor: {@link faultBody} makes the response of it.
 */
export class QueryFault extends Error {
  /** Where in the request, as the server writes it: `$.selectionSet.Stream.args.where`. */
  readonly path: string;
  readonly code: FaultCode;

  constructor(code: FaultCode, path: string, message: string) {
    super(message);
    this.name = "QueryFault";
    this.path = path;
    this.code = code;
  }
}

/** The whole body of a failed request (D.1): one error, no `data`, keys in this order. */
export function faultBody(fault: QueryFault): Readonly<Record<string, unknown>> {
  return {
    errors: [{ message: fault.message, extensions: { path: fault.path, code: fault.code } }],
  };
}
