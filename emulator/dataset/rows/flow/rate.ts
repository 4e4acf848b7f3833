import type { Asset } from "../build-assets.ts";
import type { Random } from "../create-random.ts";
import { RATE_UNIT } from "./stream.ts";

const MONTH = 30 * 86_400;

/** A rate per second with 18 decimals, of 100 to 20,000 whole tokens a month. */
export function inventRate(random: Random): bigint {
  return (BigInt(random.int(100, 20_000)) * RATE_UNIT) / BigInt(MONTH);
}

/** What about a month of some stream costs, in the asset's decimals. */
export function monthlyAmount(random: Random, asset: Asset): bigint {
  return BigInt(random.int(100_00, 20_000_00)) * (asset.unit / 100n);
}
