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
  /** The last block it indexed. */
  readonly head: Block;
};
