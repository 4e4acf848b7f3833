import { cached, once } from "../../../src/base/collections.ts";
import type { Protocol } from "../../../src/dialects/surface.ts";
import type { Row } from "../../styles/read-view.ts";
import { type Asset, assetRows, buildAccounts } from "./build-assets.ts";
import type { ChainClock, ChainPace } from "./chain-clock.ts";
import { ACCOUNTING_ENTITIES, createAccounting } from "./create-accounting.ts";
import { type Batch, batcherRow, batchRow, createBatches } from "./create-batches.ts";
import { type Action, createEventLog } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";
import type { Write, WrittenTable } from "./create-store-versions.ts";
import { flowSimulation } from "./flow/flow-simulation.ts";
import { lockupSimulation } from "./lockup/lockup-simulation.ts";
import { changesStream, simulateLaterBlocks, watcherRow } from "./simulate-later-blocks.ts";
import { planCreations, type SimulationState, type StreamSimulation, splitPlan } from "./simulation.ts";
import type { Stream } from "./stream.ts";

type ChainFacts = {
  readonly seed: string;
  readonly protocol: Protocol;
  readonly chainId: number;
  readonly random: Random;
  readonly clock: ChainClock;
  /** The blocks with events. */
  readonly pace: ChainPace;
  readonly assets: readonly Asset[];
  /** Streams at the chain's first head. */
  readonly count: number;
};

/** Returns the table of an entity; undefined for an entity without rows. */
type ChainRows = (entity: string) => WrittenTable | undefined;

/** Builds the rows of one protocol on one chain, with all earlier and later events. */
export function buildChainRows({ seed, protocol, chainId, ...facts }: ChainFacts): ChainRows {
  const { random, clock, assets } = facts;
  const log = createEventLog(clock, random);
  const batches = createBatches(chainId);
  const state = { random, clock, log, batches, accounts: buildAccounts(seed), assets };
  if (protocol === "lockup") return build(state, lockupSimulation(state), facts);
  if (protocol === "flow") return build(state, flowSimulation(state), facts);
  throw new TypeError(`The dataset has no rows of ${protocol}.`);
}

function build<S extends Stream>(
  state: SimulationState,
  simulation: StreamSimulation<S>,
  { count, pace }: Pick<ChainFacts, "count" | "pace">,
): ChainRows {
  const { random, clock, log } = state;
  const plan = splitPlan(planCreations(random, clock, count));
  const streams: S[] = [];
  for (const creation of plan.history) {
    const opened = simulation.open(creation, streams.length);
    streams.push(...opened);
    for (const stream of opened) {
      for (const block of planEvents(random, clock, creation.block)) simulation.simulateEvent(stream, block);
    }
  }
  const { actions, transactions } = log.flush();
  /** Computed on first use, before later transactions are added; subgraphs never use it. */
  const accounting = once(() => {
    const { add } = createAccounting(clock.chainId);
    const tables = new Map<string, Map<unknown, DatedRow>>();
    for (const transaction of transactions) {
      for (const { entity, row } of add(transaction))
        cached(tables, entity, () => new Map()).set(row["id"], { row, block: transaction.block });
    }
    return { add, rowsOf: (entity: string) => [...(tables.get(entity)?.values() ?? [])] };
  });
  const history = {
    streams,
    actions,
    accounting,
    // Copied now: later batches are added, and batchers keep counting.
    batches: [...state.batches.batches()],
    batchers: state.batches.batchers().map((batcher) => ({ row: batcherRow(batcher), block: batcher.block })),
  };
  const tables = baseTables(state, simulation, history);
  const writesUntil = simulateLaterBlocks(state, simulation, {
    ...history,
    pace,
    laterSizes: plan.laterSizes,
  });
  const unread = new Map<string, Write[]>();
  return (entity) => {
    const table = tables.get(entity);
    if (table === undefined) return undefined;
    return {
      rows: table.rows,
      writtenAt: (row, position) => table.writtenAt(row, position) ?? clock.startBlock,
      writesUntil: (block) => {
        for (const write of writesUntil(block)) cached(unread, write.entity, (): Write[] => []).push(write);
        return unread.get(entity)?.splice(0) ?? [];
      },
    };
  };
}

/** The events of a chain up to the first block with readable rows. */
type History<S extends Stream> = {
  readonly streams: readonly S[];
  readonly actions: readonly Action[];
  readonly accounting: () => { readonly rowsOf: (entity: string) => readonly DatedRow[] };
  readonly batches: readonly Batch[];
  readonly batchers: readonly DatedRow[];
};

function baseTables<S extends Stream>(
  { clock, assets }: SimulationState,
  { streamRow, partRows }: StreamSimulation<S>,
  { streams, actions, accounting, batches, batchers }: History<S>,
): ReadonlyMap<string, Table> {
  const { chainId } = clock;
  const lastActions = once(
    () => new Map(actions.filter(changesStream).map(({ stream, block }) => [stream, Number(block)])),
  );
  const creations = once(() => new Map(streams.map(({ id, creation }) => [id, creation.block])));
  const firstUses = once(
    () => new Map(streams.toReversed().map(({ asset, creation }) => [asset.id, creation.block])),
  );
  const tables = new Map<string, Table>(
    Object.entries({
      Asset: { rows: () => assetRows(assets, chainId), writtenAt: ({ id }) => firstUses().get(String(id)) },
      Watcher: {
        rows: () => [watcherRow(chainId, actions.length, streams.length)],
        writtenAt: () => Number(actions.at(-1)?.block ?? clock.startBlock),
      },
      Stream: { rows: () => streams.map(streamRow), writtenAt: ({ id }) => lastActions().get(String(id)) },
      Action: { rows: () => actions, writtenAt: ({ block }) => Number(block) },
      Batch: {
        rows: () => batches.map(batchRow),
        writtenAt: (_, position) => batches[position]?.creation.block,
      },
      Batcher: datedTable(() => batchers),
    } satisfies Record<string, Table>),
  );
  for (const entity of ACCOUNTING_ENTITIES)
    tables.set(entity, datedTable(once(() => accounting().rowsOf(entity))));
  for (const [entity, rowsOf] of partRows) {
    const writtenAt = ({ stream }: Row) => creations().get(String(stream));
    tables.set(entity, { rows: () => streams.flatMap(rowsOf), writtenAt });
  }
  return tables;
}

/** The rows of an entity, built anew on each call, and their blocks; undefined for the start block. */
type Table = {
  readonly rows: () => readonly Row[];
  readonly writtenAt: (row: Row, position: number) => number | undefined;
};

type DatedRow = { readonly row: Row; readonly block: number };

function datedTable(rows: () => readonly DatedRow[]): Table {
  return {
    rows: () => rows().map(({ row }) => row),
    writtenAt: (_, position) => rows()[position]?.block,
  };
}

const MOST_EVENTS = 5;

/**
 * Plans the blocks of a stream's events: up to five different blocks in ascending order, after its creation and not
 * after the first block with readable rows.
 */
export function planEvents(random: Random, clock: ChainClock, created: number): number[] {
  const blocks: number[] = [];
  for (let left = random.int(0, MOST_EVENTS); left > 0; left--) {
    const block = Math.min(random.int(created + 1, clock.head.number), clock.earliestBlock);
    if (!blocks.includes(block)) blocks.push(block);
  }
  return blocks.sort((a, b) => a - b);
}
