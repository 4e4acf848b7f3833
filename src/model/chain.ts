/** A network the indexers cover. One record holds all the names people have for it. */
export type Chain = {
  /** Our key: `ethereum`. */
  readonly key: string;
  /** Display name. */
  readonly name: string;
  readonly chainId: number;
  /** Its name among the chains of the multichain indexers; null where they do not cover it. */
  readonly multichainName: string | null;
  /** The last part of its subgraph deployments' names; null where it has none. */
  readonly subgraphSuffix: string | null;
  /** Whether its subgraphs have testing and explorer URLs. */
  readonly testing: boolean;
  readonly testnet: boolean;
  /** The chain's block explorer. */
  readonly blockExplorer: string;
  /** Further names in use: registry ids, former suffixes. */
  readonly aliases: readonly string[];
  readonly status: Status;
};

/** `retired`: known, named in the manifest, and never asked. */
export type Status = "active" | "retired";
