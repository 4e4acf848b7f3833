import type { Row } from "../../../styles/read-view.ts";
import type { SimulationState, StreamSimulation } from "../simulation.ts";
import { createContracts, currentGeneration, streamRow } from "../stream.ts";
import {
  type EventInputs,
  handOver,
  protocolFee,
  recordEvent,
  type StreamEvent,
  TOKEN_EVENT_WEIGHTS,
  TOKEN_EVENTS,
  withdrawal,
} from "../token-events.ts";
import { shapeDeposit } from "./shape-deposit.ts";
import { type Generation, LOCKUP_GENERATIONS, type LockupStream, unlockedAt } from "./stream.ts";

const DAY = 86_400;

/** Exponents as the contracts keep them, with 18 decimals. */
const EXPONENTS = {
  1: "1000000000000000000",
  2: "2000000000000000000",
  3: "3000000000000000000",
} as const;

export function lockupSimulation(state: SimulationState): StreamSimulation<LockupStream> {
  const { random, clock, log, batches, accounts, assets } = state;
  const contracts = createContracts(
    random,
    LOCKUP_GENERATIONS.map(({ releases }) => releases),
  );
  const inputs = { log, random, people: accounts.recipients };
  return {
    // One contract and sender, different recipients.
    open: ({ block, size, progress }, after) => {
      const current = currentGeneration(contracts, progress);
      const generation = LOCKUP_GENERATIONS[current.index] as Generation;
      const contract = random.pick(current.contracts);
      const category = random.pick(contract.categories);
      const asset = random.pick(assets);
      const account = random.pick(accounts.senders);
      const recipients = Array.from({ length: size }, () => random.pick(accounts.recipients));
      const proxy = generation.proxies && random.chance(25) ? random.hex(20) : null;
      const claim = generation.airdrops && size === 1 && random.chance(20);
      const from = claim ? (recipients[0] as string) : account;
      const fee = claim && generation.fees ? protocolFee(random) : null;
      const creation = log.transact(block, from, { claim, fee });
      const sender = proxy ?? account;
      // The contract of an airdrop campaign pays for claimed streams.
      const funder = claim ? random.hex(20) : sender;
      const batch = batches.open(creation, sender, size);
      const shift = random.chance(60) ? 0 : random.int(-60, 240) * DAY;
      const startTime = clock.timestampOf(block) + shift;
      return recipients.map((recipient, position) => {
        const tokenId = contract.nextTokenId();
        const id = `${contract.address}-${clock.chainId}-${tokenId}`;
        const deposit = BigInt(random.int(100_00, 500_000_00)) * (asset.unit / 100n);
        const shape = shapeDeposit(random, category, {
          amount: deposit,
          startTime,
          unlocks: generation.fees,
          isExact: contract.version > "v2.0",
        });
        log.record(creation, {
          category: "Create",
          contract: contract.address,
          stream: id,
          addresses: [sender, recipient],
          amounts: [deposit, null],
        });
        return {
          id,
          subgraphId: after + position + 1,
          tokenId,
          contract,
          category,
          asset,
          sender,
          recipient,
          creation,
          batch,
          position,
          startTime,
          transferable: generation.proxies || random.chance(85),
          fees: generation.fees,
          withdrawn: 0n,
          deposit,
          schedule: shape.schedule,
          endTime: shape.endTime,
          funder,
          proxender: proxy === null ? null : account,
          shape: generation.fees ? shape.name : null,
          linear: shape.linear,
          cancelable: random.chance(75),
          canceled: null,
          returned: 0n,
          renounced: null,
        };
      });
    },
    simulateEvent: (stream, block) => simulateLockupEvent(stream, block, inputs),
    streamRow: (stream) => lockupStreamRow(stream, clock.chainId),
    partRows: new Map([
      ["Segment", (stream: LockupStream) => pieceRows(stream, "LockupDynamic")],
      ["Tranche", (stream: LockupStream) => pieceRows(stream, "LockupTranched")],
    ]),
  };
}

function lockupStreamRow(stream: LockupStream, chainId: number): Row {
  const { canceled, renounced, linear, deposit, endTime } = stream;
  // Not a spread: ten times as slow for an object with this many fields.
  return Object.assign(streamRow(stream, chainId), {
    canceledAction: canceled?.id ?? null,
    renounceAction: renounced?.id ?? null,
    cancelable: stream.cancelable,
    canceled: canceled !== null,
    canceledTime: canceled?.timestamp ?? null,
    depositAmount: String(deposit),
    duration: String(endTime - stream.startTime),
    endTime: String(endTime),
    funder: stream.funder,
    intactAmount: String(deposit - stream.returned - stream.withdrawn),
    proxender: stream.proxender,
    proxied: stream.proxender !== null,
    renounceTime: renounced?.timestamp ?? null,
    shape: stream.shape,
    cliff: linear === null ? null : linear.cliff !== null,
    cliffAmount: linear?.cliff ? String(linear.cliff.amount) : null,
    cliffTime: linear?.cliff ? String(linear.cliff.time) : null,
    initial: linear === null || linear.initial === undefined ? null : linear.initial !== null,
    initialAmount: linear?.initial == null ? null : String(linear.initial),
  });
}

/** The rows of `Segment` or `Tranche`, depending on the category. */
function pieceRows(stream: LockupStream, category: "LockupDynamic" | "LockupTranched"): Row[] {
  if (stream.category !== category) return [];
  const prefix = category === "LockupDynamic" ? "segment" : "tranche";
  return stream.schedule.map(({ amount, startAmount, startTime, endTime, exponent }, position) => {
    const row = {
      id: `${prefix}-${stream.id}-${position}`,
      amount: String(amount),
      endAmount: String(startAmount + amount),
      endTime: String(endTime),
      position: String(position),
      startAmount: String(startAmount),
      startTime: String(startTime),
      stream: stream.id,
    };
    return typeof exponent === "number" ? Object.assign(row, { exponent: EXPONENTS[exponent] }) : row;
  });
}

/** Simulates an event of a stream at a block. Returns false if nothing happens. */
function simulateLockupEvent(stream: LockupStream, block: number, inputs: EventInputs): boolean {
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

function withdrawableAt(stream: LockupStream, time: number): bigint {
  const until = stream.canceled ? Number(stream.canceled.timestamp) : time;
  return unlockedAt(stream, until) - stream.withdrawn;
}

type Event = StreamEvent<LockupStream>;

const cancel: Event = (context) => {
  const { stream, time } = context;
  const { sender, recipient, deposit, withdrawn } = stream;
  const unlocked = unlockedAt(stream, time);
  const amounts = [deposit - unlocked, unlocked - withdrawn] as const;
  stream.returned = amounts[0];
  stream.cancelable = false;
  stream.canceled = recordEvent(context, "Cancel", {
    from: stream.proxender ?? sender,
    addresses: [sender, recipient],
    amounts,
  });
};

const renounce: Event = (context) => {
  const { stream } = context;
  stream.cancelable = false;
  stream.renounced = recordEvent(context, "Renounce", {
    from: stream.proxender ?? stream.sender,
    addresses: [stream.sender, null],
  });
};

/** In the order of the weights above. */
const EVENTS: readonly (Event | null)[] = [
  null,
  withdrawal(withdrawableAt),
  cancel,
  renounce,
  handOver,
  ...TOKEN_EVENTS,
];
