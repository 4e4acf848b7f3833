import { normalizeChainName } from "../../packages/client/src/manifest/find-chain.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** A network that the indexers cover, with all of its names. */
export type Chain = Lifecycle & {
  /** Our key: `ethereum`. */
  readonly key: string;
  /** Display name, as wallets show it. */
  readonly name: string;
  /** The id of the network, as wallets show it. */
  readonly chainId: number;
  /** Its short name by EIP-3770, as in `oeth:0x…`; null if it has none. */
  readonly shortName: string | null;
  /** Its name in the multichain indexers; null if they do not cover it. */
  readonly multichainName: string | null;
  /** The last part of the names of its subgraph deployments; null if it has none. */
  readonly subgraphSuffix: string | null;
  /** Whether its subgraphs have testing and explorer URLs. */
  readonly testing: boolean;
  /** Whether it is a test network. */
  readonly testnet: boolean;
  /** The average number of seconds between two blocks; null if unknown. */
  readonly secondsPerBlock: number | null;
  /** The URL of the chain's block explorer; null if it has none. */
  readonly blockExplorer: string | null;
  /** Further names in use: registry ids, former suffixes. */
  readonly aliases: readonly string[];
};

/**
 * Finds a chain by its key, id, name, suffix or alias, or else by its short name.
 *
 * @returns its key; undefined if no chain has the name.
 */
export function findChain(name: string, chains: readonly Chain[]): string | undefined {
  const wanted = normalizeChainName(name);
  const isWanted = (text: string | null) => text !== null && normalizeChainName(text) === wanted;
  const match =
    chains.find(({ key, name: title, chainId, multichainName, subgraphSuffix, aliases }) =>
      [key, title, String(chainId), multichainName, subgraphSuffix, ...aliases].some(isWanted),
    ) ?? chains.find(({ shortName }) => isWanted(shortName));
  return match?.key;
}
