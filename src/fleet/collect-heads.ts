import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Outcome } from "./outcome.ts";

/** The newest block that a deployment has of a chain. */
export type Head = {
  readonly deployment: Deployment;
  /** Its key. */
  readonly chain: string;
  readonly block: number;
  /** When that block was made, in milliseconds since the epoch; null where the platform does not tell. */
  readonly madeAt: number | null;
};

/** Collects the heads of all who answered, one for each deployment and chain. */
export function collectHeads(outcomes: readonly Outcome[], chains: readonly Chain[]): Head[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  return outcomes.flatMap((outcome) => {
    if (outcome.kind === "failed") return [];
    const { deployment, probe } = outcome;
    const heads = new Map<string, Head>();
    for (const { chainId, block, timestamp } of probe.heads) {
      const chain = chainId === null ? deployment.chains[0] : keys.get(chainId);
      const madeAt = timestamp === undefined ? null : timestamp * 1000;
      // A server may name a chain twice.
      if (chain !== undefined && block >= (heads.get(chain)?.block ?? block)) {
        heads.set(chain, { deployment, chain, block, madeAt });
      }
    }
    return [...heads.values()];
  });
}

/** The furthest head that any deployment has of each chain, by the chain's key. */
export function furthestHeads(heads: readonly Head[]): ReadonlyMap<string, number> {
  const furthest = new Map<string, number>();
  for (const { chain, block } of heads) furthest.set(chain, Math.max(block, furthest.get(chain) ?? block));
  return furthest;
}
