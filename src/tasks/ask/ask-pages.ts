import { health } from "../../../packages/client/src/calls/health.ts";
import { pages } from "../../../packages/client/src/calls/pages.ts";
import { blockOf } from "../../../packages/client/src/calls/read-page.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { BlockRef, Client } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError, throwable } from "../../../packages/client/src/client/indexer-error.ts";
import type { Head } from "../../../packages/client/src/requests/heads.ts";
import type { StyleName } from "../../dialects/surface.ts";
import {
  type AskChainsOptions,
  type AskedChain,
  type AskedRows,
  type ChainMark,
  type PagePlace,
  type ReadHead,
  unreadable,
  withChain,
} from "./asked-rows.ts";
import { addCapped, type CappedList, countCapped } from "./capped-lists.ts";
import { type ChangeFeed, IDS } from "./changes.ts";
import type { Question } from "./prepare-question.ts";
import { cursorBefore, digestOf, EMPTY, readFeed } from "./read-feed.ts";
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
      ...{ chain, rows: 0, place: options.from.get(chain) ?? null, head: null, cappedLists: [] },
      mark: options.marks?.get(chain) ?? null,
    };
    const { signal, onChain } = options;
    const report = (error: IndexerError | null) =>
      onChain({
        ...{ chain, rows: asked.rows, cappedAt: null, cappedLists: asked.cappedLists },
        ...{ style: asked.place?.style ?? null, head: asked.head },
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
  cappedLists: readonly CappedList[];
};

async function* askChainPages(
  client: Client,
  question: Question,
  options: AskChainsOptions,
  asked: AskedChainPages,
): AsyncGenerator<AskedRows, void, undefined> {
  const { chain, mark } = asked;
  const { changes } = question;
  const { signal, renews = false, heads } = options;
  const block = await chooseBlock(client, question, options, chain);
  if (block === null) return;
  const minBlock = block === undefined && renews ? heads?.get(chain) : undefined;
  // What has changed is read first, so that a change meanwhile is read again by the next run.
  const call = { chain, signal, block, minBlock };
  const known = renews && mark?.feed ? { ...mark.feed, end: mark.end } : null;
  const feed = changes && (renews || !mark?.feed) ? await readFeed(client, changes, known, call) : null;
  // All requests of a run for a subgraph are of one block.
  const at = { ...options, block: block ?? feed?.block ?? undefined };
  // Rows from now on are valid as long as this end of the feed is there.
  if (feed) asked.mark = { tail: mark?.tail ?? EMPTY, feed: mark?.feed ?? feed.mark, end: feed.mark.digest };
  const isRestarted =
    feed?.isReorganized === true || (yield* askRows(client, question, at, asked, feed?.ids));
  if (isRestarted) {
    asked.place = null;
    asked.rows = 0;
    asked.mark = { tail: EMPTY, feed: feed?.mark ?? null, end: feed?.mark.digest ?? null };
    yield { chain, rows: [], place: null, head: null, isLast: false, kind: "restart", mark: asked.mark };
    yield* askRows(client, question, { ...at, renews: false }, asked);
  } else if (feed && known !== null) {
    yield* askChanged(client, question, { signal, changes, ids: feed.ids }, asked);
    asked.mark = { tail: asked.mark?.tail ?? EMPTY, feed: feed.mark, end: feed.mark.digest };
  }
  const { mark: last } = asked;
  if (changes === null || at.block !== undefined || !last?.feed) return;
  // Without past blocks, rows may have changes that the feed got after it was read.
  asked.mark = { ...last, end: (await readFeed(client, changes, null, call)).mark.digest };
}

/**
 * Yields the rows after the known ones.
 *
 * @param changed the ids of changed rows. Those of the yielded rows are removed.
 * @returns whether the last known row is not there any more, so that the chain was reorganized. Nothing was yielded then.
 */
async function* askRows(
  client: Client,
  { operation, given, shape, chainKey, changes }: Question,
  { signal, block, renews = false, heads }: AskChainsOptions,
  asked: AskedChainPages,
  changed?: Set<string>,
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
  let own: BlockRef<number> | null = pinned ?? null;
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
    asked.cappedLists = addCapped(asked.cappedLists, countCapped(fresh, shape.fields));
    for (const { id } of fresh) changed?.delete(String(id));
    const last = digestOf(built.at(-1), operation.page?.cursor, changes !== null);
    asked.mark = { feed: null, end: null, ...asked.mark, tail: { before, digest: last } };
    yield {
      ...{ chain, rows: withChain(fresh, chain, chainKey), place: asked.place, isLast: false },
      ...{ head: head?.block ?? null, mark: asked.mark },
    };
  }
  return isFirst;
}

/** Yields rows that have changed, in their current version. */
async function* askChanged(
  client: Client,
  { operation, given, shape, chainKey }: Question,
  {
    signal,
    changes,
    ids,
  }: Pick<AskChainsOptions, "signal"> & {
    readonly changes: ChangeFeed | null;
    readonly ids: ReadonlySet<string>;
  },
  asked: AskedChainPages,
): AsyncGenerator<AskedRows, void, undefined> {
  const { chain, place } = asked;
  if (changes === null || place === null) return;
  const call = { chain, signal, style: place.style, block: place.block ?? undefined };
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
    asked.cappedLists = addCapped(asked.cappedLists, countCapped(earlier, shape.fields));
    const gone = some.filter((id) => !found.has(id));
    const head = asked.head?.block ?? null;
    const mark = asked.mark ?? undefined;
    yield { chain, rows: earlier, place, head, isLast: false, kind: "changes", gone, mark };
  }
}

/** Returns the block of the pages: undefined for the latest, null if the chain is too short. */
async function chooseBlock(
  client: Client,
  { protocol, operation, styles }: Question,
  { signal, block, confirmations = 0, sharesBlocks = false, renews = false, past, ...more }: AskChainsOptions,
  chain: string,
): Promise<BlockRef<number> | undefined | null> {
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
