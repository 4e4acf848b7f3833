import type { Row } from "../../styles/read-view.ts";
import type { Transaction } from "./create-event-log.ts";

/** The rows that only the multichain indexers store: revenue by day, and users with their transactions. */
export type Accounting = {
  /** Adds a transaction, in order of time. Returns the rows that it writes. */
  readonly add: (transaction: Transaction) => readonly AccountingWrite[];
};

type AccountingWrite = { readonly entity: AccountingEntity; readonly row: Row };

type AccountingEntity = (typeof ACCOUNTING_ENTITIES)[number];

export const ACCOUNTING_ENTITIES = ["User", "UserTransaction", "Revenue", "RevenueTransaction"] as const;

const DAY = 86_400;
const MICROSECONDS = 1_000_000n;
const WEI = 1e18;

export function createAccounting(chainId: number): Accounting {
  /** The amounts of days, by their midnight. */
  const days = new Map<number, bigint>();
  /** Whether an address only sent claims. */
  const users = new Map<string, boolean>();
  return {
    add: ({ block, timestamp, hash, from, fee, claim }) => {
      const writes: AccountingWrite[] = [];
      const user = `user-${chainId}-${from}`;
      const onlyClaims = users.get(from);
      if (onlyClaims === undefined || (onlyClaims && !claim)) {
        users.set(from, claim);
        const row = { id: user, address: from, chainId: String(chainId), isOnlyAirdropClaimer: claim };
        writes.push({ entity: "User", row });
      }
      const sent = {
        id: `userTransaction-${chainId}-${hash}`,
        block: String(block),
        fee: Number(fee ?? 0n) / WEI,
        hash,
        isAirdropClaim: claim,
        timestamp: String(timestamp),
        user,
      };
      writes.push({ entity: "UserTransaction", row: sent });
      if (fee === null) return writes;
      const midnight = timestamp - (timestamp % DAY);
      const amount = (days.get(midnight) ?? 0n) + fee;
      days.set(midnight, amount);
      const date = new Date(midnight * 1000).toISOString().slice(0, "YYYY-MM-DD".length);
      const revenue = {
        id: `revenue-${chainId}-date-${date}`,
        amount: Number(amount) / WEI,
        chainId: String(chainId),
        currency: NATIVE_CURRENCIES.get(chainId) ?? "ETH",
        date,
        dateTimestamp: String(BigInt(midnight) * MICROSECONDS),
      };
      const payment = {
        id: `revenueTransaction-${chainId}-${hash}`,
        amount: Number(fee) / WEI,
        block: String(block),
        hash,
        revenue: revenue.id,
        timestamp: String(timestamp),
      };
      writes.push({ entity: "Revenue", row: revenue }, { entity: "RevenueTransaction", row: payment });
      return writes;
    },
  };
}

/** The native currencies of the chains that do not pay in ETH, by chain id. */
const NATIVE_CURRENCIES: ReadonlyMap<number, string> = new Map([
  [50, "XDC"],
  [56, "BNB"],
  [100, "xDAI"],
  [137, "POL"],
  [1329, "SEI"],
  [4689, "IOTX"],
  [5845, "TNT"],
  [43114, "AVAX"],
  [50104, "SOPH"],
  [80094, "BERA"],
  [88888, "CHZ"],
]);
