import type { Chain } from "../project/chain.ts";
import type { Finding } from "../report/finding.ts";
import { buildEndpointFinding, byProtocolAndStyle } from "./build-endpoint-finding.ts";
import { collectHeads } from "./collect-heads.ts";
import { isDormant, isGone } from "./describe-failure.ts";
import { findDead } from "./find-dead.ts";
import { findSlowHeads } from "./find-slow-heads.ts";
import type { Introspected, Outcome } from "./introspect-targets.ts";
import type { Memory } from "./memory.ts";

/**
 * Finds deployments that are who they should be and not well. None of it is a fault of this repository.
 *
 * @param memory what is known with this run.
 * @param now when the run began, in milliseconds since the epoch.
 */
export function findHealth(
  outcomes: readonly Outcome[],
  chains: readonly Chain[],
  memory: Memory,
  now: number,
): Finding[] {
  const answered = outcomes.filter((outcome) => outcome.kind === "introspected");
  const failing = answered.filter(hasIndexingError);
  const dormant = outcomes.filter((outcome) => outcome.kind === "failed" && isDormant(outcome.error));
  const gone = outcomes.filter((outcome) => outcome.kind === "failed" && isGone(outcome.error));
  return [
    ...byProtocolAndStyle(failing).map((group) =>
      buildEndpointFinding({
        code: "health/indexing-error",
        severity: "risky",
        deployments: group.map(({ deployment }) => deployment),
        message: "Indexing has failed, and it answers with what it had until then.",
        fix: "ask whoever runs it, and read the other style meanwhile.",
      }),
    ),
    ...byProtocolAndStyle(dormant).map((group) =>
      buildEndpointFinding({
        code: "health/dormant",
        severity: "risky",
        deployments: group.map(({ deployment }) => deployment),
        message: "Nobody serves it at the moment, as happens to what nobody asks for long.",
        fix: "ask it again in a few minutes, and now and then from then on.",
      }),
    ),
    ...byProtocolAndStyle(gone).map((group) =>
      buildEndpointFinding({
        code: "health/retired",
        severity: "risky",
        deployments: group.map(({ deployment }) => deployment),
        message: "It is gone for good (HTTP 410).",
        fix: 'set its status to "retired" in the configuration.',
      }),
    ),
    ...findDead(outcomes, memory, now),
    ...findSlowHeads(collectHeads(outcomes, chains), memory, now),
  ];
}

/** Whether a deployment answers though its indexing has failed. */
export function hasIndexingError({ probe }: Introspected): boolean {
  return probe.hasIndexingErrors;
}
