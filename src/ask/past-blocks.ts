import type { Client } from "../../packages/client/src/client/client-types.ts";
import { listSome } from "../base/clean-text.ts";
import { UsageError } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import { type Chain, findChain } from "../project/chain.ts";
import type { BlockFinder, FoundBlock } from "./asked-rows.ts";
import { type ClockList, findBlock, timeText } from "./find-block.ts";
import { isRelativeTime, parseTime, TIME_FORMS } from "./parse-time.ts";

/** A block in a table of a user. */
export type ListedBlock = {
  /** The key, the id or another name of the chain. */
  readonly chain: string;
  /** Its number. */
  readonly block: number;
  /** In seconds since 1970; null if it is not in the table. */
  readonly time: number | null;
};

/**
 * Parses a table of blocks: CSV with the columns `chain` and `block`, and `timestamp` in seconds or as a time in UTC.
 *
 * @param name the name of the file in errors.
 * @throws UsageError for anything else.
 */
export function parseBlockTable(text: string, name: string): readonly ListedBlock[] {
  const [head = "", ...lines] = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trim());
  const cellsOf = (line: string) => line.split(",").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  const names = cellsOf(head);
  const [chainAt, blockAt, timeAt] = ["chain", "block", "timestamp"].map((column) => names.indexOf(column));
  if (chainAt === undefined || blockAt === undefined || chainAt < 0 || blockAt < 0) {
    throw new UsageError({
      sentence: `The first line of ${name} must name the columns chain and block.`,
      hint: "write, for example, chain,block,timestamp.",
    });
  }
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const cells = cellsOf(line);
    const [chain = "", block = "", cell = ""] = [chainAt, blockAt, timeAt ?? -1].map((at) => cells[at]);
    const time = /^\d{1,12}$/.test(cell) ? Number(cell) : parseTime(cell.replace(" ", "T"), Number.NaN);
    const isTime = cell === "" || (time !== null && !Number.isNaN(time));
    if (chain !== "" && /^\d{1,10}$/.test(block) && Number(block) < 2 ** 31 && isTime)
      return [{ chain, block: Number(block), time }];
    throw new UsageError({
      sentence: `Line ${index + 2} of ${name} must have a chain${timeAt === -1 ? " and a block number" : ", a block number and a time"}; got "${displayText(line, [])}".`,
    });
  });
}

/** The requested past blocks: those of a time, or of a table. */
export type PastBlocks = {
  /** In seconds since 1970; null for a table with one block of each chain. */
  readonly time: number | null;
  /** Whether the time depends on the current one. */
  readonly isRelative: boolean;
  /** The blocks by the keys of chains; null if indexers have to find them. */
  readonly listed: ReadonlyMap<string, ListedBlock> | null;
};

/**
 * Resolves past blocks; null if none are requested.
 *
 * @throws UsageError for a time that is not valid or not past, and for a table with unknown or repeated chains.
 */
export function resolvePast(
  request: {
    readonly at: string | number | undefined;
    readonly blocks: readonly ListedBlock[] | undefined;
    readonly now: number;
  },
  chains: readonly Chain[],
): PastBlocks | null {
  const { at, blocks, now } = request;
  if (at === undefined && blocks === undefined) return null;
  const time = at === undefined ? null : readTime(at, now);
  const isRelative = typeof at === "string" && isRelativeTime(at);
  if (blocks === undefined) return { time, isRelative, listed: null };
  const listed = new Map<string, ListedBlock>();
  for (const row of blocks) {
    const key = findChain(row.chain, chains);
    if (key === undefined) {
      throw new UsageError({
        sentence: `Unknown chain "${displayText(row.chain, [])}" in the table of blocks.`,
      });
    }
    if (time !== null && row.time === null) {
      throw new UsageError({
        sentence: "With --at, the table of blocks needs a column `timestamp`.",
        hint: "add it, or omit --at.",
      });
    }
    if (time !== null && (row.time ?? 0) > time) continue;
    const other = listed.get(key);
    if (time === null && other !== undefined) {
      throw new UsageError({
        sentence: `The table of blocks has several blocks of ${key}.`,
        hint: "add --at and a column `timestamp` to choose one.",
      });
    }
    if (other === undefined || row.block > other.block) listed.set(key, row);
  }
  return { time, isRelative, listed };
}

function readTime(at: string | number, now: number): number {
  const seconds = typeof at === "number" || /^\d+$/.test(at) ? Number(at) : parseTime(at, now);
  if (seconds === null || !Number.isSafeInteger(seconds)) {
    throw new UsageError({
      sentence: `--at must be a time; got "${displayText(String(at), [])}".`,
      hint: `write ${TIME_FORMS}.`,
    });
  }
  if (seconds < Math.floor(now / 1000)) return seconds;
  throw new UsageError({ sentence: `--at must be in the past; got ${timeText(seconds)}.` });
}

/** @throws UsageError if a table has no block of a chain. */
export function requireListed({ listed, time }: PastBlocks, chains: readonly string[]): void {
  const missing = listed === null ? [] : chains.filter((chain) => !listed.has(chain));
  if (missing.length === 0) return;
  const before = time === null ? "" : ` at or before ${timeText(time)}`;
  throw new UsageError({ sentence: `The table of blocks has no block of ${listSome(missing, 6)}${before}.` });
}

/** Creates a function that creates a finder for the chains of a protocol. Each block is found once. */
export function createBlockFinders(
  { time, listed }: PastBlocks,
  onNotice: (notice: string) => void,
): (client: Client, clock: ClockList | null, signal: AbortSignal | undefined) => BlockFinder {
  const blocks = new Map<string, Promise<FoundBlock>>();
  const shown = new Set<string>();
  return (client, clock, signal) => ({
    find: (chain) => {
      const row = listed?.get(chain);
      if (row) {
        const of = row.time === null ? "" : ` of ${timeText(row.time)}`;
        return Promise.resolve({ block: { number: row.block }, notice: `${chain}: block ${row.block}${of}` });
      }
      if (clock === null || time === null) throw new TypeError("no clock and no table");
      const key = `${clock.protocol} ${chain}`;
      const pending = blocks.get(key) ?? findBlock(client, clock, { chain, time, signal });
      blocks.set(key, pending);
      return pending;
    },
    announce: ({ notice }) => {
      if (!shown.has(notice)) onNotice(notice);
      shown.add(notice);
    },
  });
}
