/**
 * A value as rows hold it, the same for both styles: big numbers as decimal strings, bytes as lower-case
 * `0x…`, enum members by name, `Int` and `Float` as numbers, `Timestamp` as a decimal string of microseconds,
 * a reference as the id of its target.
 */
export type RowValue = string | number | boolean | null | readonly RowValue[];

/** One stored entity: a value under the name of every field that is not derived. */
export type Row = Readonly<Record<string, RowValue>>;

/** The rows an indexer serves. Tables and indexes are made when they are first asked for. */
export type RowStore = {
  /** All rows of an entity in the order they were written; none for an unknown entity. */
  readonly rows: (entity: string) => readonly Row[];
  /** The row with this id. */
  readonly find: (entity: string, id: string) => Row | undefined;
  /** The rows whose `field` is, or as a list holds, this value. */
  readonly matching: (entity: string, field: string, value: RowValue) => readonly Row[];
  /** The block at which a row became what it is here. */
  readonly writtenAt: (entity: string, id: string) => number;
};

/** A block of a chain; `timestamp` in seconds. */
export type Block = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: number;
};

/** How far an indexer is on one chain. */
export type ChainState = {
  readonly chainId: number;
  /** The first block it indexed. */
  readonly startBlock: number;
  /** The first block whose rows it still has; earlier ones are pruned. */
  readonly earliestBlock: number;
  /** The last block it indexed. */
  readonly head: Block;
  /** The number of the chain's newest block that it knows of: more than the head's while it lags behind. */
  readonly chainHead: number;
  /** The block of its first deterministic error; null when it has none. */
  readonly errorBlock: number | null;
};

/**
 * What an indexer knows when a request comes in; a request sees nothing newer. The store is the same object for
 * as long as no row changes, so what was made of it may be cached with it.
 */
export type ReadView = {
  /** In order of chain id; one for a subgraph. */
  readonly chains: readonly ChainState[];
  /** The rows at the heads of the chains. */
  readonly store: RowStore;
};

/** The blocks of one chain and the rows at each of them. */
export type History = {
  /** Any block from the first to the chain's newest. */
  readonly blockAt: (number: number) => Block;
  /** The block with this hash, if its rows are still there. */
  readonly findBlock: (hash: string) => Block | undefined;
  /** The rows after a block whose rows are still there: the same object for blocks between which nothing was written. */
  readonly storeAt: (number: number) => RowStore;
};
