import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { ChainDataset } from "../dataset/dataset.ts";
import type { Row, RowStore } from "../styles/read-view.ts";

/** The versions of all rows of an entity, or of one interval of an aggregation. */
export type NodeTable = {
  readonly entity: string;
  readonly interval?: string;
  readonly versions: readonly Version[];
};

/** What a row was from one block on, until another; null while it still is so. */
type Version = { readonly row: Row; readonly from: number; to: number | null };

/**
 * Reads the rows of a chain at every block whose rows are there up to its first head, as the versions they went through.
 * What a node writes once, it has as it is at that head.
 *
 * @param isImmutable whether rows of an entity are written once, as those of an aggregation are.
 */
export function readNodeTables(
  { definitions }: EntityModel,
  isImmutable: (entity: string) => boolean,
  chain: ChainDataset,
): NodeTable[] {
  const blocks = [
    chain.earliestBlock,
    ...writtenBetween(chain.storeAt, chain.earliestBlock, chain.firstHead),
  ];
  const now = chain.blockAt(chain.firstHead).timestamp;
  return definitions.flatMap(({ kind, name }) => {
    if (kind !== "entity" && kind !== "aggregation") return [];
    const all = readVersions(name, blocks, chain.storeAt);
    const isOnce = kind === "aggregation" || isImmutable(name);
    const versions = isOnce ? all.filter(({ to }) => to === null) : all;
    if (kind === "entity") return [{ entity: name, versions }];
    // Each interval of an aggregation is a table.
    const intervals = [...new Set(versions.map(({ row }) => String(row["interval"])))];
    return intervals.map((interval) => ({
      entity: name,
      interval,
      versions: versions.filter(({ row }) => row["interval"] === interval && !isFilling(row, interval, now)),
    }));
  });
}

/** Seconds. */
const LENGTHS: Readonly<Record<string, number>> = { hour: 3600, day: 86_400 };

/** Whether a bucket is still being filled: a node writes it when it is over. */
function isFilling(row: Row, interval: string, now: number): boolean {
  const start = Number(row["timestamp"]) / 1_000_000;
  return start <= now && now < start + (LENGTHS[interval] ?? 0);
}

type StoreAt = (block: number) => RowStore;

/** The blocks after `from`, up to `to`, at which something was written: between others the store is the same. */
function* writtenBetween(storeAt: StoreAt, from: number, to: number): Generator<number> {
  if (to <= from || storeAt(from) === storeAt(to)) return;
  if (to - from === 1) {
    yield to;
    return;
  }
  const middle = Math.floor((from + to) / 2);
  yield* writtenBetween(storeAt, from, middle);
  yield* writtenBetween(storeAt, middle, to);
}

function readVersions(entity: string, blocks: readonly number[], storeAt: StoreAt): Version[] {
  const versions: Version[] = [];
  let current = new Map<string, Version>();
  let rows: readonly Row[] = [];
  for (const block of blocks) {
    const store = storeAt(block);
    const rowsNow = store.rows(entity);
    if (rowsNow === rows) continue;
    rows = rowsNow;
    const next = new Map<string, Version>();
    for (const row of rows) {
      const id = String(row["id"]);
      const known = current.get(id);
      if (known?.row === row) {
        next.set(id, known);
        continue;
      }
      const version: Version = { row, from: store.writtenAt(entity, id), to: null };
      versions.push(version);
      next.set(id, version);
    }
    for (const [id, version] of current) if (next.get(id) !== version) version.to = block;
    current = next;
  }
  return versions;
}
