/** A proxy could not be reached, or refused to connect. */
export class ProxyError extends Error {
  /** The HTTP status of its refusal; null if it could not be reached. */
  readonly status: number | null;
  /** Shown by `ask`. */
  readonly code: string;

  constructor(status: number | null, options?: ErrorOptions) {
    super("The request did not get through its proxy.", options);
    this.status = status;
    this.code = status === null ? "PROXY_UNREACHABLE" : `PROXY_HTTP_${status}`;
  }
}
