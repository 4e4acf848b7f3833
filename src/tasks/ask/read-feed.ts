import { pages } from "../../../packages/client/src/calls/pages.ts";
import { blockOf } from "../../../packages/client/src/calls/read-page.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { BlockRef, Client } from "../../../packages/client/src/client/client-types.ts";
import { hash } from "../../base/hash.ts";
import { type AskChainsOptions, type ChainMark, type RowMark, unreadable } from "./asked-rows.ts";
import type { ChangeFeed } from "./changes.ts";
import type { Row } from "./rows.ts";

/** The feed of changes after a known row. */
export type ReadFeed = {
  /** The ids of changed rows. */
  readonly ids: Set<string>;
  /** The last row. */
  readonly mark: RowMark;
  /** Whether the known row is not there any more. */
  readonly isReorganized: boolean;
  /** The block of the feed; null if the indexer has no past blocks. */
  readonly block: BlockRef<number> | null;
};

/** The mark of a list without rows. */
export const EMPTY: RowMark = { before: null, digest: null };

type Call = Pick<AskChainsOptions, "signal" | "block"> & {
  readonly chain: string;
  readonly minBlock: number | undefined;
};

/**
 * Reads the feed of changes after a known row. Without one, or if it is not there any more, reads only the last row.
 *
 * @param known with the digest of a later row that must still be there, too.
 */
export async function readFeed(
  client: Client,
  changes: ChangeFeed,
  known: (RowMark & Pick<ChainMark, "end">) | null,
  call: Call,
): Promise<ReadFeed> {
  if (known === null) return readNewest(client, changes, call);
  const { feed, key } = changes;
  const column = feed.page?.cursor ?? "";
  const ids = new Set<string>();
  let mark: RowMark = { before: known.before, digest: known.digest };
  let isEndFound = known.end === null || known.end === known.digest;
  let previous = known.before;
  let block: BlockRef<number> | null = null;
  let isFirst = known.digest !== null;
  const read = pages(client, feed, {}, { ...call, after: known.before ?? undefined });
  for await (const { rows: found, cursor, head, style } of read) {
    const rows = found as readonly unknown[] as readonly Row[];
    if (isFirst && digestOf(rows[0], column, false) !== known.digest) break;
    for (const row of isFirst ? rows.slice(1) : rows) {
      isEndFound ||= digestOf(row, column, false) === known.end;
      const reference = row[key] as { readonly id?: unknown } | null | undefined;
      if (typeof reference?.id === "string") ids.add(reference.id);
    }
    isFirst = false;
    mark = { before: cursorBefore(rows, column, previous), digest: digestOf(rows.at(-1), column, false) };
    previous = cursor;
    if (feed.past === style) block ??= head && blockOf(head);
  }
  if (isFirst || !isEndFound) return { ...(await readNewest(client, changes, call)), isReorganized: true };
  return { ids, mark, isReorganized: false, block };
}

/** Reads the last row of a feed. */
async function readNewest(client: Client, { newest, feed }: ChangeFeed, call: Call): Promise<ReadFeed> {
  const { first = "", key = "", cursor = "" } = feed.page ?? {};
  const { data, head, style } = await run(client, newest, { [first]: 2 }, call);
  const rows = data[key] as readonly Row[] | undefined;
  if (rows === undefined) throw unreadable(call.chain, null);
  const [last, before] = rows;
  const mark = {
    before: before === undefined ? null : String(before[cursor]),
    digest: last === undefined ? null : digestOf(last, cursor, false),
  };
  const block = newest.past === style && head ? blockOf(head) : null;
  return { ids: new Set(), mark, isReorganized: false, block };
}

/** Returns a hash of a row: of its id and cursor only, if the others may change. */
export function digestOf(
  row: Row | undefined,
  cursor: string | undefined,
  isMutable: boolean,
): string | null {
  if (row === undefined) return null;
  const facts = isMutable ? [row["id"] ?? null, row[cursor ?? ""]] : row;
  return hash(JSON.stringify(facts));
}

/** Returns the cursor of the row before the last one. */
export function cursorBefore(rows: readonly Row[], column: string, earlier: string | null): string | null {
  const row = rows.at(-2);
  return row === undefined ? earlier : String(row[column]);
}
