import type { ChainRoute, StyleName } from "../manifest/manifest-types.ts";
import type { Client } from "./client-types.ts";
import { type FetchResponse, systemTime } from "./platform.ts";
import { FORMAT, IS_SHARED, type PortableOperation } from "./portable-operation.ts";
import type { Data } from "./read-answer.ts";
import { isObject } from "./values.ts";

/** The block of an answer. */
export type Head = {
  /** The block number. */
  readonly block: number;
  /** Null if the indexer does not return it. */
  readonly hash: `0x${string}` | null;
  /** The timestamp in seconds since 1970; null if the indexer does not return it. */
  readonly time: number | null;
  /** Seconds since that block; null if it can be neither computed nor estimated. */
  readonly lag: number | null;
  /** Whether `lag` is estimated from `behindBlocks`, because the indexer does not return the timestamp. */
  readonly isEstimate: boolean;
  /** How many blocks the chain is ahead; null if the indexer does not return it. */
  readonly behindBlocks: number | null;
};

/** The head of an indexer on a chain, and the row from which it was parsed. */
export type Progress = { readonly head: Head; readonly row: Data };

/** The field that returns the head block, by style. */
type HeadField = {
  readonly key: string;
  readonly text: (chainIds: readonly number[]) => string;
};

const HEADS: Readonly<Record<StyleName, HeadField>> = {
  multichain: {
    key: "lockflow",
    text: (chainIds) =>
      `lockflow: chain_metadata(where: {chain_id: {_in: [${chainIds}]}}) { chain_id latest_processed_block block_height }`,
  },
  subgraph: {
    key: "_meta",
    text: () => "_meta(block: $block) { block { number hash timestamp } hasIndexingErrors }",
  },
};

/** Adds the head field to an operation, at the end of its selection: the first brace at the left margin. */
export function addHeads(text: string, style: StyleName, chainIds: readonly number[]): string {
  return text.replace("\n}", () => `\n  ${HEADS[style].text(chainIds)}\n}`);
}

/**
 * Removes the head field from an answer, and parses it.
 *
 * @returns a function from a chain to its head, or to undefined if the indexer has no data for it; null without heads.
 */
export function takeHeads(
  data: Data,
  style: StyleName,
  now: number,
): ((chain: ChainRoute) => Progress | undefined) | null {
  const { key } = HEADS[style];
  const isShared = IS_SHARED[style];
  const found = data[key];
  delete data[key];
  if (isShared) {
    if (!Array.isArray(found)) return null;
    return (chain) =>
      readProgress(
        found.find((row) => isObject(row) && row["chain_id"] === chain.chainId),
        { chain, isShared },
        now,
      );
  }
  const isRead = readProgress(found, { isShared }, now);
  return isRead ? (chain) => readProgress(found, { chain, isShared }, now) : null;
}

/** @param isShared whether a missing number says that the indexer has not started, whose block is -1. */
function readProgress(
  row: unknown,
  { chain, isShared }: { readonly chain?: ChainRoute; readonly isShared: boolean },
  now: number,
): Progress | undefined {
  if (!isObject(row)) return undefined;
  const own = isObject(row["block"]) ? row["block"] : {};
  const chainHead = numberOf(row["block_height"]);
  const latest = chainHead === null ? null : numberOf(row["latest_processed_block"]);
  const block = isShared ? (latest ?? -1) : numberOf(own["number"]);
  if (block === null) return undefined;
  const time = numberOf(own["timestamp"]);
  const behindBlocks = chainHead === null ? null : Math.max(0, chainHead - block);
  const seconds = chain?.secondsPerBlock ?? null;
  const estimate = behindBlocks === null || seconds === null || block < 0 ? null : behindBlocks * seconds;
  return {
    row,
    head: {
      block,
      hash: typeof own["hash"] === "string" ? (own["hash"] as `0x${string}`) : null,
      time,
      lag: time === null ? estimate : Math.max(0, now / 1000 - time),
      isEstimate: time === null && estimate !== null,
      behindBlocks,
    },
  };
}

/** Null if the value is not a number. */
export function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** When answers were sent, by the clock of the host. */
const times = /* @__PURE__ */ new WeakMap<Data, number>();

/** Stores when an answer was sent: `Date`, plus `Age` if a cache returned it. */
export function keepTime(data: Data, headers: FetchResponse["headers"]): void {
  times.set(data, Date.parse(headers.get("date") ?? "") + Number(headers.get("age")) * 1000);
}

/** Returns when an answer was sent, in milliseconds since 1970. Clocks of devices may be wrong by hours. */
export function timeOf({ now }: Client, data: Data): number {
  return (now === systemTime && times.get(data)) || now();
}

/** The field with the time at which a multichain indexer first had all blocks. */
export const CAUGHT_UP = "timestamp_caught_up_to_head_or_endblock";

/** Returns an operation that only requests the head blocks of chains. */
export function healthOperation<P extends string>(
  protocol: P,
  chainIds: readonly number[],
): PortableOperation<P, Record<string, unknown>, object, "one"> {
  return {
    format: FORMAT,
    name: HEALTH,
    protocol,
    multichain: addHeads("query Health {\n}", "multichain", chainIds).replace(
      "block_height",
      `$& ${CAUGHT_UP}`,
    ),
    subgraph: addHeads("query Health($block: Block_height) {\n}", "subgraph", chainIds),
    past: "subgraph",
    numbers: null,
  };
}

/** The name of the health operation: not a valid GraphQL name, so that no other operation has it. */
export const HEALTH = "health()";
