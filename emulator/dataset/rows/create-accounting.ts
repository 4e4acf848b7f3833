import type { Row } from "../../styles/read-view.ts";
import type { Transaction } from "./create-event-log.ts";

/**
 * The rows of the transactions added so far that only the multichain indexers store: revenue by day, and users with
 * their transactions.
 */
export type Accounting = {
  /** Adds a transaction, in order of time. Returns whether the row of its sender changed. */
  readonly add: (transaction: Transaction) => boolean;
  /** The rows of the entities `Revenue` and `User`, in order of creation. */
  readonly revenueRows: () => Row[];
  readonly userRows: () => Row[];
  /** The row of the day of a transaction that paid a fee. */
  readonly revenueRow: (transaction: Transaction) => Row;
  /** The row of a transaction's sender. */
  readonly userRow: (transaction: Transaction) => Row;
};

type Day = { readonly midnight: number; amount: bigint };
type User = { readonly address: string; onlyClaims: boolean };

const DAY = 86_400;
const MICROSECONDS = 1_000_000n;
const WEI = 1e18;

export function createAccounting(chainId: number): Accounting {
  const days = new Map<number, Day>();
  const users = new Map<string, User>();

  const revenueRow = ({ midnight, amount }: Day): Row => ({
    id: revenueId(chainId, midnight),
    amount: Number(amount) / WEI,
    chainId: String(chainId),
    currency: NATIVE_CURRENCIES.get(chainId) ?? "ETH",
    date: dateOf(midnight),
    dateTimestamp: String(BigInt(midnight) * MICROSECONDS),
  });
  const userRow = ({ address, onlyClaims }: User): Row => ({
    id: userId(chainId, address),
    address,
    chainId: String(chainId),
    isOnlyAirdropClaimer: onlyClaims,
  });

  return {
    add: ({ timestamp, from, fee, claim }) => {
      if (fee !== null) {
        const midnight = midnightOf(timestamp);
        const day = days.get(midnight);
        if (day) day.amount += fee;
        else days.set(midnight, { midnight, amount: fee });
      }
      const user = users.get(from);
      if (user === undefined) users.set(from, { address: from, onlyClaims: claim });
      else if (!user.onlyClaims || claim) return false;
      else user.onlyClaims = false;
      return true;
    },
    revenueRows: () => Array.from(days.values(), revenueRow),
    userRows: () => Array.from(users.values(), userRow),
    revenueRow: ({ timestamp }) => revenueRow(known(days.get(midnightOf(timestamp)))),
    userRow: ({ from }) => userRow(known(users.get(from))),
  };
}

/** The row of the entity `RevenueTransaction`, of a transaction that paid a fee. */
export function paymentRow(chainId: number, { block, timestamp, hash, fee }: Transaction): Row {
  return {
    id: `revenueTransaction-${chainId}-${hash}`,
    amount: Number(fee ?? 0n) / WEI,
    block: String(block),
    hash,
    revenue: revenueId(chainId, midnightOf(timestamp)),
    timestamp: String(timestamp),
  };
}

/** The row of the entity `UserTransaction`. */
export function sentRow(chainId: number, { block, timestamp, hash, from, fee, claim }: Transaction): Row {
  return {
    id: `userTransaction-${chainId}-${hash}`,
    block: String(block),
    fee: Number(fee ?? 0n) / WEI,
    hash,
    isAirdropClaim: claim,
    timestamp: String(timestamp),
    user: userId(chainId, from),
  };
}

function revenueId(chainId: number, midnight: number): string {
  return `revenue-${chainId}-date-${dateOf(midnight)}`;
}

function userId(chainId: number, address: string): string {
  return `user-${chainId}-${address}`;
}

function midnightOf(timestamp: number): number {
  return timestamp - (timestamp % DAY);
}

function dateOf(midnight: number): string {
  return new Date(midnight * 1000).toISOString().slice(0, "YYYY-MM-DD".length);
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("The transaction was not added to the accounting.");
  return value;
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
