import type { ChainClock } from "./chain-clock.ts";
import type { Random } from "./create-random.ts";

export type Transaction = {
  readonly block: number;
  readonly timestamp: number;
  readonly hash: string;
  readonly from: string;
  /** The fee paid to the protocol, in wei. */
  readonly fee: bigint | null;
  readonly claim: boolean;
};

/** A row of the entity `Action`. The log adds id and number once all earlier events are known. */
export type Action = {
  id: string;
  subgraphId: string;
  readonly block: string;
  readonly chainId: string;
  readonly from: string;
  readonly hash: string;
  /** In Unix seconds. */
  readonly timestamp: string;
  readonly category: string;
  readonly contract: string;
  readonly fee: string | null;
  readonly stream: string | null;
  readonly addressA: string | null;
  readonly addressB: string | null;
  readonly amountA: string | null;
  readonly amountB: string | null;
};

/** The events on one chain. Between two flushes, they may be recorded in any order; a flush sorts them. */
export type EventLog = {
  readonly clock: ChainClock;
  readonly transact: (
    block: number,
    from: string,
    facts?: { readonly fee?: bigint | null; readonly claim?: boolean },
  ) => Transaction;
  readonly record: (transaction: Transaction, event: ActionEvent) => Action;
  /** Sorts the events since the last flush by block and numbers them. Later events must be of later blocks. */
  readonly flush: () => LoggedEvents;
};

/** The events recorded between two flushes. */
type LoggedEvents = {
  readonly actions: readonly Action[];
  readonly transactions: readonly Transaction[];
};

export type ActionEvent = {
  readonly category: string;
  readonly contract: string;
  /** The stream's id; null without a stream. */
  readonly stream: string | null;
  readonly addresses: readonly [a: string, b: string | null];
  readonly amounts?: readonly [a: bigint | null, b: bigint | null] | undefined;
};

export function createEventLog(clock: ChainClock, random: Random): EventLog {
  const chainId = String(clock.chainId);
  let transactions: Transaction[] = [];
  let actions: Action[] = [];
  let numbered = 0;
  return {
    clock,
    transact: (block, from, { fee = null, claim = false } = {}) => {
      const timestamp = clock.timestampOf(block);
      const transaction = { block, timestamp, hash: random.hex(32), from, fee, claim };
      transactions.push(transaction);
      return transaction;
    },
    record: ({ block, from, hash, timestamp, fee }, { category, contract, stream, addresses, amounts }) => {
      const action: Action = {
        id: "",
        subgraphId: "",
        block: String(block),
        chainId,
        from,
        hash,
        timestamp: String(timestamp),
        category,
        contract,
        fee: decimal(fee),
        stream,
        addressA: addresses[0],
        addressB: addresses[1],
        amountA: decimal(amounts?.[0] ?? null),
        amountB: decimal(amounts?.[1] ?? null),
      };
      actions.push(action);
      return action;
    },
    flush: () => {
      const logged = {
        actions: sortByBlock(actions, ({ block }) => Number(block)),
        transactions: sortByBlock(transactions, ({ block }) => block),
      };
      numberActions(logged.actions, numbered, random);
      numbered += logged.actions.length;
      [actions, transactions] = [[], []];
      return logged;
    },
  };
}

/** Sorts items by block; stable within a block. */
function sortByBlock<T>(items: readonly T[], blockOf: (item: T) => number): readonly T[] {
  // Most flushes hold one or two events of a single block.
  if (items.every((item, index) => index === 0 || blockOf(items[index - 1] as T) <= blockOf(item)))
    return items;
  // Plain numbers sort several times as fast as with a comparator.
  const keys = Float64Array.from(items, (item, index) => blockOf(item) * items.length + index).sort();
  return Array.from(keys, (key) => items[key % items.length] as T);
}

function numberActions(actions: readonly Action[], numbered: number, random: Random): void {
  let block = "";
  let logIndex = 0;
  for (const [index, action] of actions.entries()) {
    // Log indexes count all events of a block, and most events are of other contracts.
    logIndex = (action.block === block ? logIndex : -1) + random.int(1, 40);
    block = action.block;
    action.id = `action-${action.chainId}-${action.hash}-${logIndex}`;
    action.subgraphId = String(numbered + index + 1);
  }
}

function decimal(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}
