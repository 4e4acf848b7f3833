import type { Row } from "../../model/rows.ts";
import type { Transaction } from "./create-ledger.ts";
import { NATIVE_CURRENCIES } from "./native-currencies.ts";

const DAY = 86_400;
const MICROSECONDS = 1_000_000n;
const WEI = 1e18;

/** Builds what only the multichain indexers keep: revenue by day, and users with their transactions. */
export function buildAccountingRows(
  chainId: number,
  transactions: readonly Transaction[],
): ReadonlyMap<string, readonly Row[]> {
  return new Map([...revenueTables(chainId, transactions), ...userTables(chainId, transactions)]);
}

function revenueTables(chainId: number, transactions: readonly Transaction[]): [string, Row[]][] {
  const days = new Map<string, { readonly midnight: number; amount: bigint }>();
  const payments: Row[] = [];
  for (const { block, timestamp, hash, fee } of transactions) {
    if (fee === null) continue;
    const midnight = timestamp - (timestamp % DAY);
    const date = new Date(midnight * 1000).toISOString().slice(0, 10);
    const id = `revenue-${chainId}-date-${date}`;
    const day = days.get(id);
    if (day) day.amount += fee;
    else days.set(id, { midnight, amount: fee });
    payments.push({
      id: `revenueTransaction-${chainId}-${hash}`,
      amount: Number(fee) / WEI,
      block: String(block),
      hash,
      revenue: id,
      timestamp: String(timestamp),
    });
  }
  const revenue = [...days].map(([id, { midnight, amount }]) => ({
    id,
    amount: Number(amount) / WEI,
    chainId: String(chainId),
    currency: NATIVE_CURRENCIES.get(chainId) ?? "ETH",
    date: id.slice(-"YYYY-MM-DD".length),
    dateTimestamp: String(BigInt(midnight) * MICROSECONDS),
  }));
  return [
    ["Revenue", revenue],
    ["RevenueTransaction", payments],
  ];
}

function userTables(chainId: number, transactions: readonly Transaction[]): [string, Row[]][] {
  const users = new Map<string, { readonly address: string; onlyClaims: boolean }>();
  const sent = transactions.map(({ block, timestamp, hash, from, fee, claim }) => {
    const id = `user-${chainId}-${from}`;
    const user = users.get(id);
    if (user) user.onlyClaims &&= claim;
    else users.set(id, { address: from, onlyClaims: claim });
    return {
      id: `userTransaction-${chainId}-${hash}`,
      block: String(block),
      fee: Number(fee ?? 0n) / WEI,
      hash,
      isAirdropClaim: claim,
      timestamp: String(timestamp),
      user: id,
    };
  });
  const rows = [...users].map(([id, { address, onlyClaims }]) => ({
    id,
    address,
    chainId: String(chainId),
    isOnlyAirdropClaimer: onlyClaims,
  }));
  return [
    ["User", rows],
    ["UserTransaction", sent],
  ];
}
