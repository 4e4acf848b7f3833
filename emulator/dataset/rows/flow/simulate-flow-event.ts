import type { Action } from "../create-event-log.ts";
import { protocolFee } from "../protocol-fee.ts";
import { handOver, type Scene, TOKEN_EVENT_WEIGHTS, TOKEN_EVENTS } from "../token-events.ts";
import { inventRate, monthlyAmount } from "./rate.ts";
import { balanceOf, coveredDebtAt, debtAt, type FlowStream, scaledAccruedAt } from "./stream.ts";

/** Makes up what happens to a stream at a block; false when nothing does. */
export function liveFlowStream(stream: FlowStream, block: number, scene: Scene): boolean {
  const { ledger, random, people } = scene;
  const time = ledger.clock.timestampOf(block);
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
  event?.({ ledger, random, people, stream, block, time });
  return event !== null;
}

type Moment = Scene & { readonly stream: FlowStream; readonly block: number; readonly time: number };
type Event = (moment: Moment) => void;

const withdraw: Event = (moment) => {
  const { stream, random, people, time } = moment;
  const share = random.chance(60) ? 100 : random.int(1, 99);
  // At least one unit: a small share of very little is nothing, which no contract pays out.
  const amount = (coveredDebtAt(stream, time) * BigInt(share)) / 100n || 1n;
  const by = random.chance(75) ? stream.recipient : stream.sender;
  const to = by === stream.recipient && random.chance(10) ? random.pick(people) : stream.recipient;
  stream.withdrawn += amount;
  record(moment, "Withdraw", by, [by, to], [null, amount], stream.fees ? protocolFee(random) : null);
};

const deposit: Event = (moment) => {
  const { stream, random, people } = moment;
  const funder = random.chance(85) ? stream.sender : random.pick(people);
  const amount = monthlyAmount(random, stream.asset) * BigInt(random.int(1, 3));
  stream.deposited += amount;
  record(moment, "Deposit", funder, [funder, null], [amount, null]);
};

const adjust: Event = (moment) => {
  const { stream, random } = moment;
  const before = stream.rate;
  // From half to double, and never the same.
  const rate = (before * BigInt(random.pick([50, 75, 90, 110, 125, 150, 200]))) / 100n;
  const { sender, recipient } = stream;
  changeRate(moment, rate, record(moment, "Adjust", sender, [sender, recipient], [rate, before]));
};

const pause: Event = (moment) => {
  const { sender, recipient } = moment.stream;
  const owed = debtAt(moment.stream, moment.time);
  const action = record(moment, "Pause", sender, [sender, recipient], [owed, null]);
  changeRate(moment, 0n, action);
  moment.stream.paused = action;
};

const restart: Event = (moment) => {
  const { stream, random } = moment;
  const rate = inventRate(random);
  changeRate(moment, rate, record(moment, "Restart", stream.sender, [stream.sender, null], [rate, null]));
  stream.paused = null;
};

const refund: Event = (moment) => {
  const { stream, random, time } = moment;
  const free = balanceOf(stream) - coveredDebtAt(stream, time);
  const amount = (free * BigInt(random.int(10, 100))) / 100n || 1n;
  stream.refunded += amount;
  record(moment, "Refund", stream.sender, [stream.sender, null], [amount, null]);
};

const voidStream: Event = (moment) => {
  const { stream, time } = moment;
  const kept = coveredDebtAt(stream, time);
  const forgiven = debtAt(stream, time) - kept;
  const { sender, recipient } = stream;
  const action = record(moment, "Void", recipient, [recipient, sender], [kept, forgiven]);
  changeRate(moment, 0n, action);
  stream.forgiven = forgiven;
  stream.voided = action;
  stream.paused ??= action;
};

function changeRate({ stream, time }: Moment, rate: bigint, action: Action): void {
  stream.snapshot = scaledAccruedAt(stream, time);
  stream.adjusted = time;
  stream.adjustment = action;
  stream.rate = rate;
}

function record(
  { stream, ledger, block }: Moment,
  category: string,
  from: string,
  addresses: readonly [string, string | null],
  amounts: readonly [bigint | null, bigint | null],
  fee: bigint | null = null,
): Action {
  return ledger.record(ledger.transact(block, from, { fee }), {
    category,
    contract: stream.contract.address,
    stream: stream.id,
    addresses,
    amounts,
  });
}

/** What may happen to a Flow stream, in the order of the weights above. */
const EVENTS: readonly (Event | null)[] = [
  null,
  withdraw,
  deposit,
  adjust,
  pause,
  restart,
  refund,
  voidStream,
  handOver,
  ...TOKEN_EVENTS,
];
