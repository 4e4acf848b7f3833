import type { Block, ChainState, History, ReadView, RowStore } from "../read-view.ts";
import { messages, refuse } from "./messages.ts";
import { NULL, type QueryValue } from "./query-value.ts";
import { parseBytes } from "./scalars.ts";

/** The block of a group of root fields, and the rows there. */
export type QueriedBlock = {
  readonly number: number;
  /** Null for a block requested by number: its hash, and the values found by it, are not looked up. */
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
 * Finds the block of a constraint.
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
      // A block found by hash is checked and reported like one requested by number.
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

/** The requested block of a root field. */
export type BlockConstraint =
  | { readonly kind: "latest" }
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "number"; readonly number: bigint }
  | { readonly kind: "number_gte"; readonly number: bigint };

/**
 * Parses a `block` argument: `hash` beats `number` beats `number_gte`.
 *
 * @throws QueryError for `{}` and for a key without a value.
 */
export function readBlockConstraint(value: QueryValue = NULL): BlockConstraint {
  if (value.kind === "Null") return { kind: "latest" };
  const entries: ReadonlyMap<string, QueryValue> = value.kind === "Object" ? value.entries : new Map();
  const hash = entries.get("hash");
  if (hash !== undefined) {
    const parsed = hash.kind === "String" ? parseBytes(hash.value) : null;
    return parsed !== null && "bytes" in parsed
      ? { kind: "hash", hash: parsed.bytes }
      : refuse(messages.invalidArgument("block", value));
  }
  for (const kind of ["number", "number_gte"] as const) {
    const number = entries.get(kind);
    if (number === undefined) continue;
    if (number.kind !== "Int") refuse(messages.invalidArgument("block", value));
    else return { kind, number: number.value };
  }
  return refuse(messages.invalidArgument("block", value));
}

/** A key for grouping root fields by constraint. */
export function constraintKey(constraint: BlockConstraint): string {
  return Object.values(constraint).join(" ");
}
