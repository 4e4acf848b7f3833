import { pages } from "../../packages/client/src/calls/pages.ts";
import { blockOf } from "../../packages/client/src/calls/read-page.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import type { Head } from "../../packages/client/src/requests/heads.ts";
import type { StyleName } from "../dialects/surface.ts";
import {
  type AskChainsOptions,
  type ChainCall,
  type FeedMark,
  type LogBatch,
  type LoggedChain,
  type Progress,
  type RowMark,
  unreadable,
} from "./asked-rows.ts";
import { addCapped, countCapped } from "./capped-lists.ts";
import { IDS, reverseOperation } from "./changes.ts";
import {
  behind,
  builtAgain,
  defaultConfirmations,
  isHeadWrong,
  requireBlock,
  requireRows,
  requireSameIndexer,
} from "./check-indexer.ts";
import { findMisfit } from "./export/columns.ts";
import type { Question } from "./prepare-question.ts";
import { EMPTY, follow, hasRow, type ReadFeed, readFeed, readNewest } from "./read-feed.ts";
import { buildRows, type Row } from "./rows.ts";

/** How the chains of a log are read. */
export type ReadLogOptions = Pick<AskChainsOptions, "signal" | "past" | "onChain"> &
  Partial<Pick<AskChainsOptions, "block">> &
  Required<Pick<AskChainsOptions, "readHead">> & {
    /** How far the log has its chains. */
    readonly known: ReadonlyMap<string, LoggedChain>;
    /** The chains to read again, each with the least number of rows to accept; null for as many as before. */
    readonly reread: ReadonlyMap<string, number | null>;
    /** The only chain to read; null for all. */
    readonly only: string | null;
    /** How many blocks a row must have above it. @default 10 minutes of blocks */
    readonly confirmations: number | undefined;
  };

type Reading = ReadLogOptions & {
  readonly chain: string;
  readonly style: StyleName;
  readonly progress: Progress;
};

/** Yields the rows of a chain in one style. */
export async function* readChain(
  client: Client,
  question: Question,
  reading: Reading,
): AsyncGenerator<LogBatch, void, undefined> {
  const { chain, style, signal, progress, readHead } = reading;
  const { protocol, operation, changes } = question;
  const logged = reading.known.get(chain) ?? null;
  const isAsked = logged !== null && reading.reread.has(chain);
  const request = { protocol, chain, style, signal, readHead };
  const head = await readHead(client, request);
  const secondsPerBlock = client.routes.chains[chain]?.secondsPerBlock ?? null;
  const hour = Math.max(1000, secondsPerBlock === null ? 0 : Math.ceil(3600 / secondsPerBlock));
  const feedName = changes?.name ?? null;
  if (logged !== null && !isAsked) requireSameIndexer(logged, head, { chain, style, hour, feed: feedName });
  const depth = reading.confirmations ?? defaultConfirmations(secondsPerBlock);
  const past = await reading.past?.find(chain);
  if (past) reading.past?.announce(past);
  // The chain had no rows yet.
  if (past?.block === null) return;
  const requested = past?.block ?? reading.block;
  const isPinned = requested !== undefined || operation.past === style;
  const { styles } = question;
  const isReplaceable = isAsked && (await isHeadWrong(client, { logged, head, styles }, request));
  if (isAsked && !isReplaceable && head.block < logged.head) throw behind(chain, head.block, logged.head);
  const least = logged === null || isReplaceable ? 0 : logged.head;
  const deep = isPinned ? Math.max(head.block - depth, least) : head.block;
  const number = requested === undefined ? deep : (requested.number ?? head.block);
  // The chain is too short for rows.
  if (isPinned && requested === undefined && head.block < depth && logged === null) return;
  const call: { -readonly [Name in keyof ChainCall]: ChainCall[Name] } = {
    chain,
    style,
    signal,
    block: requested ?? (!isPinned ? undefined : number === head.block ? blockOf(head) : { number }),
    minBlock: isPinned ? undefined : number,
  };
  const recent = number - hour;
  const deployed = head.deployment === null ? {} : { [style]: head.deployment };
  let tail: RowMark = BEGINNING;
  let rows = 0;
  /** Whether the known rows are still there. */
  let isWhole = true;
  /** The last row of the feed, or of the list without a feed, before rows are read. */
  let newest: string | null = null;
  /** Without a feed: the same of an earlier run that did not read the list to its end. */
  let awaited: string | null = null;
  const stateOf = (more: Pick<LoggedChain, "feed" | "anchor"> & Partial<LoggedChain>): LoggedChain => ({
    head: call.minBlock ?? number,
    time: head.time ?? Math.floor(client.now() / 1000),
    tail,
    rows: (logged?.rows ?? 0) + rows,
    end: awaited ?? newest,
    isDone: false,
    deployments: { ...logged?.deployments, ...deployed },
    ...more,
  });
  const batch = (some: readonly Row[], block: number | null, next: LoggedChain | null): LogBatch => {
    progress.cappedLists = addCapped(progress.cappedLists, countCapped(some, question.shape.fields));
    return { chain, rows: some, gone: [], block, next };
  };
  const read = (values: readonly unknown[]) => readRows(values, question, { chain, style });
  /** Yields the pages after the last known row. */
  async function* readPages(isGone: (tail: RowMark) => boolean) {
    const column = operation.page?.cursor ?? "";
    let isFirst = tail.id !== null;
    let last = tail;
    let previous = tail.before;
    const skip = (some: readonly Row[]) => {
      if (isFirst && some[0]?.["id"] === tail.id) return some.slice(1);
      if (!isFirst) return some;
      if (!isGone(tail)) return null;
      // The row left the filter, and rows after it are new ones.
      last = { before: tail.cursor, id: null, cursor: tail.cursor };
      return some.filter((row) => isAfter(row, tail.cursor ?? "", operation.page));
    };
    for await (const page of pages(client, operation, question.given, follow(call, tail.before))) {
      if (page.cursor === null) throw unreadable(chain, style);
      const built = read(page.rows);
      const fresh = skip(built);
      isWhole = fresh !== null;
      if (fresh === null) return;
      isFirst = false;
      for (const row of built) {
        if (row["id"] === awaited) awaited = null;
        last = { before: previous, id: String(row["id"]), cursor: String(row[column]) };
        previous = last.cursor;
      }
      tail = last;
      rows += fresh.length;
      progress.rows += fresh.length;
      progress.head = page.head;
      if (call.minBlock !== undefined) call.minBlock = Math.max(call.minBlock, blockNumber(page.head, call));
      yield { rows: fresh, block: page.head?.block ?? null };
    }
    if (isFirst && skip([]) === null) isWhole = false;
    else tail = last;
  }
  progress.head = isPinned ? null : head;
  const named = (mark: FeedMark | undefined) => (mark && feedName ? { ...mark, name: feedName } : null);

  /** Reads the id of the last row of the feed, or of the list without one. */
  async function readLast(size: number): Promise<string | null> {
    const list = changes ?? { feed: operation, newest: reverseOperation(operation) };
    const variables = changes ? {} : question.given;
    return (await readNewest(client, list, { recent, call, size, variables })).mark.id;
  }
  /**
   * Returns whether the rows that were read may be of two forks. A pinned block does not show it: graph-node answers its number,
   * and also its hash, with rows of the current fork.
   */
  async function isReplaced(): Promise<boolean> {
    if (awaited !== null || !isPinned) return awaited !== null;
    return newest !== (changes ? await readLast(1) : tail.id);
  }

  /** Yields all rows, which make earlier ones void. They count once the last one was read. */
  async function* readAll(isAgain: boolean): AsyncGenerator<LogBatch, void, undefined> {
    // The newest row of the feed is read before the rows, so that a change meanwhile is found by the next run.
    const first = changes && (await readNewest(client, changes, { recent, call }));
    const feed = named(first?.mark);
    const anchor = first?.anchor ?? null;
    newest = first ? first.mark.id : isPinned ? await readLast(1) : null;
    awaited = null;
    tail = BEGINNING;
    rows = 0;
    progress.rows = 0;
    const count = () => ({ rows, ...(isAgain && { deployments: deployed }) });
    const isHeld = isAgain || !isPinned;
    if (isAgain) yield { ...batch([], number, null), gone: [null] };
    for await (const page of readPages(() => false)) {
      yield batch(page.rows, page.block, isHeld ? null : stateOf({ feed, anchor, ...count() }));
    }
    if (await isReplaced()) {
      if (!isAgain) return yield* readAll(true);
      const sentence = `${chain} was reorganized while its rows were read. Run the export again.`;
      throw new IndexerError("reorganized", sentence, { style });
    }
    if (isAgain)
      requireRows(chain, { rows, before: logged?.rows ?? 0, accepted: reading.reread.get(chain) ?? null });
    yield batch([], number, await stateAtEnd(first, { anchor, ...count() }));
  }
  async function stateAtEnd(
    found: Pick<ReadFeed, "mark"> | null,
    more: Pick<LoggedChain, "anchor"> & Partial<LoggedChain>,
  ): Promise<LoggedChain> {
    // Without a pinned block, the rows may have changes of later rows of the feed.
    const end = found && (isPinned ? found.mark.id : await readLast(2));
    return stateOf({ feed: named(found?.mark), end, isDone: true, ...more });
  }

  if (logged === null || isAsked) return yield* readAll(logged !== null);
  tail = logged.tail;
  const feed =
    changes &&
    (await readFeed(client, changes, { known: logged.feed ?? EMPTY, end: logged.end, recent, call }));
  const ids = feed?.ids ?? new Set<string>();
  isWhole = changes === null || feed !== null;
  // Until the feed moves on, rows with its changes are valid as long as its last row is there.
  newest = feed ? feed.mark.id : isPinned && changes === null ? await readLast(1) : null;
  if (changes === null) awaited = logged.end;
  const before = { feed: logged.feed, anchor: logged.anchor, isDone: logged.isDone };
  if (isWhole) {
    for await (const page of readPages(({ id }) => ids.has(id ?? ""))) {
      for (const { id } of page.rows) ids.delete(String(id));
      yield batch(page.rows, page.block, isPinned ? stateOf(before) : null);
    }
  }
  if (isWhole) {
    for await (const { rows: changed, gone } of readChanged(ids)) {
      yield { ...batch(changed, number, isPinned ? stateOf(before) : null), gone };
    }
    // Most runs find neither new nor changed rows, and need no further request.
    const isQuiet = feed !== null && rows === 0 && ids.size === 0;
    isWhole = isQuiet || !(await isReplaced());
  }
  if (!isWhole) {
    const { anchor } = logged;
    if (changes && anchor && !(await hasRow(client, changes, anchor, call))) {
      throw builtAgain(chain, `a row of block ${anchor.block} is not there any more`);
    }
    return yield* readAll(true);
  }
  yield batch([], number, await stateAtEnd(feed, { anchor: feed?.anchor ?? logged.anchor }));

  /** Yields the current versions of rows up to the last known one, and the ids without one. */
  async function* readChanged(changed: ReadonlySet<string>) {
    const { cursor } = tail;
    if (changes === null || cursor === null) return;
    const { first = "", key = "" } = operation.page ?? {};
    const all = [...changed];
    for (let at = 0; at < all.length; at += 100) {
      let missing = all.slice(at, at + 100);
      const versions: Row[] = [];
      // An answer may have fewer rows than were requested. Only an empty one shows that the others are not there.
      for (let count = 1; missing.length > 0 && count > 0; ) {
        const variables = { ...question.given, [first]: missing.length, [IDS]: missing };
        const { data } = await run(client, changes.byIds, variables, call);
        const some = read((data[key] as readonly unknown[] | undefined) ?? []);
        const ids = new Set(some.map(({ id }) => id));
        versions.push(...some);
        count = missing.length;
        missing = missing.filter((id) => !ids.has(id));
        count -= missing.length;
      }
      // Rows after the last page come with the next run.
      yield { rows: versions.filter((row) => !isAfter(row, cursor, operation.page)), gone: missing };
    }
  }
}

const BEGINNING: RowMark = { before: null, id: null, cursor: null };

function blockNumber(head: Head | null, { minBlock = 0 }: ChainCall): number {
  return head === null ? minBlock : requireBlock(head, null).block;
}

/** Builds rows from an answer. @throws IndexerError if a value does not fit the type of its column. */
function readRows(
  values: readonly unknown[],
  { shape }: Question,
  { chain, style }: Pick<ChainCall, "chain" | "style">,
): readonly Row[] {
  const rows = buildRows(values, shape.fields);
  if (rows === null || rows.some(({ id }) => typeof id !== "string" && typeof id !== "number")) {
    throw unreadable(chain, style);
  }
  const misfit = findMisfit(rows, shape.fields);
  if (misfit === null) return rows;
  throw new IndexerError("inconsistent", `A value of ${misfit} does not fit the type of its column.`, {
    style,
  });
}

function isAfter(row: Row, cursor: string, page: Question["operation"]["page"]): boolean {
  const value = String(row[page?.cursor ?? ""]);
  return page?.kind === "number" ? BigInt(value) > BigInt(cursor) : value > cursor;
}
