import type { Block, ChainState, History, ReadView, RowStore } from "../../read-view.ts";
import type { BlockConstraint } from "./block-constraint.ts";
import { messages } from "./messages.ts";
import { refuse } from "./query-error.ts";

/** The block a group of root fields is answered at, and the rows there. */
export type QueriedBlock = {
  readonly number: number;
  /** Null when the block was asked for by number: its hash, and what is found by it, is then not looked up (B.6). */
  readonly block: Block | null;
  readonly store: RowStore;
  /** Whether the indexer had a deterministic error at or before the block. */
  readonly hasIndexingErrors: boolean;
};

export type BlockContext = {
  readonly view: ReadView;
  readonly chain: ChainState;
  readonly history: History | null;
  readonly deployment: string;
};

/**
 * Finds the block of a constraint (B.6).
 *
 * @throws QueryError for a block the indexer does not have, not yet or not any more.
 */
export function resolveBlock(constraint: BlockConstraint, context: BlockContext): QueriedBlock {
  const { view, chain, history } = context;
  const { head } = chain;
  const at = (number: number, block: Block | null): QueriedBlock => ({
    number,
    block,
    store: number === head.number || history === null ? view.store : history.storeAt(number),
    hasIndexingErrors: chain.errorBlock !== null && chain.errorBlock <= number,
  });
  switch (constraint.kind) {
    case "latest":
      return at(head.number, head);
    case "number_gte":
      checkIndexed("block.number_gte", constraint.number, context);
      return at(head.number, head);
    case "number":
      checkKept(constraint.number, context);
      return at(Number(constraint.number), null);
    case "hash": {
      const block = findBlock(constraint.hash, context);
      // Once found, the block is judged like one asked for by number, and reported as such.
      checkKept(BigInt(block.number), context);
      return at(block.number, block);
    }
  }
}

function findBlock(hash: string, { chain, history }: BlockContext): Block {
  if (hash === chain.head.hash.toLowerCase()) return chain.head;
  return (
    history?.findBlock(hash) ?? refuse(messages.undecodable("block.hash", "no block with that hash found"))
  );
}

function checkKept(number: bigint, context: BlockContext): void {
  const { chain, history, deployment } = context;
  checkIndexed("block.number", number, context);
  const earliest = history === null ? chain.head.number : chain.earliestBlock;
  if (number < BigInt(earliest)) {
    refuse(messages.undecodable("block.number", messages.pruned(deployment, earliest, number)));
  }
}

function checkIndexed(field: string, number: bigint, { chain, deployment }: BlockContext): void {
  if (number > BigInt(chain.head.number)) {
    refuse(messages.undecodable(field, messages.notIndexed(deployment, chain.head.number, number)));
  }
}
