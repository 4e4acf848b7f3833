import type { Protocol } from "../model/vocabulary.ts";

/**
 * The entity field by which the indexer of a protocol is known: a vesting stream has an amount that was
 * deposited once, a payment stream has a rate. Neither reference indexer has the other's field.
 */
export const PROTOCOL_MARKS: Readonly<Record<Protocol, string>> = {
  lockup: "depositAmount",
  flow: "ratePerSecond",
};
