import { CHAINS } from "../../src/project/chains.ts";

const count = (filter: (chain: (typeof CHAINS)[number]) => boolean) => CHAINS.filter(filter).length;

/** How many built-in chains are served how, so that no suite changes with a new chain. */
export const CHAIN_COUNTS = {
  all: CHAINS.length,
  mainnets: count(({ testnet }) => !testnet),
  multichain: count(({ multichainName }) => multichainName !== null),
  subgraph: count(({ subgraphSuffix }) => subgraphSuffix !== null),
  testing: count(({ testing }) => testing),
};

/** How many deployments serve one built-in protocol. */
export const PROTOCOL_DEPLOYMENTS = CHAIN_COUNTS.subgraph + 1;
