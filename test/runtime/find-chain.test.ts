import { describe, expect, it } from "vitest";
import { findChain } from "../../packages/client/src/manifest/find-chain.ts";
import type { Chain } from "../../packages/client/src/manifest/manifest-types.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { chainRow } from "../../src/project/manifest-rows.ts";

const chains = Object.fromEntries(CHAINS.map((chain) => [chain.key, chainRow(chain)]));

/** Ids and names, as viem, wallets, DefiLlama and addresses with a prefix have them, and earlier names. */
const NAMES: Readonly<Record<string, readonly unknown[]>> = {
  arbitrum: ["arbitrum-one", "arbitrum one", "Arbitrum One", "Arbitrum", "arb1"],
  "arbitrum-sepolia": ["arbitrumSepolia", "arb-sep"],
  avalanche: ["avax"],
  "base-sepolia": ["baseSepolia"],
  bsc: ["BNB Chain", "BNB Smart Chain", "bnb", "bnbchain"],
  chiliz: ["Chiliz Chain", "Chiliz", "chz"],
  ethereum: ["mainnet", "eth"],
  form: ["Form Network", "Form", "formnetwork"],
  gnosis: ["xDai", "gno"],
  lightlink: ["lightlinkPhoenix", "LightLink Phoenix Mainnet", "Lightlink", "lightlink_phoenix"],
  mode: ["Mode Mainnet", "Mode"],
  optimism: ["op mainnet", "OP_Mainnet", "\top-mainnet\n", "op", "oeth"],
  "optimism-sepolia": [11155420, "optimismSepolia"],
  polygon: [137, 137n, "137", "0x89", "0X89", "eip155:137", " EIP155:137 ", "polygon", "MATIC", "pol"],
  sei: ["sei mainnet", "Sei Network"],
  sepolia: ["SEP"],
  superseed: ["sseed"],
  tangle: ["tangle"],
  xdc: ["XDC Network", "XDC"],
  zksync: ["zksync era", "zkSync", "era", "zkSyncEra"],
};

describe("findChain", () => {
  it.each(Object.entries(NAMES))("returns %s for its names and ids", (key, names) => {
    for (const given of names) expect(findChain(chains, given), String(given)).toBe(key);
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
