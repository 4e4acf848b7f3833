/**
 * A value as rows hold it, equal in both styles: big numbers as decimal strings, bytes as lower-case `0x…`, enum
 * members by name, `Int` and `Float` as numbers, `Timestamp` as a decimal string of microseconds, a reference as the
 * id of its target.
 */
export type RowValue = string | number | boolean | null | readonly RowValue[];

/** A stored entity: values by field, without derived fields. */
export type Row = Readonly<Record<string, RowValue>>;

/** The rows of an indexer. Tables and indexes are built on first use. */
export type RowStore = {
  /** All rows of an entity in order of writing; none for an unknown entity. */
  readonly rows: (entity: string) => readonly Row[];
  readonly find: (entity: string, id: string) => Row | undefined;
  /** The rows whose `field` is this value, or is a list with it. */
  readonly matching: (entity: string, field: string, value: RowValue) => readonly Row[];
  /** The block at which a row got its current value. */
  readonly writtenAt: (entity: string, id: string) => number;
};

/** A block of a chain; `timestamp` in seconds. */
export type Block = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: number;
};

/** The progress of an indexer on one chain. */
export type ChainState = {
  readonly chainId: number;
  /** The first indexed block. */
  readonly startBlock: number;
  /** The first block with readable rows; earlier ones are pruned. */
  readonly earliestBlock: number;
  /** The last indexed block. */
  readonly head: Block;
  /** The number of the chain's newest block; higher than the head's if the indexer lags. */
  readonly chainHead: number;
  /** The block of the first deterministic error; null without one. */
  readonly errorBlock: number | null;
};

/**
 * The state of an indexer during a request. The store is the same object until a row changes, so caches may be keyed
 * by it.
 */
export type ReadView = {
  /** In order of chain id; one for a subgraph. */
  readonly chains: readonly ChainState[];
  /** The rows at the heads of the chains. */
  readonly store: RowStore;
};

/** The blocks of one chain, and the rows at each of them. */
export type History = {
  /** Any block from the first to the chain's newest. */
  readonly blockAt: (number: number) => Block;
  /** The block with this hash, if its rows are readable. */
  readonly findBlock: (hash: string) => Block | undefined;
  /** The rows after a readable block: the same object for blocks without a write between them. */
  readonly storeAt: (number: number) => RowStore;
};
