import type { Row } from "../../styles/read-view.ts";
import type { ChainPace } from "./chain-clock.ts";
import type { Accounting } from "./create-accounting.ts";
import { batcherRow, batchRow } from "./create-batches.ts";
import type { Action } from "./create-event-log.ts";
import type { Write } from "./create-store-versions.ts";
import type { SimulationState, StreamSimulation } from "./simulation.ts";
import type { Stream } from "./stream.ts";

/** The events of a chain up to the first block with readable rows, and the plan of later ones. */
type EarlierEvents<S extends Stream> = {
  /** In order of creation. */
  readonly streams: readonly S[];
  readonly actions: readonly Action[];
  readonly accounting: () => Accounting;
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
  { random, clock, log }: SimulationState,
  simulation: StreamSimulation<S>,
  history: EarlierEvents<S>,
): (until: number) => readonly Write[] {
  const { accounting, pace, laterSizes } = history;
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
    for (const transaction of logged.transactions) {
      for (const { entity, row } of accounting().add(transaction)) write(entity, row);
    }
    return writes;
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
