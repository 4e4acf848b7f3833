import type { Action } from "../create-event-log.ts";
import {
  type EventContext,
  type EventInputs,
  handOver,
  recordEvent,
  type StreamEvent,
  TOKEN_EVENT_WEIGHTS,
  TOKEN_EVENTS,
  withdrawal,
} from "../token-events.ts";
import { inventRate, monthlyAmount } from "./rate.ts";
import { balanceOf, coveredDebtAt, debtAt, type FlowStream, scaledAccruedAt } from "./stream.ts";

/** Makes up what happens to a stream at a block; false when nothing does. */
export function simulateFlowEvent(stream: FlowStream, block: number, inputs: EventInputs): boolean {
  const { log, random, people } = inputs;
  const time = log.clock.timestampOf(block);
  const covered = coveredDebtAt(stream, time);
  const running = stream.rate > 0n;
  const alive = stream.voided === null;
  const event = random.pickWeighted(EVENTS, [
    1,
    covered > 0n ? 14 : 0,
    alive ? 10 : 0,
    running ? 4 : 0,
    running ? 3 : 0,
    alive && !running ? 12 : 0,
    balanceOf(stream) > covered ? 3 : 0,
    alive ? 1 : 0,
    stream.transferable ? 2 : 0,
    ...TOKEN_EVENT_WEIGHTS,
  ]);
  event?.({ log, random, people, stream, block, time });
  return event !== null;
}

type Event = StreamEvent<FlowStream>;

const deposit: Event = (context) => {
  const { stream, random, people } = context;
  const funder = random.chance(85) ? stream.sender : random.pick(people);
  const amount = monthlyAmount(random, stream.asset) * BigInt(random.int(1, 3));
  stream.deposited += amount;
  recordEvent(context, "Deposit", funder, [funder, null], [amount, null]);
};

const adjust: Event = (context) => {
  const { stream, random } = context;
  const before = stream.rate;
  // From half to double, and never the same.
  const rate = (before * BigInt(random.pick([50, 75, 90, 110, 125, 150, 200]))) / 100n;
  const { sender, recipient } = stream;
  changeRate(context, rate, recordEvent(context, "Adjust", sender, [sender, recipient], [rate, before]));
};

const pause: Event = (context) => {
  const { sender, recipient } = context.stream;
  const owed = debtAt(context.stream, context.time);
  const action = recordEvent(context, "Pause", sender, [sender, recipient], [owed, null]);
  changeRate(context, 0n, action);
  context.stream.paused = action;
};

const restart: Event = (context) => {
  const { stream, random } = context;
  const rate = inventRate(random);
  changeRate(
    context,
    rate,
    recordEvent(context, "Restart", stream.sender, [stream.sender, null], [rate, null]),
  );
  stream.paused = null;
};

const refund: Event = (context) => {
  const { stream, random, time } = context;
  const free = balanceOf(stream) - coveredDebtAt(stream, time);
  const amount = (free * BigInt(random.int(10, 100))) / 100n || 1n;
  stream.refunded += amount;
  recordEvent(context, "Refund", stream.sender, [stream.sender, null], [amount, null]);
};

const voidStream: Event = (context) => {
  const { stream, time } = context;
  const covered = coveredDebtAt(stream, time);
  const forgiven = debtAt(stream, time) - covered;
  const { sender, recipient } = stream;
  const action = recordEvent(context, "Void", recipient, [recipient, sender], [covered, forgiven]);
  changeRate(context, 0n, action);
  stream.forgiven = forgiven;
  stream.voided = action;
  stream.paused ??= action;
};

function changeRate({ stream, time }: EventContext<FlowStream>, rate: bigint, action: Action): void {
  stream.snapshot = scaledAccruedAt(stream, time);
  stream.adjusted = time;
  stream.adjustment = action;
  stream.rate = rate;
}

/** What may happen to a Flow stream, in the order of the weights above. */
const EVENTS: readonly (Event | null)[] = [
  null,
  withdrawal(coveredDebtAt),
  deposit,
  adjust,
  pause,
  restart,
  refund,
  voidStream,
  handOver,
  ...TOKEN_EVENTS,
];
