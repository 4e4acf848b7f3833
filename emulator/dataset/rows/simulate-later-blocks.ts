import type { Row } from "../../styles/read-view.ts";
import type { ChainClock, ChainPace } from "./chain-clock.ts";
import { type Accounting, paymentRow, sentRow } from "./create-accounting.ts";
import { type Batch, batcherRow, batchRow } from "./create-batches.ts";
import type { Action, Transaction } from "./create-event-log.ts";
import type { Write, WrittenTables } from "./create-store-versions.ts";
import type { SimulationState, StreamSimulation } from "./simulation.ts";
import type { Stream } from "./stream.ts";

/** What a chain goes on from. */
export type LaterBlocksOptions<S extends Stream> = {
  readonly state: SimulationState;
  readonly simulation: StreamSimulation<S>;
  readonly history: ChainHistory<S>;
  readonly pace: ChainPace;
  /** The sizes of the creations that happen before the chain's first head, in order. */
  readonly laterSizes: readonly number[];
};

/** How many streams are tried until something happens to one: most are over, one way or another. */
const MOST_TRIES = 12;

/**
 * Simulates the blocks after a history one by one, and gives what is written. What happens depends on the
 * blocks alone, not on how many are asked for at once.
 */
export function simulateLaterBlocks<S extends Stream>(
  options: LaterBlocksOptions<S>,
): WrittenTables["writesUntil"] {
  const { state, simulation, history, pace, laterSizes } = options;
  const { random, clock, log } = state;
  const { chainId, earliestBlock, head } = clock;
  /** Streams that were opened or changed since, by their place in the order of creation. */
  const changed = new Map<number, S>();
  const eventsBeforeHead = pace.between(earliestBlock, head.number).length;
  let reached = earliestBlock;
  let events = 0;
  let created = 0;
  let streams = history.streams.length;
  let actions = history.actions.length;

  /** The size of the creation that happens in this block, 0 when none does. */
  function creationSize(): number {
    const eventsLeft = eventsBeforeHead - events++;
    if (eventsLeft <= 0) return random.chance(10) ? random.pick([1, 1, 1, 1, 2, 4]) : 0;
    const creationsLeft = laterSizes.length - created;
    if (random.int(1, eventsLeft) > creationsLeft) return 0;
    return laterSizes[created++] ?? 0;
  }

  function openStreams(block: number, size: number): S[] {
    const opened = simulation.open({ block, size, progress: 99 }, streams);
    for (const stream of opened) changed.set(streams++, stream);
    return opened;
  }

  /** Lets something happen to one or two streams. */
  function changeStreams(block: number): S[] {
    const touched = new Map<number, S>();
    const most = streams === 0 ? 0 : random.pick([1, 1, 1, 2]);
    for (let tries = 0; tries < MOST_TRIES && touched.size < most; tries++) {
      const place = random.int(0, streams - 1);
      if (touched.has(place)) continue;
      // A copy, because the rows of the history are made of its streams at any time.
      const stream = changed.get(place) ?? copyOf(history.streams[place]);
      if (stream && simulation.simulateEvent(stream, block)) touched.set(place, stream);
    }
    for (const [place, stream] of touched) changed.set(place, stream);
    return [...touched.values()];
  }

  function writesAt(block: number): Write[] {
    const size = creationSize();
    const opened = size > 0 ? openStreams(block, size) : [];
    const touched = size > 0 ? opened : changeStreams(block);
    const logged = log.flush();
    if (logged.actions.length === 0) return [];
    actions += logged.actions.length;
    const writes: Write[] = [];
    const write = (entity: string, row: Write["row"]) =>
      writes.push({ block, entity, id: String(row?.["id"]), row });

    const written = new Set(logged.actions.filter(changesStream).map(({ stream }) => stream));
    for (const stream of touched) if (written.has(stream.id)) write("Stream", simulation.streamRow(stream));
    for (const [entity, rowsOf] of simulation.partRows) {
      for (const row of opened.flatMap(rowsOf)) write(entity, row);
    }
    for (const batch of new Set(opened.map(({ batch }) => batch))) {
      write("Batch", batchRow(batch));
      if (batch.position !== null) write("Batcher", batcherRow(batch.batcher));
    }
    for (const action of logged.actions) write("Action", action);
    write("Watcher", watcherRow(chainId, actions, streams));
    for (const transaction of logged.transactions) writeAccounting(transaction, write);
    return writes;
  }

  function writeAccounting(
    transaction: Transaction,
    write: (entity: string, row: Write["row"]) => void,
  ): void {
    const { accounting } = history.accounting();
    if (accounting.add(transaction)) write("User", accounting.userRow(transaction));
    write("UserTransaction", sentRow(chainId, transaction));
    if (transaction.fee === null) return;
    write("Revenue", accounting.revenueRow(transaction));
    write("RevenueTransaction", paymentRow(chainId, transaction));
  }

  return (until) => {
    const blocks = pace.between(reached, until);
    reached = Math.max(reached, until);
    return blocks.flatMap(writesAt);
  };
}

function copyOf<S extends object>(value: S | undefined): S | undefined {
  return value && { ...value };
}

/** All that happened on a chain up to the first block whose rows can be read. Nothing of it ever changes. */
export type ChainHistory<S extends Stream> = {
  readonly clock: ChainClock;
  /** In order of creation. */
  readonly streams: readonly S[];
  /** In the chain's order. */
  readonly actions: readonly Action[];
  readonly transactions: readonly Transaction[];
  readonly batches: readonly Batch[];
  readonly batcherRows: readonly Row[];
  /** Made when it is first asked for, since a subgraph never asks. */
  readonly accounting: () => HistoryAccounting;
};

export type HistoryAccounting = {
  /** It may be added to later; these rows stay. */
  readonly accounting: Accounting;
  readonly revenueRows: readonly Row[];
  readonly userRows: readonly Row[];
};

/** Whether an event changed the row of its stream; who may handle the token is not part of it. */
export function changesStream({ category }: Action): boolean {
  return category !== "Approval" && category !== "ApprovalForAll";
}

/** The row of the entity `Watcher`, which counts. */
export function watcherRow(chainId: number, actions: number, streams: number): Row {
  return {
    id: String(chainId),
    actionCounter: String(actions),
    chainId: String(chainId),
    streamCounter: String(streams),
  };
}
