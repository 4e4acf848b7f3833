import {
  type EventInputs,
  handOver,
  recordEvent,
  type StreamEvent,
  TOKEN_EVENT_WEIGHTS,
  TOKEN_EVENTS,
  withdrawal,
} from "../token-events.ts";
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

type Event = StreamEvent<LockupStream>;

const cancel: Event = (context) => {
  const { stream, time } = context;
  const { sender, recipient, deposit, withdrawn } = stream;
  const unlocked = unlockedAt(stream.schedule, time);
  const amounts = [deposit - unlocked, unlocked - withdrawn] as const;
  stream.cancelable = false;
  stream.canceled = recordEvent(context, "Cancel", stream.proxender ?? sender, [sender, recipient], amounts);
};

const renounce: Event = (context) => {
  const { stream } = context;
  stream.cancelable = false;
  stream.renounced = recordEvent(context, "Renounce", stream.proxender ?? stream.sender, [
    stream.sender,
    null,
  ]);
};

/** What may happen to a Lockup stream, in the order of the weights above. */
const EVENTS: readonly (Event | null)[] = [
  null,
  withdrawal(withdrawableAt),
  cancel,
  renounce,
  handOver,
  ...TOKEN_EVENTS,
];
