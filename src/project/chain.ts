/** A network the indexers cover, with all the names people have for it. */
export type Chain = {
  /** Our key: `ethereum`. */
  readonly key: string;
  /** Display name. */
  readonly name: string;
  /** The id of the network, as wallets show it. */
  readonly chainId: number;
  /** Its name among the chains of the multichain indexers; null where they do not cover it. */
  readonly multichainName: string | null;
  /** The last part of its subgraph deployments' names; null where it has none. */
  readonly subgraphSuffix: string | null;
  /** Whether its subgraphs have testing and explorer URLs. */
  readonly testing: boolean;
  /** Whether it is a test network. */
  readonly testnet: boolean;
  /** The URL of the chain's block explorer. */
  readonly blockExplorer: string;
  /** Further names in use: registry ids, former suffixes. */
  readonly aliases: readonly string[];
  /** Whether the indexers still cover it. */
  readonly status: Status;
};

/** Whether it is in use. `retired`: known, named in the manifest, and asked only whether it really does not answer any more. */
export type Status = "active" | "retired";
