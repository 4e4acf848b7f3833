import type { Protocol } from "./vocabulary.ts";

/** What the indexer of a protocol is known by: a field, and the entity that has it. */
export type ProtocolMark = { readonly entity: string; readonly field: string };

/**
 * A vesting stream has an amount that was deposited once, a payment stream has a rate. Neither reference indexer has
 * the other's field.
 */
export const PROTOCOL_MARKS: Readonly<Record<Protocol, ProtocolMark>> = {
  lockup: { entity: "Stream", field: "depositAmount" },
  flow: { entity: "Stream", field: "ratePerSecond" },
};
