import type { BlockRef, CallState, Client } from "../client/client-types.ts";
import { failureOf, IndexerError, plainOf, refuseValue, throwable } from "../client/indexer-error.ts";
import type { Given, PagePlan, PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project, StyleName } from "../manifest/manifest-types.ts";
import type { Head } from "../requests/heads.ts";
import { findTarget } from "../requests/query-endpoint.ts";
import { FINAL } from "../requests/read-answer.ts";
import { wait } from "../requests/wait.ts";
import { beginAfter, readCursors } from "./cursors.ts";
import type { Row } from "./merged.ts";
import { type RunOptions, run } from "./run.ts";
import type { CallOptions } from "./start-call.ts";

/** The chain whose rows are paged, and the options of pages. */
export type PageOptions<C extends Chains = Chains> = RunOptions<C> & {
  /** Rows of a page, 1 to 1000. @default 1000 */
  readonly size?: number | undefined;
  /** The cursor to continue from. @default the beginning */
  readonly after?: string | undefined;
  /** Whether to continue in another style if one fails. Pages are then not of one block. @default false */
  readonly switchStyle?: boolean | undefined;
};

/** Some rows of a list. */
export type Page<T> = {
  readonly rows: readonly T[];
  /** The cursor of the last row, to continue from. */
  readonly cursor: string | null;
  /** Whether there may be more rows. */
  readonly hasMore: boolean;
  readonly head: Head | null;
  readonly style: StyleName;
  /** From 0. */
  readonly index: number;
  /** True if its block is newer than that of the earlier pages, which indexers no longer have. Only with `queryPages`. */
  readonly isRepinned?: true;
};

/** The start of a page, with the style and block of the earlier pages. */
export type Place = {
  readonly index: number;
  /** The cursor of the last row before it; null at the beginning. */
  readonly after: string | null;
  readonly style?: StyleName | undefined;
  readonly block?: BlockRef<number> | undefined;
};

/** A page, and the start of the next one; null after the last page. */
export type PageRead<T> = { readonly page: Page<T>; readonly next: Place | null };

/** An operation whose rows are paged, and the options of its pages. */
export type Walk<P extends string, R, V> = {
  readonly client: Client;
  readonly operation: PortableOperation<P, R, V, "pages">;
  readonly variables: Given<V>;
  readonly options: Omit<PageOptions, "chain" | "after"> & {
    readonly chain?: unknown;
    /** Whether the pages are a list for a screen, which may continue at a newer block. */
    readonly isScreen?: boolean;
    readonly state?: CallState;
  };
};

/** Reads the next page; for several chains, also the facts of the end. */
export type ReadNext = (index: number) => Promise<{
  readonly page: { readonly rows: readonly unknown[]; readonly cursor: string | null };
  readonly isLast?: boolean;
  readonly failed?: readonly string[];
}>;

/** Returns the start of the first page. */
export function firstPlace({ after }: Pick<PageOptions, "after">): Place {
  return { index: 0, after: after ?? null };
}

/** Returns how many rows a page has. */
export function sizeOfPage<P extends string, R, V>({
  operation,
  variables,
  options,
}: Walk<P, R, V>): unknown {
  const { first } = operation.page ?? refuseValue(operation.name, "an operation whose list has a cursor");
  return options.size ?? (variables as Readonly<Record<string, unknown>> | undefined)?.[first] ?? 1000;
}

/**
 * Reads a page.
 *
 * @param seen the text cursors of earlier pages, to which those of the page are added.
 * @returns also `end`, where the rows after the page begin, if there are any.
 * @throws IndexerError with the cursor to continue from.
 */
export async function readPage<P extends string, R, V>(
  walk: Walk<P, R, V>,
  place: Place,
  seen?: Set<string | null>,
): Promise<PageRead<Row<R>> & { readonly end: Place }> {
  const { client, operation, variables, options } = walk;
  const { index, after, style: wanted = options.style, block: pin } = place;
  const size = sizeOfPage(walk);
  const cursors = operation.page as PagePlan;
  const asked = { ...beginAfter(operation, variables, after), [cursors.first]: size } as Given<V>;
  // The block of the earlier pages has reached `minBlock`.
  const minBlock = pin ? undefined : options.minBlock;
  const readOptions = { ...options, style: wanted, block: pin ?? options.block, minBlock } as RunOptions;
  const isPin = index > 0 && pin;
  try {
    const ask = () => run(client as Client<Project>, operation, asked, readOptions);
    const { data, head, style, chain } = await (isPin ? retryPinned(client, options, ask) : ask());
    const rows = data[cursors.key as never] as readonly Row<R>[];
    const last = readCursors(rows as readonly object[], cursors, { after, seen });
    if (last === undefined) {
      throw new IndexerError("inconsistent", `The page after ${after} has a row at or before that cursor.`, {
        style,
      });
    }
    const isPinned = operation.past === style;
    const isOpen = isPinned && !options.block && !operation.pinned;
    const block = pin ?? (isOpen && head ? blockOf(head) : undefined);
    // If the row cap of an indexer is unknown, a short page may not be the last one.
    const isKnown = isPinned || findTarget({ client, operation }, style, chain)?.limits?.maxRows;
    const hasMore = rows.length > 0 && !(rows.length < Number(size) && isKnown);
    const end = { index: index + 1, after: last, style, block };
    return { page: { rows, cursor: last, hasMore, head, style, index }, next: hasMore ? end : null, end };
  } catch (error) {
    const failure = failureOf(error, options);
    if (options.isScreen && isPin && failure.code === "pruned") {
      const read = await readPage(walk, { ...place, block: undefined }, seen);
      return { ...read, page: { ...read.page, isRepinned: true } };
    }
    const other = client.styles.find((style) => style !== wanted);
    if (options.switchStyle && wanted && other && !FINAL.includes(failure.code)) {
      const once = { ...walk, options: { ...options, switchStyle: false } };
      return readPage(once, { index, after, style: other }, seen);
    }
    throw throwable(plainOf(failure), { cursor: after });
  }
}

/** Retries a page if a replica does not have the block yet that another replica had for the earlier page. */
async function retryPinned<T>(client: Client, options: CallOptions, ask: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await ask();
    } catch (error) {
      const { code, message } = failureOf(error, options);
      const isEarly = code === "behind" || (code === "pruned" && message.includes("with that hash"));
      if (!isEarly || retry >= client.retries) throw error;
      await wait(options.signal, 500 * 2 ** retry);
    }
  }
}

/** Returns the block of all pages. */
export function blockOf({ hash, block }: Head): BlockRef<number> {
  return hash ? { hash } : { number: block };
}
