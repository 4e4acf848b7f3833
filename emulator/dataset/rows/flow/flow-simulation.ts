import type { Row } from "../../../styles/read-view.ts";
import type { Action } from "../create-event-log.ts";
import type { SimulationState, StreamSimulation } from "../simulation.ts";
import { createContracts, currentGeneration, streamRow } from "../stream.ts";
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
import {
  accrualScale,
  balanceOf,
  coveredDebtAt,
  debtAt,
  depletionTimeOf,
  FIRST_GENERATION_WITH_FEES,
  FLOW_GENERATIONS,
  type FlowStream,
  inventRate,
  monthlyAmount,
  scaledAccruedAt,
} from "./stream.ts";

export function flowSimulation(state: SimulationState): StreamSimulation<FlowStream> {
  const { random, clock, log, batches, accounts, assets } = state;
  const contracts = createContracts(random, FLOW_GENERATIONS);
  const inputs = { log, random, people: accounts.recipients };
  return {
    // One contract and sender, different recipients.
    open: ({ block, size, progress }, after) => {
      const current = currentGeneration(contracts, progress);
      const contract = random.pick(current.contracts);
      const asset = random.pick(assets);
      const sender = random.pick(accounts.senders);
      // Anyone may open a stream for another sender.
      const creator = random.chance(90) ? sender : random.pick(accounts.senders);
      const creation = log.transact(block, creator);
      const batch = batches.open(creation, creator, size);
      return Array.from({ length: size }, (_, position) => {
        const tokenId = contract.nextTokenId();
        const recipient = random.pick(accounts.recipients);
        const rate = inventRate(random);
        const deposited = random.chance(80) ? monthlyAmount(random, asset) * BigInt(random.int(1, 12)) : 0n;
        const id = `${contract.address}-${clock.chainId}-${tokenId}`;
        const facts = { contract: contract.address, stream: id };
        log.record(creation, {
          ...facts,
          category: "Create",
          addresses: [sender, recipient],
          amounts: [rate, null],
        });
        if (deposited > 0n) {
          log.record(creation, {
            ...facts,
            category: "Deposit",
            addresses: [creator, null],
            amounts: [deposited, null],
          });
        }
        return {
          id,
          subgraphId: after + position + 1,
          tokenId,
          contract,
          category: "Flow",
          asset,
          sender,
          recipient,
          creation,
          batch,
          position,
          startTime: creation.timestamp,
          transferable: random.chance(85),
          fees: current.index >= FIRST_GENERATION_WITH_FEES,
          withdrawn: 0n,
          creator,
          deposited,
          refunded: 0n,
          forgiven: 0n,
          rate,
          snapshot: 0n,
          adjusted: creation.timestamp,
          adjustment: null,
          paused: null,
          voided: null,
        };
      });
    },
    simulateEvent: (stream, block) => simulateFlowEvent(stream, block, inputs),
    streamRow: (stream) => flowStreamRow(stream, clock.chainId),
    partRows: new Map(),
  };
}

function flowStreamRow(stream: FlowStream, chainId: number): Row {
  const { adjustment, paused, voided } = stream;
  // Not a spread: ten times as slow for an object with this many fields.
  return Object.assign(streamRow(stream, chainId), {
    availableAmount: String(balanceOf(stream)),
    creator: stream.creator,
    depletionTime: String(depletionTimeOf(stream)),
    depositedAmount: String(stream.deposited),
    forgivenDebt: String(stream.forgiven),
    lastAdjustmentAction: adjustment?.id ?? null,
    lastAdjustmentTimestamp: String(stream.adjusted),
    paused: paused !== null,
    pausedAction: paused?.id ?? null,
    pausedTime: paused?.timestamp ?? null,
    ratePerSecond: String(stream.rate),
    refundedAmount: String(stream.refunded),
    snapshotAmount: String(stream.snapshot),
    voided: voided !== null,
    voidedAction: voided?.id ?? null,
    voidedTime: voided?.timestamp ?? null,
  });
}

/** Simulates an event of a stream at a block. Returns false if nothing happens. */
function simulateFlowEvent(stream: FlowStream, block: number, inputs: EventInputs): boolean {
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
  recordEvent(context, "Deposit", { addresses: [funder, null], amounts: [amount, null] });
};

const adjust: Event = (context) => {
  const { stream, random } = context;
  const before = stream.rate;
  // From half to double, and always different.
  const rate = (before * BigInt(random.pick([50, 75, 90, 110, 125, 150, 200]))) / 100n;
  const { sender, recipient } = stream;
  const facts = { addresses: [sender, recipient], amounts: [rate, before] } as const;
  changeRate(context, rate, recordEvent(context, "Adjust", facts));
};

const pause: Event = (context) => {
  const { sender, recipient } = context.stream;
  const owed = debtAt(context.stream, context.time);
  const action = recordEvent(context, "Pause", { addresses: [sender, recipient], amounts: [owed, null] });
  changeRate(context, 0n, action);
  context.stream.paused = action;
};

const restart: Event = (context) => {
  const { stream, random } = context;
  const rate = inventRate(random);
  const facts = { addresses: [stream.sender, null], amounts: [rate, null] } as const;
  changeRate(context, rate, recordEvent(context, "Restart", facts));
  stream.paused = null;
};

const refund: Event = (context) => {
  const { stream, random, time } = context;
  const free = balanceOf(stream) - coveredDebtAt(stream, time);
  const amount = (free * BigInt(random.int(10, 100))) / 100n || 1n;
  stream.refunded += amount;
  recordEvent(context, "Refund", { addresses: [stream.sender, null], amounts: [amount, null] });
};

const voidStream: Event = (context) => {
  const { stream, time } = context;
  const covered = coveredDebtAt(stream, time);
  const forgiven = debtAt(stream, time) - covered;
  const { sender, recipient } = stream;
  const action = recordEvent(context, "Void", {
    addresses: [recipient, sender],
    amounts: [covered, forgiven],
  });
  changeRate(context, 0n, action);
  if (forgiven > 0n) stream.snapshot = (stream.withdrawn + covered) * accrualScale(stream);
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

/** In the order of the weights above. */
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
