import { describe, expect, it } from "vitest";
import { findChain } from "../../packages/client/src/manifest/find-chain.ts";
import type { Chain } from "../../packages/client/src/manifest/manifest-types.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { chainRow } from "../../src/project/manifest-rows.ts";

const chains = Object.fromEntries(CHAINS.map((chain) => [chain.key, chainRow(chain)]));

describe("findChain", () => {
  it.each<[given: unknown, want: string]>([
    [137, "polygon"],
    [137n, "polygon"],
    ["137", "polygon"],
    ["0x89", "polygon"],
    ["0X89", "polygon"],
    ["eip155:137", "polygon"],
    [" EIP155:137 ", "polygon"],
    ["polygon", "polygon"],
    ["MATIC", "polygon"],
    ["op mainnet", "optimism"],
    ["OP_Mainnet", "optimism"],
    ["\top-mainnet\n", "optimism"],
    ["op", "optimism"],
    ["BNB Chain", "bsc"],
    ["mainnet", "ethereum"],
    ["arbitrum-one", "arbitrum"],
    ["arbitrum one", "arbitrum"],
    ["zksync era", "zksync"],
    ["sei mainnet", "sei"],
    ["Sei Network", "sei"],
    ["xDai", "gnosis"],
    ["tangle", "tangle"],
    [11155420, "optimism-sepolia"],
    // As viem exports them.
    ["arbitrumSepolia", "arbitrum-sepolia"],
    ["baseSepolia", "base-sepolia"],
    ["optimismSepolia", "optimism-sepolia"],
    ["lightlinkPhoenix", "lightlink"],
    ["zkSync", "zksync"],
    // As wallets show them.
    ["Arbitrum One", "arbitrum"],
    ["BNB Smart Chain", "bsc"],
    ["Chiliz Chain", "chiliz"],
    ["Form Network", "form"],
    ["LightLink Phoenix Mainnet", "lightlink"],
    ["Mode Mainnet", "mode"],
    ["XDC Network", "xdc"],
    // Earlier display names.
    ["Arbitrum", "arbitrum"],
    ["Chiliz", "chiliz"],
    ["Form", "form"],
    ["Lightlink", "lightlink"],
    ["Mode", "mode"],
    ["XDC", "xdc"],
    // Prefixes of chain-specific addresses.
    ["eth", "ethereum"],
    ["arb1", "arbitrum"],
    ["arb-sep", "arbitrum-sepolia"],
    ["oeth", "optimism"],
    ["gno", "gnosis"],
    ["pol", "polygon"],
    ["bnb", "bsc"],
    ["SEP", "sepolia"],
    ["lightlink_phoenix", "lightlink"],
    // As DefiLlama calls them.
    ["avax", "avalanche"],
    ["chz", "chiliz"],
    ["era", "zksync"],
    ["formnetwork", "form"],
    ["sseed", "superseed"],
    ["bnbchain", "bsc"],
    ["zkSyncEra", "zksync"],
  ])("%o is %s", (given, want) => {
    expect(findChain(chains, given)).toBe(want);
  });

  it("finds every chain by each of its names and ids", () => {
    for (const { key, name, chainId, shortName, multichainName, subgraphSuffix, aliases } of CHAINS) {
      const ids = [
        chainId,
        BigInt(chainId),
        String(chainId),
        `0x${chainId.toString(16)}`,
        `eip155:${chainId}`,
      ];
      const names = [key, name, shortName ?? key, multichainName ?? key, subgraphSuffix ?? key, ...aliases];
      for (const given of [...names, ...ids]) expect(findChain(chains, given), String(given)).toBe(key);
    }
  });

  it("prefers an alias to the short name of another chain", () => {
    const { ethereum, sepolia } = chains as Record<string, Chain>;
    if (!ethereum || !sepolia) throw new Error("they are in the registry");
    const own = {
      ethereum,
      sepolia,
      devnet: { ...ethereum, chainId: 1337, aliases: ["eth"], shortName: null },
    };
    expect(findChain(own, "eth")).toBe("devnet");
    expect(findChain(own, "sep")).toBe("sepolia");
  });

  it("uses the names of the multichain indexers, not the display names", () => {
    const names = CHAINS.flatMap(({ multichainName }) => multichainName ?? []);
    expect(names).toEqual(
      expect.arrayContaining(["arbitrum", "bnb chain", "chiliz", "linea mainnet", "mode"]),
    );
    expect(names).toEqual(expect.arrayContaining(["op mainnet", "op sepolia", "xdc", "zksync era"]));
  });

  it.each<[given: unknown, want: RegExp]>([
    ["optimsm", /^"optimsm" is not a chain\. Try optimism, /],
    ["etherum", /Try ethereum\.$/],
    ["arb", /Try arbitrum/],
    ["lineaMainet", /Try mainnet, linea-mainnet, /],
    ["goerli", /^"goerli" is not a chain\. Try .*\babstract, .*\bavalanche, base, /],
    ["op_bnb", /^"op_bnb" is not a chain/],
    ["polygon-zkevm", /Try polygon/],
    ["lightlink-pegasus", /Try lightlink/],
    ["base-goerli", /Try base/],
    ["1 0", /^"1 0" is not a chain/],
    ["1_37", /is not a chain/],
    ["0-x89", /is not a chain/],
    ["", /^"" is not a chain/],
    ["__proto__", /is not a chain/],
    ["constructor", /is not a chain/],
    ["eip155:", /is not a chain/],
    ["solana:1", /is not a chain/],
    ["0x", /is not a chain/],
    ["1.0", /is not a chain/],
    ["-1", /is not a chain/],
    [2, /^"2" is not a chain/],
    [1.5, /^"1\.5" is not a chain/],
    [Number.NaN, /^"NaN" is not a chain/],
    [137n + 2n ** 64n, /is not a chain/],
    [undefined, /^undefined is not a chain/],
    [null, /^object is not a chain/],
    [Symbol("137"), /^symbol is not a chain/],
    [["137"], /^object is not a chain/],
  ])("rejects %o", (given, want) => {
    expect(() => findChain(chains, given)).toThrow(want);
  });

  it("quotes at most 50 characters of a long text", () => {
    expect(() => findChain(chains, "9".repeat(100_000))).toThrow(/"9{50}"/);
  });
});
