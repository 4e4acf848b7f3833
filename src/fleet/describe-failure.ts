import { EndpointError, type EndpointErrorCode } from "../base/errors/endpoint-error.ts";
import type { LockflowError } from "../base/errors/lockflow-error.ts";
import { type EndpointStatus, hasAnswered } from "../report/outcome.ts";
import type { Outcome } from "./introspect-targets.ts";

/** What an endpoint whose schema is not compared is reported as. Never a conclusion about that schema. */
export function statusOfFailure(error: LockflowError): EndpointStatus {
  // A schema that is none, or not all of it.
  if (!(error instanceof EndpointError)) return "malformed";
  // Nobody serves it in the network: it was not asked for so long that indexers dropped it.
  if (isDormant(error)) return "dormant";
  return error.status === PAYMENT_REQUIRED ? "refused" : STATUSES[error.code];
}

const PAYMENT_REQUIRED = 402;

const STATUSES: Readonly<Record<EndpointErrorCode, EndpointStatus>> = {
  ENDPOINT_UNREACHABLE: "unreachable",
  ENDPOINT_TIMEOUT: "unreachable",
  ENDPOINT_REDIRECT: "unreachable",
  ENDPOINT_STATUS: "unreachable",
  ENDPOINT_UNAUTHORIZED: "refused",
  ENDPOINT_RATE_LIMITED: "refused",
  ENDPOINT_BODY_TOO_LARGE: "malformed",
  ENDPOINT_EMPTY_BODY: "malformed",
  ENDPOINT_NOT_JSON: "malformed",
  ENDPOINT_GRAPHQL_ERRORS: "malformed",
  ENDPOINT_INTROSPECTION_DISABLED: "malformed",
  ENDPOINT_ECHOES_KEY: "malformed",
  ENDPOINT_UNREADABLE: "malformed",
  ENDPOINT_WRONG_CHAIN: "wrong-chain",
  ENDPOINT_WRONG_PROTOCOL: "wrong-protocol",
};

/** Whether an endpoint answered as somebody else than the manifest says. */
export function isSomebodyElse({ code }: LockflowError): boolean {
  return code === "ENDPOINT_WRONG_CHAIN" || code === "ENDPOINT_WRONG_PROTOCOL";
}

/** Whether a deployment did not answer, as a quorum counts it. One that is somebody else did. */
export function isSilent(outcome: Outcome): boolean {
  return outcome.kind === "failed" && !hasAnswered({ status: statusOfFailure(outcome.error) });
}

/** Whether a gateway says that there is such a deployment and nobody who serves it (C.6). */
export function isDormant({ code, sentence }: LockflowError): boolean {
  return (
    code === "ENDPOINT_GRAPHQL_ERRORS" &&
    /subgraph not found: (no allocations|no valid versions)/.test(sentence)
  );
}

/** Whether an endpoint says that it is gone for good. */
export function isGone(error: LockflowError): boolean {
  return error instanceof EndpointError && error.status === GONE;
}

const GONE = 410;
