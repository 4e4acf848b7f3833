import { chainDataset } from "../../../../emulator/dataset/rows/chain-dataset.ts";
import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import type { Protocol } from "../../../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../../../src/project/protocols.ts";

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

/** Every protocol on every chain at the first head, and on the first chain at every named block. */
export const SAMPLES = BUILT_IN_PROTOCOLS.flatMap((protocol) =>
  CHAINS.flatMap((chainId) =>
    (Object.keys(BLOCKS) as BlockName[])
      .filter((at) => chainId === CHAINS[0] || at === "the first head")
      .map((at) => [protocol, chainId, at] as const),
  ),
);

/** Returns the samples of one protocol. */
export function samplesOf(protocol: Protocol) {
  return SAMPLES.filter(([one]) => one === protocol);
}

const datasets = new Map<string, ReturnType<typeof chainDataset>>();

/** Returns the rows of one protocol on one chain at one block, with lookups. */
export function sample(protocol: Protocol, chainId: number, at: BlockName) {
  const key = `${protocol} ${chainId}`;
  const dataset = datasets.get(key) ?? chainDataset({ seed: SEED, protocol, chainId, streams: null });
  datasets.set(key, dataset);
  const head = dataset.blockAt(BLOCKS[at](dataset));
  const store = dataset.storeAt(head.number);
  const { rows } = store;
  const byId = (entity: string) => new Map(rows(entity).map((row) => [text(row, "id"), row]));
  return { chainId, dataset, store, rows, byId, head };
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

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
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

/** Returns a function that selects the actions of a stream by category, in the chain's order. */
export function actionsOf({ rows }: Sample): (stream: Row, ...categories: string[]) => Row[] {
  const byStream = groupBy(rows("Action"), "stream");
  return (stream, ...categories) =>
    (byStream.get(text(stream, "id")) ?? []).filter((action) =>
      categories.includes(text(action, "category")),
    );
}
