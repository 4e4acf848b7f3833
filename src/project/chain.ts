import { normalizeChainName } from "../../packages/client/src/manifest/find-chain.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** A network the indexers cover, with all the names people have for it. */
export type Chain = Lifecycle & {
  /** Our key: `ethereum`. */
  readonly key: string;
  /** Display name, as wallets show it. */
  readonly name: string;
  /** The id of the network, as wallets show it. */
  readonly chainId: number;
  /** Its short name by EIP-3770, as in `oeth:0x…`; null where it has none. */
  readonly shortName: string | null;
  /** Its name among the chains of the multichain indexers; null where they do not cover it. */
  readonly multichainName: string | null;
  /** The last part of its subgraph deployments' names; null where it has none. */
  readonly subgraphSuffix: string | null;
  /** Whether its subgraphs have testing and explorer URLs. */
  readonly testing: boolean;
  /** Whether it is a test network. */
  readonly testnet: boolean;
  /** About how many seconds lie between two blocks; null where that is not known. */
  readonly secondsPerBlock: number | null;
  /** The URL of the chain's block explorer; null where it has none. */
  readonly blockExplorer: string | null;
  /** Further names in use: registry ids, former suffixes. */
  readonly aliases: readonly string[];
};

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
