import { LockflowError, type LockflowErrorOptions } from "./lockflow-error.ts";

export type EndpointErrorCode =
  | "ENDPOINT_UNREACHABLE"
  | "ENDPOINT_TIMEOUT"
  | "ENDPOINT_REDIRECT"
  | "ENDPOINT_UNAUTHORIZED"
  | "ENDPOINT_RATE_LIMITED"
  | "ENDPOINT_STATUS"
  | "ENDPOINT_BODY_TOO_LARGE"
  | "ENDPOINT_EMPTY_BODY"
  | "ENDPOINT_NOT_JSON"
  | "ENDPOINT_GRAPHQL_ERRORS"
  | "ENDPOINT_INTROSPECTION_DISABLED"
  | "ENDPOINT_ECHOES_KEY"
  | "ENDPOINT_UNREADABLE"
  | "ENDPOINT_WRONG_CHAIN"
  | "ENDPOINT_WRONG_PROTOCOL";

/** An endpoint did not give what it was asked for. The world's fault, and never a reason to change a snapshot. */
export class EndpointError extends LockflowError<EndpointErrorCode> {
  /** The HTTP status it answered with, where that is what is wrong. */
  readonly status: number | null;
  /** Whether a gateway says that there is such a deployment and that no indexer serves it at the moment. */
  readonly isDormant: boolean;
  constructor(
    options: LockflowErrorOptions<EndpointErrorCode> & {
      readonly status?: number | undefined;
      readonly isDormant?: boolean | undefined;
    },
  ) {
    super(options);
    this.status = options.status ?? null;
    this.isDormant = options.isDormant ?? false;
  }
}
