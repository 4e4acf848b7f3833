import type { BlockRef, Client } from "../../packages/client/src/client/client-types.ts";
import {
  type Failure,
  IndexerError,
  type PlainError,
} from "../../packages/client/src/client/indexer-error.ts";
import type { Head } from "../../packages/client/src/requests/heads.ts";
import { UsageError } from "../base/errors.ts";
import type { Protocol, StyleName } from "../dialects/surface.ts";
import type { CappedList } from "./capped-lists.ts";
import type { Row } from "./rows.ts";

/** A batch of rows. */
export type AskedRows = {
  /** The key of the chain; null if the rows are of several chains. */
  readonly chain: string | null;
  /** The fields that the operation selects, after the chain if several are queried. */
  readonly rows: readonly Row[];
  /** The position after the page, to continue from; null without pages. */
  readonly place: PagePlace | null;
  /** The block of the page; null if it is unknown, and without pages. */
  readonly head: number | null;
  /** Whether the chain has no more rows. */
  readonly isLast: boolean;
};

/** Where the next page of a chain begins. */
export type PagePlace = {
  /** The cursor of the last row. */
  readonly cursor: string;
  readonly style: StyleName;
  /** The block of all pages; null if the indexer cannot query past blocks. */
  readonly block: BlockRef<number> | null;
};

/** The result of a chain. */
export type AskedChain = {
  /** Its key. */
  readonly chain: string;
  /** Number of rows in this run. */
  readonly rows: number;
  /** The style that answered; null if none did. */
  readonly style: StyleName | null;
  /** The limit of the list, if the answer reached it, so that there may be more rows; else null. */
  readonly cappedAt: number | null;
  /** The lists in its rows that may have more items. */
  readonly cappedLists: readonly CappedList[];
  /** The block of the last answer; null if unknown. */
  readonly head: Head | null;
  /** Why rows are missing; null if all are there. */
  readonly error: PlainError | null;
  /** The failures before the answer, or all failures if no style answered. */
  readonly tried: readonly Failure[];
};

/** How far a chain is read. */
export type Progress = { -readonly [Name in "rows" | "head" | "cappedLists"]: AskedChain[Name] };

/** The options with which a question is sent. */
export type AskChainsOptions = {
  readonly signal: AbortSignal | undefined;
  /** The block of the answers; undefined for the latest. */
  readonly block: BlockRef<number> | undefined;
  /** Finds the block of each chain; absent for `block`. */
  readonly past?: BlockFinder | undefined;
  /** Where the pages of chains continue. */
  readonly from: ReadonlyMap<string, PagePlace>;
  /** The chains whose pages were read to the end before. */
  readonly done: ReadonlySet<string>;
  /** How many blocks a row must have above it. */
  readonly confirmations?: number;
  /** Reads the head of a chain. @default by a request */
  readonly readHead?: ReadHead;
  /** Whether pages of subgraphs are of the block that `readHead` returns. @default only with confirmations */
  readonly sharesBlocks?: boolean;
  /** Called with the result of each chain, in their order. */
  readonly onChain: (chain: AskedChain) => void;
  /** How new rows are returned as they appear; null to end with the last row. */
  readonly follow?: { readonly confirmations: number; readonly onNotice: (notice: string) => void } | null;
};

/** The block of a chain at a time. */
export type FoundBlock = {
  /** Null if the chain had no rows yet. */
  readonly block: BlockRef<number> | null;
  /** A line about it. */
  readonly notice: string;
};

/** Finds the past blocks of chains. */
export type BlockFinder = {
  /** @throws IndexerError */
  readonly find: (chain: string) => Promise<FoundBlock>;
  /** Shows a line about a block, once. */
  readonly announce: (block: FoundBlock) => void;
};

/** The last block of an indexer. */
export type IndexerHead = Head & {
  /** The deployment of a subgraph, which changes if it is built again; null if the indexer does not return it. */
  readonly deployment: string | null;
};

/** Reads the head of a chain in a style. @throws IndexerError */
export type ReadHead = (
  client: Client,
  request: Pick<AskChainsOptions, "signal"> & {
    readonly protocol: Protocol;
    readonly chain: string;
    readonly style: StyleName;
  },
) => Promise<IndexerHead>;

/** The options of the requests for a chain of a log: all are of one style. */
export type ChainCall = {
  readonly chain: string;
  readonly style: StyleName;
  readonly signal: AbortSignal | undefined;
  /** The block of all answers; undefined if the indexer has no past blocks. */
  readonly block: BlockRef<number> | undefined;
  /** The largest known block, which later answers must have reached; undefined with `block`. */
  readonly minBlock: number | undefined;
};

/** A row of a list by its id and cursor: other values differ between styles. All are null for the beginning of the list. */
export type RowMark = {
  /** The cursor of the row before it; null for the first row. */
  readonly before: string | null;
  /** Null for a place without a known row. */
  readonly id: string | null;
  readonly cursor: string | null;
};

/** A row of a feed of changes. */
export type FeedMark = RowMark & {
  /** Its block; null if it is unknown. */
  readonly block: number | null;
};

/** How far a log has a chain, and what must still be there the next time. */
export type LoggedChain = {
  /** The largest block that was read. */
  readonly head: number;
  /** The time of that block or, if the indexer does not return it, of the run, in seconds since 1970. */
  readonly time: number;
  /** The last row of the list. */
  readonly tail: RowMark;
  /** The feed of changes and its last row whose changes were read; null without a feed. */
  readonly feed: (FeedMark & { readonly name: string }) | null;
  /** The id of a later row of the feed, or of the list without a feed, that must still be there; null without one. */
  readonly end: string | null;
  /** A row of the feed that a reorganization does not reach; null if it is unknown. */
  readonly anchor: FeedMark | null;
  /** The distinct rows that came by the list since the last complete reading began. */
  readonly rows: number;
  /** The deployments of indexers by style. */
  readonly deployments: Readonly<Record<string, string>>;
  /** Whether all rows were read. */
  readonly isDone: boolean;
};

/** Rows for a log. */
export type LogBatch = {
  readonly chain: string;
  /** Without the chain. */
  readonly rows: readonly Row[];
  /** The ids of rows that do not match any more; null for all earlier rows of the chain. */
  readonly gone: readonly (string | null)[];
  /** The block at which they were read; null if it is unknown. */
  readonly block: number | null;
  /** How far the chain is with these rows; null if its rows only count with those of a later batch. */
  readonly next: LoggedChain | null;
};

/** Builds the error for an answer that does not match its schema. */
export function unreadable(chain: string, style: StyleName | null): IndexerError {
  const indexer = style === null ? "indexer" : `${style} indexer`;
  const sentence = `The answer of the ${indexer} of ${chain} does not match its schema.`;
  return new IndexerError("inconsistent", sentence, { style });
}

/** Returns the failure of an indexer. @throws UsageError for variables that the client refuses, and errors of another kind. */
export function failureOf(error: unknown): IndexerError {
  if (!(error instanceof IndexerError)) throw error;
  if (error.code === "invalid-variables") throw new UsageError({ sentence: `$${error.message}` });
  return error;
}

/** Adds the chain to rows. */
export function withChain(rows: readonly Row[], chain: string, key: string | null): readonly Row[] {
  return key === null ? rows : rows.map((row) => ({ [key]: chain, ...row }));
}
