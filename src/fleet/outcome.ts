import { EndpointError, type EndpointErrorCode, LockflowError } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import type { ProbeReading } from "../dialects/prober.ts";
import type { Deployment } from "../project/deployment.ts";
import { type EndpointStatus, hasAnswered } from "../report/outcome.ts";
import type { SchemaReading } from "./read-schema.ts";

/** What became of one deployment. */
export type Outcome = Introspected | Failed;

export type Introspected = {
  readonly kind: "introspected";
  readonly deployment: Deployment;
  readonly reading: SchemaReading;
  readonly probe: ProbeReading;
  /** Worth saying, but no failure. */
  readonly notes: readonly string[];
};

export type Failed = {
  readonly kind: "failed";
  readonly deployment: Deployment;
  readonly error: LockflowError;
  /** What it said of itself before it failed, as one that serves another chain does; null for most. */
  readonly probe: ProbeReading | null;
};

/** What a deployment whose schema is not compared is reported as: of one that is called dormant, whatever its answer lacks. */
export function statusOfFailed({ deployment, error }: Failed): EndpointStatus {
  const status = statusOfFailure(error);
  return deployment.status === "dormant" && !hasAnswered({ status }) ? "dormant" : status;
}

/** What an endpoint whose schema is not compared is reported as. Never a conclusion about that schema. */
export function statusOfFailure(error: LockflowError): EndpointStatus {
  // A schema that is none, or not all of it.
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

/** Whether a deployment did not answer, as a quorum counts it. One with a wrong identity did. */
export function isSilent(outcome: Outcome): boolean {
  return outcome.kind === "failed" && !hasAnswered({ status: statusOfFailure(outcome.error) });
}

/**
 * What was thrown while one deployment was read, as that deployment's failure; a bug of ours is reported as one.
 *
 * @param secrets what was sent to it: a bug's message may hold what it answered.
 */
export function failureOf(error: unknown, secrets: readonly string[]): LockflowError {
  if (error instanceof LockflowError) return error;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? "").split("\n").map((line) => line.trim()) : [];
  return new EndpointError({
    code: "ENDPOINT_UNREADABLE",
    sentence: `Its answer could not be read, and that is a bug in Lockflow (${displayText(reason, secrets)}).`,
    // Where it was thrown: a full stack may repeat itself.
    context: stack.filter((line) => line.startsWith("at ")).slice(0, 3),
    hint: "report it, with what the endpoint answers if you may show it; the other deployments are not affected.",
    cause: error,
  });
}
