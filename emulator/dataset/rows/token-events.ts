import type { Action, ActionEvent, EventLog } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";
import type { Stream } from "./stream.ts";

export type EventInputs = {
  readonly log: EventLog;
  readonly random: Random;
  readonly people: readonly string[];
};

/** A stream, and the block and time of its event. */
export type EventContext<S extends Stream> = EventInputs & {
  readonly stream: S;
  readonly block: number;
  readonly time: number;
};

export type StreamEvent<S extends Stream> = (context: EventContext<S>) => void;

type EventFacts = Pick<ActionEvent, "addresses" | "amounts"> & {
  /** Who sends the transaction; by default the first address. */
  readonly from?: string;
  readonly fee?: bigint | null;
};

/** Records an event of a stream in its own transaction. */
export function recordEvent<S extends Stream>(
  { stream, log, block }: EventContext<S>,
  category: string,
  { addresses, amounts, from = addresses[0], fee = null }: EventFacts,
): Action {
  const { contract, id } = stream;
  const transaction = log.transact(block, from, { fee });
  return log.record(transaction, { category, contract: contract.address, stream: id, addresses, amounts });
}

/** Creates the event that pays the recipient, or refunds the sender, some or all of the due amount. */
export function withdrawal<S extends Stream>(dueAt: (stream: S, time: number) => bigint): StreamEvent<S> {
  return (context) => {
    const { stream, random, people, time } = context;
    const share = random.chance(60) ? 100 : random.int(1, 99);
    // At least one unit: contracts do not pay out zero.
    const amount = (dueAt(stream, time) * BigInt(share)) / 100n || 1n;
    const by = random.chance(75) ? stream.recipient : stream.sender;
    const to = by === stream.recipient && random.chance(10) ? random.pick(people) : stream.recipient;
    stream.withdrawn += amount;
    const fee = stream.fees ? protocolFee(random) : null;
    recordEvent(context, "Withdraw", { addresses: [by, to], amounts: [null, amount], fee });
  };
}

/** The owner transfers the token. */
export const handOver: StreamEvent<Stream> = (context) => {
  const { stream, random, people } = context;
  const owner = stream.recipient;
  let next = owner;
  while (next === owner) next = random.pick(people);
  recordEvent(context, "Transfer", { addresses: [owner, next] });
  stream.recipient = next;
};

/** The owner approves an address for the token, or for all tokens of the owner. */
function approval(category: string, isForAll: boolean): StreamEvent<Stream> {
  return ({ stream, log, random, people, block }) => {
    log.record(log.transact(block, stream.recipient), {
      category,
      contract: stream.contract.address,
      stream: isForAll ? null : stream.id,
      addresses: [stream.recipient, random.pick(people)],
    });
  };
}

/** The ERC-721 events that can happen at any time, with their weights. */
export const TOKEN_EVENTS: readonly StreamEvent<Stream>[] = [
  approval("Approval", false),
  approval("ApprovalForAll", true),
];
export const TOKEN_EVENT_WEIGHTS: readonly number[] = [2, 1];

/** The fee of a transaction, in wei: 0.0001 to 0.002 of the native currency. */
export function protocolFee(random: Random): bigint {
  return BigInt(random.int(10, 200)) * 10n ** 13n;
}
