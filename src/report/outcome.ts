import type { DecidedFinding, EndpointReport, EndpointStatus } from "./types.ts";

export type * from "./types.ts";

/** A finding after comparison with the baseline. */
export type AcceptedFinding = Omit<DecidedFinding, "fails">;

export const ENDPOINT_STATUSES = [
  "wrong-protocol",
  "wrong-chain",
  "same",
  "platform-variant",
  "accepted",
  "drifted",
  "flapping",
  "indexing-error",
  "unreachable",
  "refused",
  "malformed",
  "dormant",
  "skipped",
] as const;

/** Returns whether an endpoint gave a schema. Nothing can be concluded about the schema of other endpoints. */
export function hasSchema({ status }: Pick<EndpointReport, "status">): boolean {
  return WITH_SCHEMA.has(status);
}

const WITH_SCHEMA: ReadonlySet<EndpointStatus> = new Set([
  "same",
  "platform-variant",
  "accepted",
  "drifted",
  "flapping",
  "indexing-error",
]);

/** Returns whether an endpoint may have no schema: it was not requested, or its status is dormant. */
export function isExcused(endpoint: Pick<EndpointReport, "status" | "lifecycle">): boolean {
  return (
    endpoint.status === "skipped" || (endpoint.lifecycle?.status === "dormant" && !hasAnswered(endpoint))
  );
}

/** Returns whether an endpoint answered; one with a wrong identity did. */
export function hasAnswered(endpoint: Pick<EndpointReport, "status">): boolean {
  return hasSchema(endpoint) || endpoint.status === "wrong-protocol" || endpoint.status === "wrong-chain";
}

/** Every verdict. */
export const VERDICTS = [
  "equal",
  "mapped",
  "nullability",
  "conflict",
  "only-multichain",
  "only-subgraph",
] as const;

/** Every rule. */
export const PARITY_RULES = ["parity/relation-nullability", "parity/opaque-enum", "parity/scalar"] as const;
