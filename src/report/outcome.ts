import type { DecidedFinding, EndpointReport, EndpointStatus } from "./types.ts";

export type {
  Acceptance,
  Category,
  DecidedFinding,
  EndpointReport,
  EndpointStatus,
  ExitCode,
  HeadReport,
  OpaqueEnum,
  Outcome,
  Parity,
  ParityRename,
  ParityRow,
  ProtocolParity,
  SamePlace,
  Verdict,
} from "./types.ts";

/** A finding held against the baseline. */
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

/** Whether an endpoint gave a schema that it is known by; of one that did not, no schema can be concluded. */
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

/** Whether nobody expects a schema of an endpoint that gave none: it was not asked, or is called dormant. */
export function isExcused(endpoint: Pick<EndpointReport, "status" | "lifecycle">): boolean {
  return (
    endpoint.status === "skipped" || (endpoint.lifecycle?.status === "dormant" && !hasAnswered(endpoint))
  );
}

/** Whether an endpoint answered. One that is somebody else did. */
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
