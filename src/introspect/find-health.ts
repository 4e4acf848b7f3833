import type { Chain } from "../model/chain.ts";
import type { Deployment } from "../model/deployment.ts";
import type { Finding } from "../model/finding.ts";
import { buildEndpointFinding, byProtocolAndStyle } from "./build-endpoint-finding.ts";
import { isDormant, isGone } from "./describe-failure.ts";
import type { Introspected, Outcome } from "./introspect-targets.ts";

/**
 * How many blocks a head may be behind the furthest head of the same chain. Heads are asked one after the other and
 * the fastest chains have ten blocks a second, so that a smaller difference says little.
 */
export const MOST_BLOCKS_BEHIND = 1000;

/** Finds deployments that are who they should be and not well. None of it is a fault of this repository. */
export function findHealth(outcomes: readonly Outcome[], chains: readonly Chain[]): Finding[] {
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
    ...findBehind(answered, chains),
  ];
}

/** Whether a deployment answers though its indexing has failed. */
export function hasIndexingError({ probe }: Introspected): boolean {
  return probe.hasIndexingErrors;
}

type Head = {
  readonly deployment: Deployment;
  readonly chain: string;
  readonly block: number;
};

/** The yardstick of a chain is the furthest head that anybody has of it, mostly the other style's. */
function findBehind(answered: readonly Introspected[], chains: readonly Chain[]): Finding[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  const heads = answered.flatMap(({ deployment, probe }) =>
    probe.heads.flatMap(({ chainId, block }): Head[] => {
      const chain = chainId === null ? deployment.chains[0] : keys.get(chainId);
      return chain === undefined ? [] : [{ deployment, chain, block }];
    }),
  );
  const furthest = new Map<string, number>();
  for (const { chain, block } of heads) furthest.set(chain, Math.max(block, furthest.get(chain) ?? 0));
  const behind = heads.filter(({ chain, block }) => (furthest.get(chain) ?? 0) - block > MOST_BLOCKS_BEHIND);
  return byProtocolAndStyle(behind).map((group) => {
    const parts = group.map(({ chain, block }) => `${chain} by ${(furthest.get(chain) ?? 0) - block}`);
    const shown = parts.slice(0, MOST_SHOWN).join(", ");
    const more = parts.length > MOST_SHOWN ? ` and ${parts.length - MOST_SHOWN} more` : "";
    return buildEndpointFinding({
      code: "health/behind",
      severity: "risky",
      deployments: [...new Set(group.map(({ deployment }) => deployment))],
      message: `Its newest block is behind that of its peers for the same chain: ${shown}${more}.`,
      fix: "wait if it is catching up; else ask whoever runs it.",
    });
  });
}

const MOST_SHOWN = 5;
