import type { Action, Ledger } from "../create-ledger.ts";
import type { Random } from "../create-random.ts";
import { planEvents } from "../plan-events.ts";
import { protocolFee } from "../protocol-fee.ts";
import { handOver, tokenEvents } from "../token-events.ts";
import { inventRate, monthlyAmount } from "./rate.ts";
import { balanceOf, coveredDebtAt, debtAt, type FlowStream, scaledAccruedAt } from "./stream.ts";

/** Makes up what happens to a stream between its creation and the chain's head. */
export function liveFlowStream(
  stream: FlowStream,
  {
    ledger,
    random,
    people,
    fees,
  }: {
    readonly ledger: Ledger;
    readonly random: Random;
    readonly people: readonly string[];
    /** Whether withdrawals cost a fee. */
    readonly fees: boolean;
  },
): void {
  for (const block of planEvents(random, ledger.clock, stream.creation.block, 5)) {
    const time = ledger.clock.timestampOf(block);
    const covered = coveredDebtAt(stream, time);
    const running = stream.rate > 0n;
    const alive = stream.voided === null;
    const event = random.pickWeighted<Event | null>([
      [1, null],
      [covered > 0n ? 14 : 0, withdraw],
      [alive ? 10 : 0, deposit],
      [running ? 4 : 0, adjust],
      [running ? 3 : 0, pause],
      [alive && !running ? 12 : 0, restart],
      [balanceOf(stream) > covered ? 3 : 0, refund],
      [alive ? 1 : 0, voidStream],
      [stream.transferable ? 2 : 0, handOver],
      ...tokenEvents,
    ]);
    event?.({ stream, ledger, random, people, fees, block, time });
  }
}

type Moment = {
  readonly stream: FlowStream;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly people: readonly string[];
  readonly fees: boolean;
  readonly block: number;
  readonly time: number;
};
type Event = (moment: Moment) => void;

const withdraw: Event = (moment) => {
  const { stream, random, people, fees, time } = moment;
  const share = random.chance(60) ? 100 : random.int(1, 99);
  // At least one unit: a small share of very little is nothing, which no contract pays out.
  const amount = (coveredDebtAt(stream, time) * BigInt(share)) / 100n || 1n;
  const by = random.chance(75) ? stream.recipient : stream.sender;
  const to = by === stream.recipient && random.chance(10) ? random.pick(people) : stream.recipient;
  stream.withdrawn += amount;
  record(moment, "Withdraw", by, [by, to], [null, amount], fees ? protocolFee(random) : null);
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
