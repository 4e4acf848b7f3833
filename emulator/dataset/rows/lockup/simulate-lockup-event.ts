import type { Action, EventLog, Transaction } from "../create-event-log.ts";
import { protocolFee } from "../protocol-fee.ts";
import { type EventInputs, handOver, TOKEN_EVENT_WEIGHTS, TOKEN_EVENTS } from "../token-events.ts";
import { unlockedAt } from "./schedule.ts";
import type { LockupStream } from "./stream.ts";

/** Makes up what happens to a stream at a block; false when nothing does. */
export function simulateLockupEvent(stream: LockupStream, block: number, inputs: EventInputs): boolean {
  const { log, random, people } = inputs;
  const time = log.clock.timestampOf(block);
  const due = withdrawableAt(stream, time);
  const open = stream.cancelable && time < stream.endTime;
  const event = random.pickWeighted(EVENTS, [
    2,
    due > 0n ? 20 : 0,
    open ? 4 : 0,
    open ? 3 : 0,
    stream.transferable ? 3 : 0,
    ...TOKEN_EVENT_WEIGHTS,
  ]);
  event?.({ log, random, people, stream, block, time });
  return event !== null;
}

/** What the recipient could withdraw at a time. */
function withdrawableAt(stream: LockupStream, time: number): bigint {
  const until = stream.canceled ? Number(stream.canceled.timestamp) : time;
  return unlockedAt(stream.schedule, until) - stream.withdrawn;
}

type Event = (
  context: EventInputs & { readonly stream: LockupStream; readonly block: number; readonly time: number },
) => void;

const withdraw: Event = ({ stream, log, random, people, block, time }) => {
  const due = withdrawableAt(stream, time);
  const share = random.chance(60) ? 100 : random.int(1, 99);
  // At least one unit: a small share of very little is nothing, which no contract pays out.
  const amount = (due * BigInt(share)) / 100n || 1n;
  const by = random.chance(75) ? stream.recipient : stream.sender;
  const to = by === stream.recipient && random.chance(10) ? random.pick(people) : stream.recipient;
  stream.withdrawn += amount;
  const transaction = log.transact(block, by, { fee: stream.fees ? protocolFee(random) : null });
  record(log, transaction, stream, "Withdraw", [by, to], [null, amount]);
};

const cancel: Event = ({ stream, log, block, time }) => {
  const unlocked = unlockedAt(stream.schedule, time);
  const transaction = log.transact(block, stream.proxender ?? stream.sender);
  stream.cancelable = false;
  stream.canceled = record(
    log,
    transaction,
    stream,
    "Cancel",
    [stream.sender, stream.recipient],
    [stream.deposit - unlocked, unlocked - stream.withdrawn],
  );
};

const renounce: Event = ({ stream, log, block }) => {
  const transaction = log.transact(block, stream.proxender ?? stream.sender);
  stream.cancelable = false;
  stream.renounced = record(log, transaction, stream, "Renounce", [stream.sender, null]);
};

function record(
  log: EventLog,
  transaction: Transaction,
  stream: LockupStream,
  category: string,
  addresses: readonly [string, string | null],
  amounts?: readonly [bigint | null, bigint],
): Action {
  return log.record(transaction, {
    category,
    contract: stream.contract.address,
    stream: stream.id,
    addresses,
    amounts,
  });
}

/** What may happen to a Lockup stream, in the order of the weights above. */
const EVENTS: readonly (Event | null)[] = [null, withdraw, cancel, renounce, handOver, ...TOKEN_EVENTS];
