import type { Chain } from "./chain.ts";

/** The month the chain data below describes. Later changes are configuration until the data move. */
export const CHAINS_AS_OF = "2025-08";

/**
 * The 30 chains in order of key. Names are those of viem's chain definitions, short names those of ethereum-lists/chains,
 * and seconds per block those of either or of the chain's own documents; null where none of them tells.
 */
export const CHAINS: readonly Chain[] = [
  chain("abstract", "Abstract", 2741, "abstract", 0.2, "https://abscan.org"),
  chain("arbitrum", "Arbitrum One", 42161, "arb1", 0.25, "https://arbiscan.io", {
    subgraphSuffix: "arbitrum-one",
  }),
  chain("arbitrum-sepolia", "Arbitrum Sepolia", 421614, "arb-sep", 0.25, "https://sepolia.arbiscan.io", {
    testnet: true,
  }),
  chain("avalanche", "Avalanche", 43114, "avax", 1.7, "https://snowtrace.io", { aliases: ["avax"] }),
  chain("base", "Base", 8453, "base", 2, "https://basescan.org"),
  chain("base-sepolia", "Base Sepolia", 84532, "basesep", 2, "https://sepolia.basescan.org", {
    testnet: true,
  }),
  chain("berachain", "Berachain", 80094, "berachain", 2, "https://berascan.com"),
  chain("blast", "Blast", 81457, "blastmainnet", 2, "https://blastscan.io", {
    multichainName: null,
    subgraphSuffix: "blast-mainnet",
  }),
  chain("bsc", "BNB Smart Chain", 56, "bnb", 0.75, "https://bscscan.com", {
    multichainName: "bnb chain",
    aliases: ["bnb", "bnb-chain"],
  }),
  chain("chiliz", "Chiliz Chain", 88888, "chiliz", 3, "https://scan.chiliz.com", { aliases: ["chz"] }),
  chain("ethereum", "Ethereum", 1, "eth", 12, "https://etherscan.io", { subgraphSuffix: "mainnet" }),
  chain("form", "Form Network", 478, "formnetwork", 2, "https://explorer.form.network", {
    multichainName: null,
    testing: false,
    aliases: ["form-network"],
  }),
  chain("gnosis", "Gnosis", 100, "gno", 5, "https://gnosisscan.io", { aliases: ["xdai"] }),
  chain("iotex", "IoTeX", 4689, "iotex-mainnet", 2.5, "https://iotexscan.io", { multichainName: null }),
  chain(
    "lightlink",
    "LightLink Phoenix Mainnet",
    1890,
    "lightlink_phoenix",
    null,
    "https://phoenix.lightlink.io",
    { multichainName: null, testing: false, aliases: ["lightlink-phoenix"] },
  ),
  chain("linea", "Linea Mainnet", 59144, "linea", 2, "https://lineascan.build", {
    multichainName: "linea mainnet",
  }),
  chain("mode", "Mode Mainnet", 34443, "mode", 2, "https://modescan.io", { subgraphSuffix: "mode-mainnet" }),
  chain("morph", "Morph", 2818, "morph", null, "https://explorer.morphl2.io", { subgraphSuffix: null }),
  chain("optimism", "OP Mainnet", 10, "oeth", 2, "https://optimistic.etherscan.io", {
    multichainName: "op mainnet",
    aliases: ["op"],
  }),
  chain("optimism-sepolia", "OP Sepolia", 11155420, "opsep", 2, "https://optimism-sepolia.blockscout.com", {
    multichainName: "op sepolia",
    testnet: true,
  }),
  chain("polygon", "Polygon", 137, "pol", 2, "https://polygonscan.com", { aliases: ["matic"] }),
  chain("scroll", "Scroll", 534352, "scr", 3, "https://scrollscan.com"),
  chain("sei", "Sei Network", 1329, "sei", 0.4, "https://seiscan.io", {
    multichainName: null,
    subgraphSuffix: "sei-mainnet",
  }),
  chain("sepolia", "Sepolia", 11155111, "sep", 12, "https://sepolia.etherscan.io", { testnet: true }),
  chain("sophon", "Sophon", 50104, "sophon", 0.2, "https://explorer.sophon.xyz", { subgraphSuffix: null }),
  chain("superseed", "Superseed", 5330, "sseed", 2, "https://explorer.superseed.xyz", {
    subgraphSuffix: null,
    aliases: ["sseed"],
  }),
  chain("tangle", "Tangle", 5845, "tangle", null, "https://explorer.tangle.tools", { subgraphSuffix: null }),
  chain("unichain", "Unichain", 130, "unichain", 1, "https://uniscan.xyz"),
  chain("xdc", "XDC Network", 50, "xdc", 2, "https://xdcscan.com", { testing: false }),
  chain("zksync", "ZKsync Era", 324, "zksync", 0.2, "https://explorer.zksync.io", {
    multichainName: "zksync era",
    aliases: ["zksync-era", "era"],
  }),
];

/** The indexers call most chains by our keys: the multichain ones with blanks, subgraphs with dashes. */
function chain(
  key: string,
  name: string,
  chainId: number,
  shortName: string | null,
  secondsPerBlock: number | null,
  blockExplorer: string | null,
  more: Partial<Chain> = {},
): Chain {
  const { multichainName = key.replaceAll("-", " "), subgraphSuffix = key, testing = true } = more;
  return {
    key,
    name,
    chainId,
    shortName,
    multichainName,
    subgraphSuffix,
    testing: testing && subgraphSuffix !== null,
    testnet: more.testnet ?? false,
    secondsPerBlock,
    blockExplorer,
    aliases: more.aliases ?? [],
    status: "active",
  };
}
