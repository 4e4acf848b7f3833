import { throwable } from "../client/indexer-error.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { findTarget } from "../requests/query-endpoint.ts";
import type { Row } from "./merged.ts";
import { type Place, readPage, type Walk } from "./read-page.ts";
import { settleHead } from "./settle.ts";
import { startCall } from "./start-call.ts";

/** The position of `watch` on a chain. */
export type Feed = {
  readonly chain: string;
  /** The cursor of its last row in a batch. */
  after: string | null;
  /** Cursors of rows that a multichain indexer had at a block, in order: with enough blocks above, they are confirmed. */
  marks: readonly { readonly block: number; readonly after: string }[];
};

/** The next rows of a chain, and whether there may be more already. */
type FeedRead<T> = { readonly rows: readonly T[]; readonly isOpen: boolean };

/** Reads the next rows of a chain that have enough blocks above them, and moves its position behind them. */
export async function readFeed<P extends string, R, V>(
  { client, operation, variables, options }: Walk<P, R, V>,
  feed: Feed,
  confirmations: number,
): Promise<FeedRead<Row<R>>> {
  const { chain } = feed;
  const isLater = confirmations > 0;
  const found = await (isLater ? readConfirmed() : readRows({}));
  const last = found.rows.at(-1);
  if (last) feed.after = cursorOf(last);
  return found;

  async function readRows(place: Partial<Place>): Promise<FeedRead<Row<R>>> {
    const { page, next } = await read(feed.after, place);
    return { rows: page.rows, isOpen: next !== null };
  }

  function read(after: string | null, place: Partial<Place> = {}) {
    const fresh = { ...client, freshness: client.freshness || isLater };
    const walk = { client: fresh, operation, variables, options: { ...options, chain } };
    return readPage(walk, { index: 0, after, ...place });
  }

  async function readConfirmed(): Promise<FeedRead<Row<R>>> {
    const { style: only } = options;
    const past = client.styles.find((style) => style === operation.past && (only ?? style) === style);
    if (past && isServed(past)) {
      const call = startCall({ client, operation, variables }, options);
      const result = await settleHead(call, chain, past);
      if (result.status === "failed") throw throwable(result.error);
      const block = { number: (result.head?.block ?? 0) - confirmations };
      return block.number < 0 ? { rows: [], isOpen: false } : readRows({ style: past, block });
    }
    const { page, next } = await read(feed.marks.at(-1)?.after ?? feed.after);
    const head = page.head?.block ?? -1;
    // An indexer whose head went back has dropped blocks and their rows.
    const marks = feed.marks.filter(({ block }) => block <= head);
    feed.marks =
      page.rows.length > 0
        ? [...marks.filter(({ block }) => block < head), { block: head, after: String(page.cursor) }]
        : marks;
    const confirmed = feed.marks.filter(({ block }) => block <= head - confirmations).at(-1);
    if (!confirmed) return { rows: [], isOpen: next !== null };
    const { rows, isOpen } = await readRows({});
    const end = rows.findIndex((row) => cursorOf(row) === confirmed.after);
    if (end < 0 && isOpen) return { rows, isOpen };
    feed.marks = feed.marks.filter(({ block }) => end >= 0 && block > confirmed.block);
    return { rows: rows.slice(0, end + 1), isOpen };
  }

  function isServed(style: StyleName): boolean {
    try {
      return findTarget({ client, operation }, style, chain) !== null;
    } catch {
      return false;
    }
  }

  function cursorOf(row: Row<R>): string {
    return String(row[operation.page?.cursor as keyof Row<R>]);
  }
}

/** Returns the position on every chain, as JSON. */
export function cursorOfFeeds(feeds: readonly Feed[]): string {
  return JSON.stringify(Object.fromEntries(feeds.map(({ chain, after }) => [chain, after])));
}
