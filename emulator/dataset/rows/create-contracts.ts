import type { Random } from "./create-random.ts";

/** One release of a contract, before it is deployed on a chain. */
export type Release = {
  readonly alias: string;
  readonly version: string;
  /** The categories of stream it keeps. */
  readonly categories: readonly string[];
};

/** A contract of one chain. */
export type Contract = Release & {
  readonly address: string;
  /** The next token id, as an ERC-721 contract hands them out. */
  readonly nextTokenId: () => number;
};

/** Creates the contracts of a chain, generation by generation. */
export function createContracts(
  random: Random,
  generations: readonly (readonly Release[])[],
): readonly (readonly Contract[])[] {
  return generations.map((releases) => releases.map((release) => createContract(random, release)));
}

/** The generation that was current when this part of the chain's history had passed. */
export function currentGeneration(
  generations: readonly (readonly Contract[])[],
  progress: number,
): { readonly index: number; readonly contracts: readonly Contract[] } {
  const index = Math.min(generations.length - 1, Math.floor((progress * generations.length) / 100));
  return { index, contracts: generations[index] ?? [] };
}

function createContract(random: Random, release: Release): Contract {
  let tokens = 0;
  return { ...release, address: random.hex(20), nextTokenId: () => ++tokens };
}
