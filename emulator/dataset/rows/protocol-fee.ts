import type { Random } from "./create-random.ts";

/** What a transaction pays to the protocol, in wei: from 0.0001 to 0.002 of the native currency. */
export function protocolFee(random: Random): bigint {
  return BigInt(random.int(10, 200)) * 10n ** 13n;
}
