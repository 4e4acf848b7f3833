import { type ChainList, listKeys } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import { failureOf, IndexerError, type PlainError, refuseValue, throwable } from "../client/indexer-error.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
import { isObject } from "../client/values.ts";
import type { Chains, Project } from "../manifest/manifest-types.ts";
import type { Head } from "../requests/heads.ts";
import { parseJson } from "../requests/read-answer.ts";
import { compareBy, type KeyedRow, keyRows, type Row } from "./merged.ts";
import { type Place, readPage } from "./read-page.ts";
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
  /** The last block that was read of each chain. */
  readonly heads: { readonly [Chain in C]?: Head | null };
  /** The chains that failed. Their rows follow, out of order, if they answer once the other chains have ended. */
  readonly failed: readonly C[];
  /** The failures of these chains. */
  readonly errors: { readonly [Chain in C]?: PlainError };
  /** From 0. */
  readonly index: number;
};

/** The end of a walk over several chains. */
export type ChainPageEnd<C extends string> = Pick<
  ChainPage<never, C>,
  "cursor" | "heads" | "failed" | "errors"
> & {
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

type ChainPlace = Place & { readonly isEnded?: boolean; readonly error?: PlainError | null };

/** An operation on several chains. */
type Walk<P extends string, R, V> = {
  readonly client: Client;
  readonly operation: PortableOperation<P, R, V, "pages">;
  readonly variables: Given<V>;
  readonly options: CallOptions & { readonly size?: number | undefined; readonly isScreen?: boolean };
};

/** The rows of a chain that are read and not in a page yet. */
type Source<T> = {
  readonly chain: string;
  /** The cursor of its last row in a page. */
  after: string | null;
  /** Where the rows after the buffer begin. */
  place: Place;
  /** From the last row to the next one. */
  buffer: KeyedRow<T>[];
  isEnded: boolean;
  head: Head | null | undefined;
  /** Text cursors, to detect duplicates. */
  readonly seen: Set<string>;
  error: PlainError | null;
};

/** Walks through the rows of several chains, as `pages` does with `chains`. */
export async function* walkChains<P extends string, R, V>(
  walk: Walk<P, R, V>,
  { chains, after, size }: Pick<ChainPageOptions, "chains" | "after" | "size">,
): AsyncGenerator<ChainPage<Row<R>, never>, ChainPageEnd<never>, undefined> {
  const sources = openSources<R>(walk.client, firstChainPlaces(walk, { chains, after }));
  let rows = 0;
  for (let index = 0; ; index++) {
    const page = await readSources({ ...walk, options: { ...walk.options, size } }, sources, index).catch(
      (error: unknown) => {
        // The rows of other chains count, and the failures are in the result.
        if (IndexerError.is(error) && sources.some(({ head }) => head !== undefined)) return null;
        throw error;
      },
    );
    if (page) rows += page.rows.length;
    if (page && page.rows.length > 0) yield page;
    if (page && sources.some((source) => !isDone(source))) continue;
    const end = describeSources(sources);
    return {
      pages: index + (page?.rows.length ? 1 : 0),
      rows,
      ...end,
      complete: end.failed.length === 0,
    };
  }
}

/** Returns where the rows of several chains begin. */
export function firstChainPlaces<P extends string, R, V>(
  { client, operation }: Pick<Walk<P, R, V>, "client" | "operation">,
  { chains, after }: Pick<ChainPageOptions, "chains" | "after">,
): ChainPlaces {
  const given = after === undefined ? {} : parseJson(after);
  const isCursor = (value: unknown) => value === undefined || value === null || typeof value === "string";
  if (!isObject(given) || !Object.values(given).every(isCursor)) {
    refuseValue("after", "the cursor of a page over several chains", after);
  }
  const places = listKeys(client, operation.protocol, chains).map((chain): [string, Place] => {
    return [chain, { index: 0, after: (Object.hasOwn(given, chain) ? given[chain] : null) as string | null }];
  });
  return { index: 0, chains: Object.fromEntries(places) };
}

/** Reads a page over several chains, and where the next one begins. */
export async function readChainPage<P extends string, R, V>(
  walk: Walk<P, R, V>,
  places: ChainPlaces,
): Promise<ChainPageRead<Row<R>, never>> {
  const sources = openSources<R>(walk.client, places);
  const page = await readSources(walk, sources, places.index);
  const chains = sources.map((source): [string, ChainPlace] => {
    const { chain, place, after, buffer, isEnded, error } = source;
    return [chain, { ...place, after, isEnded: isEnded && buffer.length === 0, error }];
  });
  const next = { index: places.index + 1, chains: Object.fromEntries(chains) };
  return { page, next: sources.every(isDone) ? null : next };
}

function openSources<R>({ routes }: Client, { chains }: ChainPlaces): Source<Row<R>>[] {
  return Object.entries(chains)
    .filter(
      ([chain]) => Object.hasOwn(routes.chains, chain) || refuseValue("chains", "known keys or ids", chain),
    )
    .map(([chain, { isEnded = false, error = null, ...place }]) => ({
      ...{ chain, place, isEnded, error, after: place.after },
      ...{ buffer: [], head: undefined, seen: new Set<string>() },
    }));
}

function isDone({ buffer, isEnded, error }: Source<unknown>): boolean {
  return isEnded && buffer.length === 0 && !error;
}

/**
 * Reads rows of all sources in the operation's order, until there are enough for a page.
 *
 * @throws IndexerError with the cursor if every chain that has further rows failed.
 */
async function readSources<P extends string, R, V>(
  walk: Walk<P, R, V>,
  sources: Source<Row<R>>[],
  index: number,
): Promise<ChainPage<Row<R>, never>> {
  const { operation, variables, options } = walk;
  const { list, page, name, unmerged = "it does not request one list" } = operation;
  if (!list || !page) throw new IndexerError("invalid-variables", `${name} cannot be merged: ${unmerged}.`);
  const { [page.first]: given = 1000 } = (variables ?? {}) as Readonly<Record<string, unknown>>;
  const size = options.size ?? Number(given);
  const compare = compareBy(list.order);
  let failedBefore = sources.filter(({ error }) => error);
  const rows: Row<R>[] = [];
  while (rows.length < size) {
    const empty = sources.filter(({ buffer, isEnded, error }) => buffer.length === 0 && !isEnded && !error);
    await Promise.all(empty.map((source) => refill(walk, source, size)));
    const full = sources.filter(({ buffer }) => buffer.length > 0);
    if (full.length === 0) {
      if (rows.length > 0 || failedBefore.length === 0) break;
      for (const source of failedBefore) {
        // Another indexer of the chain may answer, with other blocks.
        source.place = { index: 0, after: source.after };
        source.error = null;
      }
      failedBefore = [];
      continue;
    }
    // Each row could be preceded by one that is not read yet, unless every chain has rows or has ended.
    for (let isFull = true; isFull && rows.length < size; ) {
      const first = full.reduce((a, b) => (compare(nextOf(b), nextOf(a)) < 0 ? b : a));
      const { row } = nextOf(first);
      first.buffer.pop();
      rows.push(row);
      first.after = String(row[page.cursor as keyof typeof row]);
      if (first.buffer.length > 0) continue;
      full.splice(full.indexOf(first), 1);
      isFull = first.isEnded && full.length > 0;
    }
  }
  const described = describeSources(sources);
  const [error] = sources.flatMap((source) => source.error ?? []);
  if (rows.length === 0 && error) {
    const tried = sources.flatMap((source) => source.error?.tried ?? []);
    throw throwable(error, { tried, cursor: described.cursor }, `Every chain failed. ${error.message}`);
  }
  return { rows, ...described, index };
}

function nextOf<T>({ buffer }: Source<T>): KeyedRow<T> {
  return buffer.at(-1) as KeyedRow<T>;
}

async function refill<P extends string, R, V>(
  { client, operation, variables, options }: Walk<P, R, V>,
  source: Source<Row<R>>,
  size: number,
): Promise<void> {
  const { chain, place } = source;
  try {
    const asked = { ...options, chain, size, seen: source.seen } as never;
    const { page, next, end } = await readPage(client as Client<Project>, operation, variables, asked, place);
    const buffer = keyRows(page.rows, operation.list?.order ?? []).reverse();
    Object.assign(source, { buffer, place: end, isEnded: next === null, head: page.head });
  } catch (error) {
    source.error = failureOf(error, options).toJSON();
  }
}

function describeSources(
  sources: readonly Source<unknown>[],
): Pick<ChainPage<never, never>, "cursor" | "heads" | "failed" | "errors"> {
  const heads = sources.flatMap(({ chain, head }) => (head === undefined ? [] : [[chain, head] as const]));
  const failed = sources.filter(({ error }) => error);
  return {
    cursor: JSON.stringify(Object.fromEntries(sources.map(({ chain, after }) => [chain, after]))),
    heads: Object.fromEntries(heads),
    failed: failed.map(({ chain }) => chain as never),
    errors: Object.fromEntries(failed.map(({ chain, error }) => [chain, error])),
  };
}
