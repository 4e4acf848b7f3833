import type { Row } from "../../styles/read-view.ts";
import { createRandom, type Random } from "./create-random.ts";

/** A token of one chain. */
export type Asset = {
  readonly id: string;
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly unit: bigint;
};

const TOKENS: readonly (readonly [name: string, symbol: string, decimals: number])[] = [
  ["USD Coin", "USDC", 6],
  ["Wrapped BTC", "WBTC", 8],
  ["Wrapped Ether", "WETH", 18],
  ["Tether USD", "USDT", 6],
  ["Dai Stablecoin", "DAI", 18],
  ["Coinbase Wrapped BTC", "cbBTC", 8],
  ["Harbor Protocol", "HRBR", 18],
  ["Meridian Governance Token", "MGT", 18],
  ["Lantern DAO", "LNTRN", 18],
  ["Bridged USDC", "USDC.e", 6],
  ["Quarry Network", "QRY", 18],
  ["Saltmarsh", "SALT", 18],
  ["Orbital Credits", "ORBIT", 6],
  ["Tidewater Labs", "TIDE", 18],
];

/** The first three tokens are on every chain, so that every chain has all numbers of decimals. */
const TOKENS_EVERYWHERE = 3;

/** Builds the 6 to 10 assets of a chain. */
export function buildAssets(random: Random, chainId: number): Asset[] {
  const others = TOKENS.slice(TOKENS_EVERYWHERE);
  const count = random.int(6, 10);
  const chosen = TOKENS.slice(0, TOKENS_EVERYWHERE);
  while (chosen.length < count) {
    chosen.push(...others.splice(random.int(0, others.length - 1), 1));
  }
  return chosen.map(([name, symbol, decimals]) => {
    const address = random.hex(20);
    return {
      id: `asset-${chainId}-${address}`,
      address,
      name,
      symbol,
      decimals,
      unit: 10n ** BigInt(decimals),
    };
  });
}

export function assetRows(assets: readonly Asset[], chainId: number): Row[] {
  return assets.map(({ id, address, name, symbol, decimals }) => ({
    id,
    address,
    chainId: String(chainId),
    decimals: String(decimals),
    name,
    symbol,
  }));
}

/** The accounts, which are the same on every chain. */
export type Accounts = { readonly senders: readonly string[]; readonly recipients: readonly string[] };

/** Builds the addresses that send and receive streams. */
export function buildAccounts(seed: string): Accounts {
  const random = createRandom(`${seed}:accounts`);
  const addresses = (count: number) => Array.from({ length: count }, () => random.hex(20));
  return { senders: addresses(40), recipients: addresses(160) };
}
