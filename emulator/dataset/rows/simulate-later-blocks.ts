import type { Row } from "../../styles/read-view.ts";
import type { ChainClock, ChainPace } from "./chain-clock.ts";
import { type Accounting, paymentRow, sentRow } from "./create-accounting.ts";
import { type Batch, batcherRow, batchRow } from "./create-batches.ts";
import type { Action, Transaction } from "./create-event-log.ts";
import type { Write, WrittenTables } from "./create-store-versions.ts";
import type { SimulationState, StreamSimulation } from "./simulation.ts";
import type { Stream } from "./stream.ts";

type LaterBlocksOptions<S extends Stream> = {
  readonly state: SimulationState;
  readonly simulation: StreamSimulation<S>;
  readonly history: ChainHistory<S>;
  readonly pace: ChainPace;
  /** The sizes of the creations before the chain's first head, in order. */
  readonly laterSizes: readonly number[];
};

/** Most streams are over, so several are tried until one changes. */
const MOST_TRIES = 12;

/**
 * Simulates the blocks after a history and returns their writes. Events depend on the blocks alone, not on how many
 * are requested at once.
 */
export function simulateLaterBlocks<S extends Stream>(
  options: LaterBlocksOptions<S>,
): WrittenTables["writesUntil"] {
  const { state, simulation, history, pace, laterSizes } = options;
  const { random, clock, log } = state;
  const { chainId, earliestBlock, head } = clock;
  /** Streams opened or changed since, by their index in order of creation. */
  const changed = new Map<number, S>();
  const eventsBeforeHead = pace.between(earliestBlock, head.number).length;
  let reached = earliestBlock;
  let events = 0;
  let created = 0;
  let streams = history.streams.length;
  let actions = history.actions.length;

  /** The size of this block's creation; 0 without one. */
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

  function changeStreams(block: number): S[] {
    const touched = new Map<number, S>();
    const most = streams === 0 ? 0 : random.pick([1, 1, 1, 2]);
    for (let tries = 0; tries < MOST_TRIES && touched.size < most; tries++) {
      const place = random.int(0, streams - 1);
      if (touched.has(place)) continue;
      // Copied: rows of the history may be built from its streams at any time.
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

/** All events of a chain up to the first block with readable rows. Immutable. */
export type ChainHistory<S extends Stream> = {
  readonly clock: ChainClock;
  /** In order of creation. */
  readonly streams: readonly S[];
  /** In the chain's order. */
  readonly actions: readonly Action[];
  readonly transactions: readonly Transaction[];
  readonly batches: readonly Batch[];
  readonly batcherRows: readonly Row[];
  /** Computed on first use; subgraphs never use it. */
  readonly accounting: () => HistoryAccounting;
};

export type HistoryAccounting = {
  /** Grows later; the rows here do not. */
  readonly accounting: Accounting;
  readonly revenueRows: readonly Row[];
  readonly userRows: readonly Row[];
};

/** Whether an event changed its stream's row; approvals do not. */
export function changesStream({ category }: Action): boolean {
  return category !== "Approval" && category !== "ApprovalForAll";
}

/** The row of the entity `Watcher`, with its counters. */
export function watcherRow(chainId: number, actions: number, streams: number): Row {
  return {
    id: String(chainId),
    actionCounter: String(actions),
    chainId: String(chainId),
    streamCounter: String(streams),
  };
}
