import { createRandom } from "./create-random.ts";

/** The people of the emulated chains. They are the same on every chain, as people are. */
export type Accounts = { readonly senders: readonly string[]; readonly recipients: readonly string[] };

/** Builds the addresses that send and receive streams. */
export function buildAccounts(seed: string): Accounts {
  const random = createRandom(`${seed}:accounts`);
  const addresses = (count: number) => Array.from({ length: count }, () => random.hex(20));
  return { senders: addresses(40), recipients: addresses(160) };
}
