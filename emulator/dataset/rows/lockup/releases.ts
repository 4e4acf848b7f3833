import type { Release } from "../create-contracts.ts";

/** What a generation of the Lockup contracts can do. */
export type Generation = {
  readonly releases: readonly Release[];
  /** Streams may be opened through a proxy contract. */
  readonly proxies: boolean;
  /** Airdrop campaigns open streams. */
  readonly airdrops: boolean;
  /** It asks a fee, keeps the name of a stream's shape and knows initial unlocks. */
  readonly fees: boolean;
};

const MERGED = ["LockupDynamic", "LockupLinear", "LockupTranched"];

/** The generations of the Lockup contracts, oldest first. */
export const LOCKUP_GENERATIONS: readonly Generation[] = [
  {
    releases: [release("LD", "v1.0", "LockupDynamic"), release("LL", "v1.0", "LockupLinear")],
    proxies: true,
    airdrops: false,
    fees: false,
  },
  {
    releases: [release("LD2", "v1.1", "LockupDynamic"), release("LL2", "v1.1", "LockupLinear")],
    proxies: true,
    airdrops: true,
    fees: false,
  },
  {
    releases: [
      release("LD3", "v1.2", "LockupDynamic"),
      release("LL3", "v1.2", "LockupLinear"),
      release("LT3", "v1.2", "LockupTranched"),
    ],
    proxies: false,
    airdrops: true,
    fees: false,
  },
  { releases: [release("LK", "v2.0", ...MERGED)], proxies: false, airdrops: true, fees: true },
  { releases: [release("LK2", "v3.0", ...MERGED)], proxies: false, airdrops: true, fees: true },
];

function release(alias: string, version: string, ...categories: string[]): Release {
  return { alias, version, categories };
}
