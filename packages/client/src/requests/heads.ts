import type { Client } from "../client/client-types.ts";
import { FORMAT, IS_SHARED, type PortableOperation } from "../client/portable-operation.ts";
import { isObject } from "../client/values.ts";
import type { ChainRoute, StyleName } from "../manifest/manifest-types.ts";
import { type FetchResponse, systemTime } from "./platform.ts";
import type { Data } from "./read-answer.ts";

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

/** Adds the head field to an operation, at the end of its selection: the first brace at the left margin. */
export function addHeads(text: string, style: StyleName, chainIds: readonly number[], at = "$block"): string {
  const field = IS_SHARED[style]
    ? `lockflow: chain_metadata(where: {chain_id: {_in: [${chainIds}]}}) { chain_id latest_processed_block block_height }`
    : `_meta${at && `(block: ${at})`} { block { number hash timestamp } hasIndexingErrors }`;
  return text.replace("\n}", () => `\n  ${field}\n}`);
}

/**
 * Removes the head field from an answer.
 *
 * @returns a function from a chain to the row of its head; null without heads.
 */
export function takeHeads(data: Data, style: StyleName): ((chain: ChainRoute) => unknown) | null {
  const { _meta, lockflow } = data;
  delete data["_meta"];
  delete data["lockflow"];
  if (!IS_SHARED[style]) return isObject(_meta) ? () => _meta : null;
  if (!Array.isArray(lockflow)) return null;
  return ({ chainId }) => lockflow.find((row) => numberOf(Object(row).chain_id) === chainId);
}

/** Parses the row of a head; null if the indexer has no data for the chain. */
export function readHead(
  row: unknown,
  style: StyleName,
  { chain, now }: { readonly chain: ChainRoute; readonly now: () => number },
): Head | null {
  if (!isObject(row)) return null;
  const { number, hash, timestamp }: Data = Object(row["block"]);
  const chainHead = numberOf(row["block_height"]);
  const latest = chainHead === null ? null : numberOf(row["latest_processed_block"]);
  // A multichain indexer without these numbers has not started.
  const block = IS_SHARED[style] ? (latest ?? -1) : numberOf(number);
  if (block === null) return null;
  const time = numberOf(timestamp);
  const behindBlocks = chainHead === null ? null : Math.max(0, chainHead - block);
  const { secondsPerBlock } = chain;
  const estimate =
    behindBlocks === null || !secondsPerBlock || block < 0 ? null : behindBlocks * secondsPerBlock;
  return {
    block,
    hash: typeof hash === "string" ? (hash as `0x${string}`) : null,
    time,
    lag: time === null ? estimate : Math.max(0, now() / 1000 - time),
    isEstimate: time === null && estimate !== null,
    behindBlocks,
  };
}

/** Returns a whole number, which some indexers send as text; null if the value is not exactly one. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** The headers of answers, which contain when they were sent. */
const sent = /* @__PURE__ */ new WeakMap<Data, FetchResponse["headers"]>();

/** Stores the headers of an answer. */
export function keepHeaders(data: Data, headers: FetchResponse["headers"]): void {
  sent.set(data, headers);
}

/**
 * Returns when an answer was sent, in milliseconds since 1970: `Date`, plus `Age` if a cache returned it. Clocks of devices
 * may be wrong by hours.
 */
export function timeOf({ now }: Client, data: Data): number {
  const headers = now === systemTime ? sent.get(data) : undefined;
  return Date.parse(headers?.get("date") ?? "") + Number(headers?.get("age")) * 1000 || now();
}

/** Returns an operation that requests nothing but the last head block, which the client adds. */
export function headOperation<P extends string>(
  protocol: P,
): PortableOperation<P, Record<string, unknown>, object, "one"> {
  const text = "query Health {\n}";
  return { format: FORMAT, name: HEALTH, protocol, multichain: text, subgraph: text, at: "" };
}

/** The name of the health operation: not a valid GraphQL name, so that no other operation has it. */
export const HEALTH = "health()";
