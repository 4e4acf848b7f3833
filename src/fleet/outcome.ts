import { EndpointError, type EndpointErrorCode, LockflowError } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import type { ProbeReading } from "../dialects/prober.ts";
import type { Deployment } from "../project/deployment.ts";
import { type EndpointStatus, hasAnswered } from "../report/outcome.ts";
import type { SchemaReading } from "./read-schema.ts";

/** The result of introspecting one deployment. */
export type Outcome = Introspected | Failed;

export type Introspected = {
  readonly kind: "introspected";
  readonly deployment: Deployment;
  readonly reading: SchemaReading;
  readonly probe: ProbeReading;
  /** Remarks that are not failures. */
  readonly notes: readonly string[];
};

export type Failed = {
  readonly kind: "failed";
  readonly deployment: Deployment;
  readonly error: LockflowError;
  /** The probe's answer if it failed afterwards, for example because of a wrong chain; usually null. */
  readonly probe: ProbeReading | null;
};

/** Returns the status of a deployment whose schema is not compared. A configured dormant one without an answer is dormant. */
export function statusOfFailed({ deployment, error }: Failed): EndpointStatus {
  const status = statusOfFailure(error);
  return deployment.status === "dormant" && !hasAnswered({ status }) ? "dormant" : status;
}

/** Returns the status of an endpoint whose schema is not compared. It never says anything about that schema. */
export function statusOfFailure(error: LockflowError): EndpointStatus {
  // Not a schema, or an incomplete one.
  if (!(error instanceof EndpointError)) return "malformed";
  if (error.isDormant) return "dormant";
  return error.status === PAYMENT_REQUIRED ? "refused" : (STATUSES[error.code] ?? "malformed");
}

const PAYMENT_REQUIRED = 402;

const STATUSES: Readonly<Partial<Record<EndpointErrorCode, EndpointStatus>>> = {
  ENDPOINT_UNREACHABLE: "unreachable",
  ENDPOINT_TIMEOUT: "unreachable",
  ENDPOINT_REDIRECT: "unreachable",
  ENDPOINT_STATUS: "unreachable",
  ENDPOINT_UNAUTHORIZED: "refused",
  ENDPOINT_RATE_LIMITED: "refused",
  ENDPOINT_WRONG_CHAIN: "wrong-chain",
  ENDPOINT_WRONG_PROTOCOL: "wrong-protocol",
};

/** Returns whether a deployment did not answer. One with a wrong identity did answer. */
export function isSilent(outcome: Outcome): boolean {
  return outcome.kind === "failed" && !hasAnswered({ status: statusOfFailure(outcome.error) });
}

/**
 * Converts a thrown value into the failure of one deployment. An unexpected exception is reported as a bug in Lockflow.
 *
 * @param secrets the sent secrets, to redact: the message of an exception may contain the answer.
 */
export function failureOf(error: unknown, secrets: readonly string[]): LockflowError {
  if (error instanceof LockflowError) return error;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? "").split("\n").map((line) => line.trim()) : [];
  return new EndpointError({
    code: "ENDPOINT_UNREADABLE",
    sentence: `Its answer could not be read, and that is a bug in Lockflow (${displayText(reason, secrets)}).`,
    // The first frames only: a full stack may repeat itself.
    context: stack.filter((line) => line.startsWith("at ")).slice(0, 3),
    hint: "report it, with what the endpoint answers if you may show it; the other deployments are not affected.",
    cause: error,
  });
}
