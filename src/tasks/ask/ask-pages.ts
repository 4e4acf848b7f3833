import { health } from "../../../packages/client/src/calls/health.ts";
import { pages } from "../../../packages/client/src/calls/pages.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { BlockRef, Client } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError, throwable } from "../../../packages/client/src/client/indexer-error.ts";
import type { Head } from "../../../packages/client/src/requests/heads.ts";
import { hash } from "../../base/hash.ts";
import type { StyleName } from "../../dialects/surface.ts";
import {
  type AskChainsOptions,
  type AskedChain,
  type AskedRows,
  type ChainMark,
  type PagePlace,
  type ReadHead,
  type RowMark,
  unreadable,
  withChain,
} from "./asked-rows.ts";
import { type ChangeFeed, IDS } from "./changes.ts";
import type { Question } from "./prepare-question.ts";
import { buildRows, type Row } from "./rows.ts";

/** Yields the pages of one chain after the other, and with `renews` the rows that have changed. */
export async function* askPages(
  client: Client,
  question: Question,
  options: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  for (const chain of question.chains) {
    if (options.done.has(chain)) continue;
    const asked: AskedChainPages = {
      ...{ chain, rows: 0, place: options.from.get(chain) ?? null, head: null },
      mark: options.marks?.get(chain) ?? null,
    };
    const { signal, onChain } = options;
    const report = (error: IndexerError | null) =>
      onChain({
        ...{ chain, rows: asked.rows, cappedAt: null, style: asked.place?.style ?? null, head: asked.head },
        ...{ error, tried: error?.tried ?? [] },
      } satisfies AskedChain);
    try {
      yield* askChainPages(client, question, options, asked);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof IndexerError) || error.code === "invalid-variables") throw error;
      report(error);
      continue;
    }
    report(null);
    const { place, head, mark } = asked;
    yield {
      ...{ chain, rows: [], place, head: head?.block ?? null, isLast: true },
      mark: mark ?? undefined,
    };
  }
}

/** How far the pages of a chain are. */
type AskedChainPages = {
  readonly chain: string;
  rows: number;
  place: PagePlace | null;
  head: Head | null;
  mark: ChainMark | null;
};

async function* askChainPages(
  client: Client,
  question: Question,
  options: AskChainsOptions,
  asked: AskedChainPages,
): AsyncGenerator<AskedRows, void, undefined> {
  const { chain } = asked;
  const { changes } = question;
  const { signal, renews = false } = options;
  const block = await chooseBlock(client, question, options, chain);
  if (block === null) return;
  const known = renews ? asked.mark : null;
  const call = { chain, signal, block };
  let isRestarted = renews && known?.feed ? !(await isSame(client, changes, known.feed, call)) : false;
  if (changes && (asked.mark === null || !asked.mark.feed)) {
    const tail = asked.mark?.tail ?? EMPTY;
    asked.mark = { tail, feed: await readNewest(client, changes, call) };
  }
  if (!isRestarted) isRestarted = yield* askRows(client, question, { ...options, block }, asked);
  if (isRestarted) {
    asked.place = null;
    asked.rows = 0;
    asked.mark = { tail: EMPTY, feed: changes ? await readNewest(client, changes, call) : null };
    yield { chain, rows: [], place: null, head: null, isLast: false, kind: "restart", mark: asked.mark };
    yield* askRows(client, question, { ...options, block, renews: false }, asked);
    return;
  }
  if (renews && changes && known?.feed && asked.place) {
    yield* askChanges(client, question, { signal, changes, feed: known.feed }, asked);
  }
}

/**
 * Yields the rows after the known ones.
 *
 * @returns whether the last known row is not there any more, so that the chain was reorganized. Nothing was yielded then.
 */
async function* askRows(
  client: Client,
  { operation, given, shape, chainKey, changes }: Question,
  { signal, block, renews = false, heads }: AskChainsOptions,
  asked: AskedChainPages,
): AsyncGenerator<AskedRows, boolean, undefined> {
  const { chain, place: from } = asked;
  const known = renews && from !== null ? (asked.mark?.tail ?? null) : null;
  const least = block === undefined && renews ? heads?.get(chain) : undefined;
  const pinned = renews ? block : (from?.block ?? block);
  const read = pages(client, operation, given, {
    ...{ chain, signal, block: pinned, minBlock: least },
    style: renews ? undefined : from?.style,
    after: known === null ? from?.cursor : (known.before ?? undefined),
  });
  let isFirst = known !== null && known.digest !== null;
  let own: BlockRef | null = pinned ?? null;
  let earlier = known === null ? (from?.cursor ?? null) : known.before;
  for await (const { rows, cursor, head, style } of read) {
    const built = buildRows(rows, shape.fields);
    if (built === null || cursor === null) throw unreadable(chain, style as StyleName);
    const before = cursorBefore(built, operation.page?.cursor ?? "", earlier);
    earlier = cursor;
    if (isFirst && digestOf(built[0], operation.page?.cursor, changes !== null) !== known?.digest)
      return true;
    const fresh = isFirst ? built.slice(1) : built;
    isFirst = false;
    if (operation.past === style) own ??= head && blockOf(head);
    asked.place = { cursor, style: style as StyleName, block: operation.past === style ? own : null };
    asked.head = head;
    asked.rows += fresh.length;
    const last = digestOf(built.at(-1), operation.page?.cursor, changes !== null);
    asked.mark = { tail: { before, digest: last }, feed: asked.mark?.feed ?? null };
    yield {
      ...{ chain, rows: withChain(fresh, chain, chainKey), place: asked.place, isLast: false },
      ...{ head: head?.block ?? null, mark: asked.mark },
    };
  }
  return isFirst;
}

/** Yields the rows that have changed, in their current version. */
async function* askChanges(
  client: Client,
  { operation, given, shape, chainKey }: Question,
  {
    signal,
    changes,
    feed,
  }: Pick<AskChainsOptions, "signal"> & { readonly changes: ChangeFeed; readonly feed: RowMark },
  asked: AskedChainPages,
): AsyncGenerator<AskedRows, void, undefined> {
  const { chain, place } = asked;
  if (place === null) return;
  const call = { chain, signal, style: place.style, block: place.block ?? undefined };
  const ids = new Set<string>();
  const column = changes.feed.page?.cursor ?? "";
  let last = feed;
  let previous = feed.before;
  let isFirst = feed.digest !== null;
  for await (const { rows: read, cursor: end } of pages(
    client,
    changes.feed,
    {},
    { ...call, after: feed.before ?? undefined },
  )) {
    const rows = read as readonly unknown[] as readonly Row[];
    if (isFirst && digestOf(rows[0], column, false) !== feed.digest) throw moved(chain);
    for (const row of isFirst ? rows.slice(1) : rows) {
      const reference = row[changes.key] as { readonly id?: unknown } | null | undefined;
      if (typeof reference?.id === "string") ids.add(reference.id);
    }
    isFirst = false;
    const before = cursorBefore(rows, column, previous);
    last = { before, digest: digestOf(rows.at(-1), column, false) };
    previous = end;
  }
  if (isFirst) throw moved(chain);
  const all = [...ids];
  const { cursor = "", first = "", key = "", kind } = operation.page ?? {};
  for (let at = 0; at < all.length; at += 100) {
    const some = all.slice(at, at + 100);
    const variables = { ...given, [first]: some.length, [IDS]: some };
    const { data, style } = await run(client, changes.byIds, variables, call);
    const rows = buildRows((data[key] as readonly unknown[] | undefined) ?? [], shape.fields);
    if (rows === null) throw unreadable(chain, style as StyleName);
    const found = new Set(rows.map(({ id }) => id));
    // Rows after the last page come with the next run.
    const isEarlier = (row: Row) =>
      kind === "number"
        ? BigInt(String(row[cursor])) <= BigInt(place.cursor)
        : String(row[cursor]) <= place.cursor;
    const earlier = withChain(rows.filter(isEarlier), chain, chainKey);
    const gone = some.filter((id) => !found.has(id));
    const head = asked.head?.block ?? null;
    yield { chain, rows: earlier, place, head, isLast: false, kind: "changes", gone };
  }
  asked.mark = { tail: asked.mark?.tail ?? EMPTY, feed: last };
}

const EMPTY: RowMark = { before: null, digest: null };

type Call = Pick<AskChainsOptions, "signal" | "block"> & { readonly chain: string };

/** Reads the newest row of a feed. */
async function readNewest(client: Client, { newest, feed }: ChangeFeed, call: Call): Promise<RowMark> {
  const { first = "", key = "", cursor = "" } = feed.page ?? {};
  const { data } = await run(client, newest, { [first]: 2 }, call);
  const [last, before] = (data[key] as readonly Row[] | undefined) ?? [];
  return {
    before: before === undefined ? null : String(before[cursor]),
    digest: last === undefined ? null : digestOf(last, cursor, false),
  };
}

/** Returns whether a feed still has its last known row. */
async function isSame(
  client: Client,
  changes: ChangeFeed | null,
  { before, digest }: RowMark,
  call: Call,
): Promise<boolean> {
  if (changes === null || digest === null) return true;
  const { first = "", after, key = "", cursor = "" } = changes.feed.page ?? {};
  const variables = { [first]: 1, ...(after && before !== null ? { [after]: before } : {}) };
  const { data } = await run(client, changes.feed, variables, call);
  const [row] = (data[key] as readonly Row[] | undefined) ?? [];
  return digestOf(row, cursor, false) === digest;
}

/** Returns the block of the pages: undefined for the latest, null if the chain is too short. */
async function chooseBlock(
  client: Client,
  { protocol, operation, styles }: Question,
  { signal, block, confirmations = 0, sharesBlocks = false, renews = false, past, ...more }: AskChainsOptions,
  chain: string,
): Promise<BlockRef | undefined | null> {
  const { from, heads, readHead = createHeadReader() } = more;
  const isContinued = !renews && from.get(chain)?.block != null;
  if (past && !isContinued) {
    const found = await past.find(chain);
    past.announce(found);
    return found.block;
  }
  const [style, ...others] = styles;
  const isOfStyle = style !== undefined && others.length === 0 && style === operation.past;
  if (block !== undefined || isContinued || !isOfStyle || (confirmations === 0 && !sharesBlocks)) {
    return block;
  }
  const head = await readHead(client, { protocol, chain, style, signal });
  const least = Math.max(0, heads?.get(chain) ?? 0);
  if (confirmations === 0) return head.block < least ? undefined : blockOf(head);
  const number = head.block - confirmations;
  return number < least ? null : { number };
}

/** Creates a reader of heads that requests each head once. */
export function createHeadReader(): ReadHead {
  const heads = new Map<string, Promise<Head>>();
  const read: ReadHead = async (client, { protocol, chain, style, signal }) => {
    const [result] = await health(client, protocol, { chains: [chain], style, signal });
    if (result?.status === "ok" && result.head) return result.head;
    throw result?.status === "failed" ? throwable(result.error) : unreadable(chain, style);
  };
  return (client, request) => {
    const key = `${request.protocol} ${request.chain} ${request.style}`;
    const head = heads.get(key) ?? read(client, request);
    heads.set(key, head);
    return head;
  };
}

/** Returns a hash of a row: of its id and cursor only, if the others may change. */
function digestOf(row: Row | undefined, cursor: string | undefined, isMutable: boolean): string | null {
  if (row === undefined) return null;
  const facts = isMutable ? [row["id"] ?? null, row[cursor ?? ""]] : row;
  return hash(JSON.stringify(facts));
}

/** Returns the cursor of the row before the last one. */
function cursorBefore(rows: readonly Row[], column: string, earlier: string | null): string | null {
  const row = rows.at(-2);
  return row === undefined ? earlier : String(row[column]);
}

function moved(chain: string): IndexerError {
  return new IndexerError("inconsistent", `${chain} was reorganized while it was read.`);
}

/** Returns the block that the client pins pages to. */
function blockOf({ hash, block }: Head): BlockRef {
  return hash ? { hash } : { number: block };
}
