import { type ChainList, listKeys } from "../client/chain-ref.ts";
import { failureOf, type PlainError, plainOf, refuseValue } from "../client/indexer-error.ts";
import { isObject, own } from "../client/values.ts";
import type { Chains } from "../manifest/manifest-types.ts";
import type { Head } from "../requests/heads.ts";
import { parseJson } from "../requests/read-answer.ts";
import { allFailed, compareBy, type KeyedRow, keyRows, type Row, requireList } from "./merged.ts";
import { type Place, type ReadNext, readPage, sizeOfPage, type Walk } from "./read-page.ts";
import type { CallOptions } from "./start-call.ts";

/** The chains whose rows are paged, and the options of pages. */
export type ChainPageOptions<C extends Chains = Chains, List = ChainList<C>> = CallOptions & {
  readonly chains: List;
  /** Rows of a page, 1 to 1000. @default 1000 */
  readonly size?: number | undefined;
  /** The cursor of a page: rows after it are returned. @default the beginning */
  readonly after?: string | undefined;
};

/** Some rows of a list over several chains, in the operation's order. */
export type ChainPage<T, C extends string> = {
  readonly rows: readonly T[];
  /** The position on every chain, as JSON. */
  readonly cursor: string;
  /** Whether there may be more rows. */
  readonly hasMore: boolean;
  /** The last block that was read of each chain. */
  readonly heads: { readonly [Chain in C]?: Head | null };
  /** The chains that failed. Their rows follow, out of order, if they answer once the other chains have ended. */
  readonly failed: readonly C[];
  /** The failures of these chains. */
  readonly errors: { readonly [Chain in C]?: PlainError };
  /** From 0. */
  readonly index: number;
};

/** The position on every chain, and the state of each. */
type Facts<C extends string> = Pick<ChainPage<never, C>, "cursor" | "heads" | "failed" | "errors">;

/** The end of a walk over several chains. */
export type ChainPageEnd<C extends string> = Facts<C> & {
  readonly pages: number;
  readonly rows: number;
  /** Whether these were all rows: no chain failed. */
  readonly complete: boolean;
};

/** Where a page over several chains begins. */
export type ChainPlaces = {
  readonly index: number;
  readonly chains: { readonly [chain: string]: ChainPlace };
};

/** A page over several chains, and where the next one begins: null if there is none. */
export type ChainPageRead<T, C extends string> = {
  readonly page: ChainPage<T, C>;
  readonly next: ChainPlaces | null;
};

type ChainPlace = Place & {
  /** Whether all rows of the chain were read. */
  readonly isEnded?: boolean;
  /** Why its next rows could not be read. */
  readonly error?: PlainError | undefined;
};

/** A chain: the position of its last row in a page. */
type Source = { -readonly [Key in keyof ChainPlace]: ChainPlace[Key] } & {
  readonly chain: string;
  /** How many of its rows are in the queue. */
  queued: number;
  head?: Head | null;
  /** Text cursors, to detect duplicates. */
  readonly seen: Set<string | null>;
};

/** Several chains, and their rows that are read and not in a page yet, from the last one to the next one. */
type Sources<T> = {
  readonly all: readonly Source[];
  readonly queue: (KeyedRow<T> & { readonly source: Source })[];
};

/** Returns a function that reads the next page over several chains. */
export function openChains<P extends string, R, V>(
  walk: Walk<P, R, V>,
  start: Pick<ChainPageOptions, "chains" | "after">,
): ReadNext {
  const sources = openSources<R>(firstChainPlaces(walk, start));
  return (index) => readSources(walk, sources, index);
}

/** Returns where the rows of several chains begin. */
export function firstChainPlaces<P extends string, R, V>(
  { client, operation }: Pick<Walk<P, R, V>, "client" | "operation">,
  { chains, after }: Pick<ChainPageOptions, "chains" | "after">,
): ChainPlaces {
  const given = parseJson(after ?? "{}");
  const places = listKeys(client, operation.protocol, chains).map((chain) => {
    const cursor = isObject(given) ? (own(given, chain) ?? null) : 0;
    return typeof cursor === "string" || cursor === null
      ? [chain, { index: 0, after: cursor }]
      : refuseValue("after", "the cursor of a page over several chains", after);
  });
  return { index: 0, chains: Object.fromEntries(places) };
}

/** Reads a page over several chains, and where the next one begins. */
export async function readChainPage<P extends string, R, V>(
  walk: Walk<P, R, V>,
  places: ChainPlaces,
): Promise<ChainPageRead<Row<R>, never>> {
  const sources = openSources<R>(places);
  const { page } = await readSources(walk, sources, places.index);
  return { page, next: page.hasMore ? placesOf(sources, places.index + 1) : null };
}

/** Returns where the next page begins. */
export function placesOf({ all }: Pick<Sources<unknown>, "all">, index: number): ChainPlaces {
  const chains = all.map((source) => {
    const { chain, queued: _, head: __, seen: ___, ...place } = source;
    return [chain, { ...place, isEnded: isDone(source) }];
  });
  return { index, chains: Object.fromEntries(chains) };
}

function isDone({ isEnded, queued }: Source): boolean {
  return isEnded === true && queued === 0;
}

/** Opens the chains whose rows begin at some places. */
export function openSources<R>({ chains }: ChainPlaces): Sources<Row<R>> {
  const all = Object.entries(chains).map(([chain, place]) => {
    return { ...place, chain, queued: 0, seen: new Set<string | null>() };
  });
  return { all, queue: [] };
}

/**
 * Reads rows of all sources in the operation's order, until there are enough for a page.
 *
 * @throws IndexerError with the cursor if no chain has answered yet.
 */
export async function readSources<P extends string, R, V>(
  walk: Walk<P, R, V>,
  { all, queue }: Sources<Row<R>>,
  index: number,
): Promise<Facts<never> & { readonly page: ChainPage<Row<R>, never> }> {
  const { operation, options } = walk;
  const { order } = requireList(operation);
  const size = sizeOfPage(walk) as number;
  const compare = compareBy(order);
  const rows: Row<R>[] = [];
  const state = { down: new Map() };
  let failedBefore = all.filter(({ error, isEnded }) => error && !isEnded);
  do {
    const empty = all.filter(({ queued, isEnded, error }) => !(queued || isEnded || error));
    if (empty.length > 0) {
      await Promise.all(empty.map(refill));
      queue.sort((a, b) => compare(b, a));
    }
    const next = queue.pop();
    if (next) {
      const { row, source } = next;
      source.after = String(row[operation.page?.cursor as keyof typeof row]);
      source.queued--;
      rows.push(row);
    } else {
      if (rows.length > 0 || failedBefore.length === 0) break;
      // Another indexer of the chain may answer, with other blocks.
      for (const source of failedBefore)
        Object.assign(source, { style: undefined, block: undefined, error: undefined });
      failedBefore = [];
    }
    // The first requests also reject a size that is not a number.
  } while (rows.length < size);
  const position: Record<string, string | null> = {};
  const heads: Record<string, Head | null> = {};
  const errors: Record<string, PlainError> = {};
  for (const { chain, after, head, error } of all) {
    position[chain] = after;
    if (head !== undefined) heads[chain] = head;
    if (error) errors[chain] = error;
  }
  const cursor = JSON.stringify(position);
  const failed = Object.keys(errors) as never[];
  if (failed[0] && !Object.keys(heads)[0]) throw allFailed(Object.values(errors), { cursor });
  const facts = { cursor, heads, failed, errors };
  return { page: { rows, ...facts, hasMore: !all.every(isDone), index }, ...facts };

  async function refill(source: Source): Promise<void> {
    const { chain, after, seen } = source;
    try {
      const ofChain = { ...walk, options: { ...options, chain, state } };
      const { page, next, end } = await readPage(ofChain, source, seen);
      for (const keyed of keyRows(page.rows, order)) queue.push({ ...keyed, source });
      Object.assign(source, end, { after, queued: page.rows.length, isEnded: !next, head: page.head });
    } catch (error) {
      const failure = failureOf(error, options);
      source.error = plainOf(failure);
      // No style of the client can answer, so that a later page would fail as well.
      source.isEnded = failure.tried.length === 0 && /not-served|no-time-travel/.test(failure.code);
    }
  }
}
