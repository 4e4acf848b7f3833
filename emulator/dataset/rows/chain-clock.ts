import { hash } from "../../../src/base/hash.ts";
import type { Block, History } from "../../styles/read-view.ts";
import { createRandom, scatter } from "./create-random.ts";

/** The times of a chain's blocks, which have a constant interval. */
export type ChainClock = ChainBlocks & {
  readonly chainId: number;
  readonly secondsPerBlock: number;
  readonly startBlock: number;
  /** The first block with readable rows, shortly before the head. */
  readonly earliestBlock: number;
  /** The chain's newest block when the emulator starts. */
  readonly head: Block;
  /** The time of a block, in Unix seconds. */
  readonly timestampOf: (block: number) => number;
};

/** 2025-08-01T00:00:00Z: the head of every chain is less than 30 days later. */
const HEADS_FROM = 1_754_006_400;
/** 2023-07-22: the earliest start of indexing. */
const STARTS_FROM = 1_690_000_000;
const DAY = 86_400;

/** How many blocks before the first head have readable rows: minutes of a fast chain, an hour of a slow one. */
const KEPT_BLOCKS = 500;

/**
 * The clock of one chain, the same for both protocols.
 *
 * @param asOf the time of the head, in Unix seconds; null for a time that the seed chooses.
 */
export function chainClock(seed: string, chainId: number, asOf: number | null = null): ChainClock {
  const random = createRandom(`${seed}:chain:${chainId}`);
  const secondsPerBlock = random.pick([1, 2, 3, 5, 12]);
  const startBlock = random.int(1_000_000, 200_000_000);
  const ownStart = STARTS_FROM + random.int(0, 350 * DAY);
  const blocks = Math.floor((HEADS_FROM + random.int(0, 29 * DAY) - ownStart) / secondsPerBlock);
  const startTime = asOf === null ? ownStart : asOf - blocks * secondsPerBlock;
  const timestampOf = (block: number) => startTime + (block - startBlock) * secondsPerBlock;
  const number = startBlock + blocks;
  const earliestBlock = number - KEPT_BLOCKS;
  const { blockAt, findBlock } = chainBlocks(seed, chainId, { earliestBlock, timestampOf });
  return {
    chainId,
    secondsPerBlock,
    startBlock,
    earliestBlock,
    head: blockAt(number),
    timestampOf,
    blockAt,
    findBlock,
  };
}

/** The endless blocks of a chain. */
type ChainBlocks = Pick<History, "blockAt" | "findBlock">;

/** Hexadecimal digits of a hash that encode the block's number: enough for any safe integer. */
const NUMBER_DIGITS = 14;
const HASH = /^0x[0-9a-f]{64}$/;

/** Creates the blocks of one chain. A hash encodes the block's number, so that a block is found without a search. */
export function chainBlocks(
  seed: string,
  chainId: number,
  { earliestBlock, timestampOf }: Pick<ChainClock, "earliestBlock" | "timestampOf">,
): ChainBlocks {
  const mask = (digits: string) =>
    BigInt(`0x${hash(`${seed}:mask:${chainId}:${digits}`).slice(0, NUMBER_DIGITS)}`);

  function hashOf(number: number): string {
    const digits = hash(`${seed}:block:${chainId}:${number}`).slice(NUMBER_DIGITS);
    const hidden = BigInt.asUintN(4 * NUMBER_DIGITS, BigInt(number)) ^ mask(digits);
    return `0x${digits}${hidden.toString(16).padStart(NUMBER_DIGITS, "0")}`;
  }

  const blockAt = (number: number): Block => ({
    number,
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: timestampOf(number),
  });

  return {
    blockAt,
    findBlock: (hash) => {
      if (!HASH.test(hash)) return undefined;
      const digits = hash.slice(2, -NUMBER_DIGITS);
      const number = Number(BigInt(`0x${hash.slice(-NUMBER_DIGITS)}`) ^ mask(digits));
      const isReadable = Number.isSafeInteger(number) && number >= earliestBlock;
      return isReadable && hashOf(number) === hash ? blockAt(number) : undefined;
    },
  };
}

const CELL = 4;

/** The blocks of a chain that may have events, computed without generating them. */
export type ChainPace = {
  /** The last such block up to the given one; the first block if there is none. */
  readonly lastUntil: (block: number) => number;
  /** The blocks after one, up to and including another, in order. */
  readonly between: (after: number, until: number) => number[];
};

/** The pace after the block `from`: one random block of every four. */
export function chainPace(seed: string, from: number): ChainPace {
  const salt = createRandom(`${seed}:pace`).int(0, 2 ** 31 - 1);
  const first = from + 1;
  const cellOf = (block: number) => Math.floor((block - first) / CELL);
  const eventOf = (cell: number) =>
    cell < 0 ? from : first + cell * CELL + (scatter((cell ^ salt) >>> 0) % CELL);
  return {
    lastUntil: (block) => {
      const cell = cellOf(Math.max(from, block));
      const event = eventOf(cell);
      return event <= block ? event : eventOf(cell - 1);
    },
    between: (after, until) => {
      const events: number[] = [];
      for (let cell = Math.max(0, cellOf(after)); cell <= cellOf(until); cell++) {
        const event = eventOf(cell);
        if (event > after && event <= until) events.push(event);
      }
      return events;
    },
  };
}
