import { chainDataset } from "../../../../emulator/dataset/rows/chain-dataset.ts";
import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import type { Protocol } from "../../../../src/dialects/surface.ts";

export const SEED = "a test";
export const CHAINS = [1, 56, 11155111];

/** Named blocks of a chain's history. */
export const BLOCKS = {
  "the first readable block": ({ earliestBlock }) => earliestBlock,
  "a past block": ({ firstHead }) => firstHead - 123,
  "the first head": ({ firstHead }) => firstHead,
  "a future block": ({ firstHead }) => firstHead + 1000,
} satisfies Record<string, (chain: Chain) => number>;

export type BlockName = keyof typeof BLOCKS;

type Chain = { readonly earliestBlock: number; readonly firstHead: number };

type SampleOptions = {
  readonly protocol: Protocol;
  readonly chainId: number;
  readonly at: BlockName;
  readonly seed: string;
  /** The number of streams at the first head; null for the default. */
  readonly streams: number | null;
};

/** Every chain of a protocol at the first head, the first chain at every named block, and some of other seeds. */
export function samplesOf(protocol: Protocol, seeds: number): readonly SampleOptions[] {
  const names = Object.keys(BLOCKS) as BlockName[];
  const usual = CHAINS.flatMap((chainId) =>
    names
      .filter((at) => chainId === CHAINS[0] || at === "the first head")
      .map((at) => ({ protocol, chainId, at, seed: SEED, streams: null })),
  );
  const others = Array.from({ length: seeds }, (_, n) => ({
    protocol,
    chainId: [10, 137, 59144][n % 3] ?? 10,
    at: names[(n + 2) % names.length] ?? "the first head",
    seed: `seed ${n}`,
    streams: 1 + ((n * 37) % 80),
  }));
  return [...usual, ...others];
}

const datasets = new Map<string, ReturnType<typeof chainDataset>>();

/** Returns the rows of one protocol on one chain at one block, with lookups. */
export function sample({ at, ...options }: SampleOptions) {
  const key = JSON.stringify(options);
  const dataset = datasets.get(key) ?? chainDataset(options);
  datasets.set(key, dataset);
  const head = dataset.blockAt(BLOCKS[at](dataset));
  const store = dataset.storeAt(head.number);
  const { rows } = store;
  const byId = (entity: string) => new Map(rows(entity).map((row) => [text(row, "id"), row]));
  return { dataset, store, rows, byId, head };
}

export type Sample = ReturnType<typeof sample>;

export function text(row: Row | undefined, field: string): string {
  const value = row?.[field];
  if (typeof value !== "string") throw new TypeError(`${field} is ${JSON.stringify(value)}, not text.`);
  return value;
}

export function big(row: Row | undefined, field: string): bigint {
  return BigInt(text(row, field));
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

export function groupBy(rows: readonly Row[], field: string): Map<RowValue, Row[]> {
  const groups = new Map<RowValue, Row[]>();
  for (const row of rows) {
    const value = row[field] ?? null;
    const group = groups.get(value);
    if (group) group.push(row);
    else groups.set(value, [row]);
  }
  return groups;
}

/** Returns a function that selects the actions of a stream in the chain's order, all or those of categories. */
export function actionsOf({ rows }: Sample): (stream: Row, ...categories: string[]) => Row[] {
  const byStream = groupBy(rows("Action"), "stream");
  return (stream, ...categories) =>
    (byStream.get(text(stream, "id")) ?? []).filter(
      ({ category }) => categories.length === 0 || categories.includes(String(category)),
    );
}
