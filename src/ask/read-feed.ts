import { pages } from "../../packages/client/src/calls/pages.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import type { ChainCall, FeedMark, RowMark } from "./asked-rows.ts";
import { unreadable } from "./asked-rows.ts";
import type { ChangeFeed } from "./changes.ts";
import type { Question } from "./prepare-question.ts";
import type { Row } from "./rows.ts";

/** What the feed of changes of a chain has after a known row. */
export type ReadFeed = {
  /** The ids of changed rows. */
  readonly ids: Set<string>;
  /** The last row. */
  readonly mark: FeedMark;
  /** The last row that is below the recent blocks; null if it is not among the rows that were read. */
  readonly anchor: FeedMark | null;
};

/** The mark of a list without rows. It is another state than no mark. */
export const EMPTY: FeedMark = { before: null, id: null, cursor: null, block: null };

type Reading = {
  /** The block from which rows may be replaced by a reorganization. */
  readonly recent: number;
  readonly call: ChainCall;
};

/**
 * Reads the feed of changes after a known row.
 *
 * @param end the id of a later row that must still be there, too; null without one.
 * @returns null if a known row is not there any more.
 */
export async function readFeed(
  client: Client,
  { feed, key }: ChangeFeed,
  { known, end, recent, call }: Reading & { readonly known: FeedMark; readonly end: string | null },
): Promise<ReadFeed | null> {
  const column = feed.page?.cursor ?? "";
  const ids = new Set<string>();
  let mark = known;
  let anchor: FeedMark | null = null;
  let previous = known.before;
  let isFirst = known.id !== null;
  let isEndFound = end === null || end === known.id;
  for await (const { rows } of pages(client, feed, {}, follow(call, known.before))) {
    for (const row of rows as readonly unknown[] as readonly Row[]) {
      if (isFirst && row["id"] !== known.id) return null;
      mark = markOf(row, column, previous);
      previous = mark.cursor;
      if (isBelow(mark, recent)) anchor = mark;
      isEndFound ||= row["id"] === end;
      const reference = row[key] as { readonly id?: unknown } | null | undefined;
      if (!isFirst && typeof reference?.id === "string") ids.add(reference.id);
      isFirst = false;
    }
  }
  return isFirst || !isEndFound ? null : { ids, mark, anchor };
}

/** Reads the last rows of a feed or of another list. */
export async function readNewest(
  client: Client,
  { newest, feed }: Pick<ChangeFeed, "newest" | "feed">,
  {
    recent,
    call,
    size = 1000,
    variables = {},
  }: Reading & { readonly size?: number; readonly variables?: Question["given"] },
): Promise<Omit<ReadFeed, "ids">> {
  const { first = "", key = "", cursor = "" } = feed.page ?? {};
  const { data } = await run(client, newest, { ...variables, [first]: size }, call);
  const rows = data[key] as readonly Row[] | undefined;
  if (rows === undefined) throw unreadable(call.chain, call.style);
  // The row before the last one of several is unknown, because a host may return fewer rows than it has.
  const marks = rows.slice(0, Math.max(1, rows.length - 1)).map((row, at) => {
    const before = rows[at + 1];
    return markOf(row, cursor, before === undefined ? null : String(before[cursor]));
  });
  return { mark: marks[0] ?? EMPTY, anchor: marks.find((mark) => isBelow(mark, recent)) ?? null };
}

/** Returns whether a row of a list is still there. */
export async function hasRow(
  client: Client,
  { feed }: ChangeFeed,
  { id, before }: RowMark,
  call: ChainCall,
): Promise<boolean> {
  for await (const { rows } of pages(client, feed, {}, { ...follow(call, before), size: 1 })) {
    return (rows[0] as Row | undefined)?.["id"] === id;
  }
  return false;
}

/** Returns the options of pages after a cursor. `minBlock` may grow meanwhile. */
export function follow(call: ChainCall, after: string | null) {
  return Object.defineProperty({ ...call, after: after ?? undefined }, "minBlock", {
    get: () => call.minBlock,
    enumerable: true,
  });
}

function markOf(row: Row, cursor: string, before: string | null): FeedMark {
  const block = Number(row["block"] ?? Number.NaN);
  return {
    before,
    id: String(row["id"]),
    cursor: String(row[cursor]),
    block: Number.isSafeInteger(block) ? block : null,
  };
}

function isBelow({ block }: FeedMark, recent: number): boolean {
  return block !== null && block <= recent;
}
