import type { Chain } from "../../src/project/chain.ts";

/** The names people have for a chain. */
export type NamedChain = Pick<Chain, "key" | "chainId" | "aliases" | "multichainName" | "subgraphSuffix">;

/** All names of a chain, its id among them. */
export function chainNames({ key, chainId, aliases, multichainName, subgraphSuffix }: NamedChain): string[] {
  return [key, ...aliases, multichainName, subgraphSuffix, String(chainId)].filter((name) => name !== null);
}
