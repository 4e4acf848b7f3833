import type { GraphQLSchema } from "graphql";
import { getNamedType } from "graphql";
import { healthOperation } from "../../packages/client/src/calls/health.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import { FORMAT } from "../../packages/client/src/client/portable-operation.ts";
import type { Head } from "../../packages/client/src/requests/heads.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import type { Protocol } from "../dialects/surface.ts";
import type { AnyPortableOperation } from "../generate/portable/portable-operation.ts";
import { type ChainCall, type FoundBlock, unreadable } from "./asked-rows.ts";

/** The list of an indexer that has a row for every change, with its block and time. */
export type ClockList = {
  readonly protocol: Protocol;
  readonly root: string;
  readonly block: string;
  readonly time: string;
  /** Whether times are numbers of 32 bits. */
  readonly isInt: boolean;
};

/** Finds the list of a clock in the schema of a subgraph; null without one. */
export function findClock(
  protocol: Protocol,
  clock: ResolvedProtocol["clock"],
  schema: GraphQLSchema,
): ClockList | null {
  if (clock === null) return null;
  const { entity, block, time } = clock;
  const list = Object.values(schema.getQueryType()?.getFields() ?? {}).find(
    ({ type, args }) => getNamedType(type).name === entity && args.some(({ name }) => name === "orderBy"),
  );
  const type = list && getNamedType(list.type);
  const field = type && "getFields" in type ? type.getFields()[time] : undefined;
  if (list === undefined || field === undefined) return null;
  return { protocol, root: list.name, block, time, isInt: getNamedType(field.type).name === "Int" };
}

/**
 * Finds the block of a chain whose rows are those of a time: the block of the last change before it. If that block is
 * pruned, it is the last one before the next change.
 *
 * @param time in seconds since 1970.
 * @throws IndexerError, `behind` if the indexer has not passed the time.
 */
export async function findBlock(
  client: Client,
  clock: ClockList,
  {
    chain,
    time,
    signal,
  }: Pick<ChainCall, "chain"> & Partial<Pick<ChainCall, "signal">> & { readonly time: number },
): Promise<FoundBlock> {
  const { protocol } = clock;
  const options = { chain, signal, style: "subgraph" } as const;
  const full = { ...client, freshness: true };
  const { data, head } = await run(full, clockOperation(clock, time), {}, options);
  const before = readChange(data["before"], clock, chain);
  const after = readChange(data["after"], clock, chain);
  // Later blocks may have the time of the head.
  if (after === null && (head?.time ?? 0) <= time) throw behind(chain, head);
  if (before === null) {
    const first = after === null ? "" : `; the first change is of ${timeText(after.time)}`;
    return { block: null, notice: `${chain}: no rows at that time${first}` };
  }
  const { block } = before;
  const text = `block ${block} of ${timeText(before.time)}`;
  const last = after === null ? (head?.block ?? block) : after.block - 1;
  for (const number of new Set([block, Math.max(block, last)])) {
    if (!(await hasBlock(full, protocol, { ...options, block: { number } }))) continue;
    const shown = number === block ? text : `block ${number}, unchanged since the pruned ${text}`;
    return { block: { number }, notice: `${chain}: ${shown}` };
  }
  throw new IndexerError("pruned", `The subgraph of ${chain} does not have ${text} any more.`, {
    style: "subgraph",
  });
}

/** Builds the operation that requests the last change before a time, and the next one. */
function clockOperation(
  { protocol, root, block, time, isInt }: ClockList,
  seconds: number,
): AnyPortableOperation {
  const value = isInt ? String(seconds) : `"${seconds}"`;
  const list = (key: string, test: string, direction: string) =>
    `  ${key}: ${root}(where: { ${time}_${test}: ${value} }, orderBy: ${block}, orderDirection: ${direction}, first: 1) { ${block} ${time} }`;
  return {
    format: FORMAT,
    name: "BlockAt",
    protocol,
    multichain: "",
    numbers: null,
    at: "",
    subgraph: `query BlockAt {\n${list("before", "lte", "desc")}\n${list("after", "gt", "asc")}\n}`,
  };
}

type Change = { readonly block: number; readonly time: number };

/** Reads the only row of a list; null if it is empty. */
function readChange(rows: unknown, { block, time }: ClockList, chain: string): Change | null {
  const [row, ...others] = Array.isArray(rows)
    ? (rows as readonly Readonly<Record<string, unknown>>[])
    : [{}, {}];
  if (row === undefined) return null;
  const change = { block: Number(row[block] ?? Number.NaN), time: Number(row[time] ?? Number.NaN) };
  if (others.length > 0 || !Object.values(change).every(Number.isSafeInteger))
    throw unreadable(chain, "subgraph");
  return change;
}

/** Returns whether an indexer has a block before its head. */
async function hasBlock(
  client: Client,
  protocol: Protocol,
  options: Partial<ChainCall> & Pick<ChainCall, "chain">,
): Promise<boolean> {
  try {
    await run(client, healthOperation(protocol), {}, options);
    return true;
  } catch (error) {
    // A gateway reports every missing block in one way.
    if (error instanceof IndexerError && (error.code === "pruned" || error.code === "behind")) return false;
    throw error;
  }
}

function behind(chain: string, head: Head | null): IndexerError {
  const time = head?.time == null ? ", whose time it does not return" : ` of ${timeText(head.time)}`;
  const reached = head === null ? "" : ` ${head.block}${time}`;
  return new IndexerError("behind", `${chain} has only reached block${reached}.`, { style: "subgraph" });
}

/** Renders a time in seconds as `2025-06-30T00:00:00Z`. */
export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}
