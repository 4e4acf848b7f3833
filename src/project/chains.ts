import type { Chain } from "./chain.ts";

/** The month the chain data below describes. Later changes are configuration until the data move. */
export const CHAINS_AS_OF = "2025-08";

/** The 30 chains in order of key. */
export const CHAINS: readonly Chain[] = [
  chain("abstract", "Abstract", 2741, "abstract", "abstract", "https://abscan.org"),
  chain("arbitrum", "Arbitrum", 42161, "arbitrum", "arbitrum-one", "https://arbiscan.io"),
  chain(
    "arbitrum-sepolia",
    "Arbitrum Sepolia",
    421614,
    "arbitrum sepolia",
    "arbitrum-sepolia",
    "https://sepolia.arbiscan.io",
    { testnet: true },
  ),
  chain("avalanche", "Avalanche", 43114, "avalanche", "avalanche", "https://snowtrace.io", {
    aliases: ["avax"],
  }),
  chain("base", "Base", 8453, "base", "base", "https://basescan.org"),
  chain(
    "base-sepolia",
    "Base Sepolia",
    84532,
    "base sepolia",
    "base-sepolia",
    "https://sepolia.basescan.org",
    { testnet: true },
  ),
  chain("berachain", "Berachain", 80094, "berachain", "berachain", "https://berascan.com"),
  chain("blast", "Blast", 81457, null, "blast-mainnet", "https://blastscan.io"),
  chain("bsc", "BNB Chain", 56, "bnb chain", "bsc", "https://bscscan.com", { aliases: ["bnb"] }),
  chain("chiliz", "Chiliz", 88888, "chiliz", "chiliz", "https://scan.chiliz.com", { aliases: ["chz"] }),
  chain("ethereum", "Ethereum", 1, "ethereum", "mainnet", "https://etherscan.io"),
  chain("form", "Form", 478, null, "form", "https://explorer.form.network", {
    testing: false,
    aliases: ["form-network"],
  }),
  chain("gnosis", "Gnosis", 100, "gnosis", "gnosis", "https://gnosisscan.io", { aliases: ["xdai"] }),
  chain("iotex", "IoTeX", 4689, null, "iotex", "https://iotexscan.io"),
  chain("lightlink", "Lightlink", 1890, null, "lightlink", "https://phoenix.lightlink.io", {
    testing: false,
    aliases: ["lightlink-phoenix"],
  }),
  chain("linea", "Linea Mainnet", 59144, "linea mainnet", "linea", "https://lineascan.build"),
  chain("mode", "Mode", 34443, "mode", "mode-mainnet", "https://modescan.io"),
  chain("morph", "Morph", 2818, "morph", null, "https://explorer.morphl2.io"),
  chain("optimism", "OP Mainnet", 10, "op mainnet", "optimism", "https://optimistic.etherscan.io", {
    aliases: ["op"],
  }),
  chain(
    "optimism-sepolia",
    "OP Sepolia",
    11155420,
    "op sepolia",
    "optimism-sepolia",
    "https://optimism-sepolia.blockscout.com",
    { testnet: true },
  ),
  chain("polygon", "Polygon", 137, "polygon", "polygon", "https://polygonscan.com", { aliases: ["matic"] }),
  chain("scroll", "Scroll", 534352, "scroll", "scroll", "https://scrollscan.com"),
  chain("sei", "Sei Network", 1329, null, "sei-mainnet", "https://seiscan.io"),
  chain("sepolia", "Sepolia", 11155111, "sepolia", "sepolia", "https://sepolia.etherscan.io", {
    testnet: true,
  }),
  chain("sophon", "Sophon", 50104, "sophon", null, "https://explorer.sophon.xyz"),
  chain("superseed", "Superseed", 5330, "superseed", null, "https://explorer.superseed.xyz", {
    aliases: ["sseed"],
  }),
  chain("tangle", "Tangle", 5845, "tangle", null, "https://explorer.tangle.tools"),
  chain("unichain", "Unichain", 130, "unichain", "unichain", "https://uniscan.xyz"),
  chain("xdc", "XDC", 50, "xdc", "xdc", "https://xdcscan.com", { testing: false }),
  chain("zksync", "ZKsync Era", 324, "zksync era", "zksync", "https://explorer.zksync.io", {
    aliases: ["zksync-era", "era"],
  }),
];

function chain(
  key: string,
  name: string,
  chainId: number,
  multichainName: string | null,
  subgraphSuffix: string | null,
  blockExplorer: string,
  {
    testing = true,
    testnet = false,
    aliases = [],
  }: Partial<Pick<Chain, "testing" | "testnet" | "aliases">> = {},
): Chain {
  return {
    key,
    name,
    chainId,
    multichainName,
    subgraphSuffix,
    testing: testing && subgraphSuffix !== null,
    testnet,
    blockExplorer,
    aliases,
    status: "active",
  };
}
