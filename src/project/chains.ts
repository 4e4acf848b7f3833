import type { Chain } from "./chain.ts";

/** The month the chain data below describes. Later changes are configuration until the data move. */
export const CHAINS_AS_OF = "2025-08";

/** The 30 chains in order of key. */
export const CHAINS: readonly Chain[] = [
  chain("abstract", "Abstract", 2741, "https://abscan.org"),
  chain("arbitrum", "Arbitrum", 42161, "https://arbiscan.io", { subgraphSuffix: "arbitrum-one" }),
  chain("arbitrum-sepolia", "Arbitrum Sepolia", 421614, "https://sepolia.arbiscan.io", { testnet: true }),
  chain("avalanche", "Avalanche", 43114, "https://snowtrace.io", { aliases: ["avax"] }),
  chain("base", "Base", 8453, "https://basescan.org"),
  chain("base-sepolia", "Base Sepolia", 84532, "https://sepolia.basescan.org", { testnet: true }),
  chain("berachain", "Berachain", 80094, "https://berascan.com"),
  chain("blast", "Blast", 81457, "https://blastscan.io", {
    multichainName: null,
    subgraphSuffix: "blast-mainnet",
  }),
  chain("bsc", "BNB Chain", 56, "https://bscscan.com", { aliases: ["bnb"] }),
  chain("chiliz", "Chiliz", 88888, "https://scan.chiliz.com", { aliases: ["chz"] }),
  chain("ethereum", "Ethereum", 1, "https://etherscan.io", { subgraphSuffix: "mainnet" }),
  chain("form", "Form", 478, "https://explorer.form.network", {
    multichainName: null,
    testing: false,
    aliases: ["form-network"],
  }),
  chain("gnosis", "Gnosis", 100, "https://gnosisscan.io", { aliases: ["xdai"] }),
  chain("iotex", "IoTeX", 4689, "https://iotexscan.io", { multichainName: null }),
  chain("lightlink", "Lightlink", 1890, "https://phoenix.lightlink.io", {
    multichainName: null,
    testing: false,
    aliases: ["lightlink-phoenix"],
  }),
  chain("linea", "Linea Mainnet", 59144, "https://lineascan.build"),
  chain("mode", "Mode", 34443, "https://modescan.io", { subgraphSuffix: "mode-mainnet" }),
  chain("morph", "Morph", 2818, "https://explorer.morphl2.io", { subgraphSuffix: null }),
  chain("optimism", "OP Mainnet", 10, "https://optimistic.etherscan.io", { aliases: ["op"] }),
  chain("optimism-sepolia", "OP Sepolia", 11155420, "https://optimism-sepolia.blockscout.com", {
    testnet: true,
  }),
  chain("polygon", "Polygon", 137, "https://polygonscan.com", { aliases: ["matic"] }),
  chain("scroll", "Scroll", 534352, "https://scrollscan.com"),
  chain("sei", "Sei Network", 1329, "https://seiscan.io", {
    multichainName: null,
    subgraphSuffix: "sei-mainnet",
  }),
  chain("sepolia", "Sepolia", 11155111, "https://sepolia.etherscan.io", { testnet: true }),
  chain("sophon", "Sophon", 50104, "https://explorer.sophon.xyz", { subgraphSuffix: null }),
  chain("superseed", "Superseed", 5330, "https://explorer.superseed.xyz", {
    subgraphSuffix: null,
    aliases: ["sseed"],
  }),
  chain("tangle", "Tangle", 5845, "https://explorer.tangle.tools", { subgraphSuffix: null }),
  chain("unichain", "Unichain", 130, "https://uniscan.xyz"),
  chain("xdc", "XDC", 50, "https://xdcscan.com", { testing: false }),
  chain("zksync", "ZKsync Era", 324, "https://explorer.zksync.io", { aliases: ["zksync-era", "era"] }),
];

/** The multichain indexers call most chains by their names in lower case, and subgraphs by our keys. */
function chain(
  key: string,
  name: string,
  chainId: number,
  blockExplorer: string,
  more: Partial<Chain> = {},
): Chain {
  const { multichainName = name.toLowerCase(), subgraphSuffix = key, testing = true } = more;
  return {
    key,
    name,
    chainId,
    multichainName,
    subgraphSuffix,
    testing: testing && subgraphSuffix !== null,
    testnet: more.testnet ?? false,
    blockExplorer,
    aliases: more.aliases ?? [],
    status: "active",
  };
}
