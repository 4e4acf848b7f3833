import type { Chain } from "../model/chain.ts";
import type { Deployment } from "../model/deployment.ts";
import type { Outcome } from "./introspect-targets.ts";

/** The newest block that a deployment has of a chain. */
export type Head = {
  readonly deployment: Deployment;
  /** The chain's key. */
  readonly chain: string;
  readonly block: number;
};

/** Collects the heads of all who answered, one for each deployment and chain. */
export function collectHeads(outcomes: readonly Outcome[], chains: readonly Chain[]): Head[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  return outcomes.flatMap((outcome) => {
    if (outcome.kind === "failed") return [];
    const { deployment, probe } = outcome;
    const blocks = new Map<string, number>();
    for (const { chainId, block } of probe.heads) {
      const chain = chainId === null ? deployment.chains[0] : keys.get(chainId);
      // A server may name a chain twice.
      if (chain !== undefined) blocks.set(chain, Math.max(block, blocks.get(chain) ?? block));
    }
    return [...blocks].map(([chain, block]) => ({ deployment, chain, block }));
  });
}

/** The furthest head that anybody has of each chain, by the chain's key. */
export function furthestHeads(heads: readonly Head[]): ReadonlyMap<string, number> {
  const furthest = new Map<string, number>();
  for (const { chain, block } of heads) furthest.set(chain, Math.max(block, furthest.get(chain) ?? block));
  return furthest;
}
