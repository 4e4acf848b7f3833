import { hash } from "../../../src/base/hash.ts";
import type { Block } from "../../styles/read-view.ts";

/** The blocks of a chain, which go on for ever. */
export type ChainBlocks = {
  readonly blockAt: (number: number) => Block;
  /** The block with this hash (`0x…`, lower case); undefined when the chain never has one. */
  readonly findBlock: (hash: string) => Block | undefined;
};

/** Hexadecimal digits of a hash that tell its block's number to who knows the seed: enough for any safe integer. */
const NUMBER_DIGITS = 14;
const HASH = /^0x[0-9a-f]{64}$/;

/**
 * The blocks of one chain. The hash of a block hides its number, so that a block is found by its hash without
 * looking through all blocks there are.
 *
 * @param timestampOf the time of a block, in Unix seconds.
 */
export function chainBlocks(
  seed: string,
  chainId: number,
  timestampOf: (block: number) => number,
): ChainBlocks {
  const mask = (digits: string) =>
    BigInt(`0x${hash(`${seed}:mask:${chainId}:${digits}`).slice(0, NUMBER_DIGITS)}`);

  function hashOf(number: number): string {
    const digits = hash(`${seed}:block:${chainId}:${number}`).slice(NUMBER_DIGITS);
    const hidden = BigInt(number) ^ mask(digits);
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
      return Number.isSafeInteger(number) && hashOf(number) === hash ? blockAt(number) : undefined;
    },
  };
}
