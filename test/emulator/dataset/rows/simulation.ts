import { chainContent } from "../../../../emulator/dataset/rows/chain-dataset.ts";
import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import { PROTOCOLS, type Protocol } from "../../../../src/project/vocabulary.ts";

export const SEED = "a test";
export const CHAINS = [1, 56, 11155111];

/** Blocks of a chain's history by what they are. */
export const MOMENTS = {
  "the first block that is kept": ({ earliestBlock }) => earliestBlock,
  "a block of the past": ({ firstHead }) => firstHead - 123,
  "the first head": ({ firstHead }) => firstHead,
  "a block to come": ({ firstHead }) => firstHead + 1000,
} satisfies Record<string, (chain: Chain) => number>;

export type MomentName = keyof typeof MOMENTS;

type Chain = { readonly earliestBlock: number; readonly firstHead: number };

/** Every protocol on every chain at the first head, and on the first chain at every moment. */
export const WORLDS = PROTOCOLS.flatMap((protocol) =>
  CHAINS.flatMap((chainId) =>
    (Object.keys(MOMENTS) as MomentName[])
      .filter((moment) => chainId === CHAINS[0] || moment === "the first head")
      .map((moment) => [protocol, chainId, moment] as const),
  ),
);

/** Those of one protocol. */
export function worldsOf(protocol: Protocol) {
  return WORLDS.filter(([one]) => one === protocol);
}

const contents = new Map<string, ReturnType<typeof chainContent>>();

/** The rows of one protocol on one chain at one block, and questions about them. */
export function world(protocol: Protocol, chainId: number, moment: MomentName) {
  const key = `${protocol} ${chainId}`;
  const content = contents.get(key) ?? chainContent({ seed: SEED, protocol, chainId, streams: null });
  contents.set(key, content);
  const head = content.blockAt(MOMENTS[moment](content));
  const store = content.storeAt(head.number);
  const { rows } = store;
  const byId = (entity: string) => new Map(rows(entity).map((row) => [text(row, "id"), row]));
  return { chainId, content, store, rows, byId, head };
}

export type World = ReturnType<typeof world>;

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

/** The actions of a stream with these categories, in the chain's order. */
export function actionsOf({ rows }: World): (stream: Row, ...categories: string[]) => Row[] {
  const byStream = groupBy(rows("Action"), "stream");
  return (stream, ...categories) =>
    (byStream.get(text(stream, "id")) ?? []).filter((action) =>
      categories.includes(text(action, "category")),
    );
}
