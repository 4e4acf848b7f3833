import { normalizeChainName } from "../runtime/chain-name.ts";
import type { Chain } from "./chain.ts";

/**
 * The key of the chain that a key, an id, a name, a suffix or an alias stands for; a short name gives way to them.
 * Undefined where it is none's.
 */
export function findChain(name: string, chains: readonly Chain[]): string | undefined {
  const wanted = normalizeChainName(name);
  const isWanted = (one: string | null) => one !== null && normalizeChainName(one) === wanted;
  const found =
    chains.find(({ key, name: title, chainId, multichainName, subgraphSuffix, aliases }) =>
      [key, title, String(chainId), multichainName, subgraphSuffix, ...aliases].some(isWanted),
    ) ?? chains.find(({ shortName }) => isWanted(shortName));
  return found?.key;
}
