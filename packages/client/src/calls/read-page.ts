import type { BlockRef, Client } from "../client/client-types.ts";
import { failureOf, IndexerError, refuseValue } from "../client/indexer-error.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
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
  readonly block?: BlockRef | undefined;
};

/** A page, and the start of the next one; null after the last page. */
export type PageRead<T> = { readonly page: Page<T>; readonly next: Place | null };

/** Returns the start of the first page. */
export function firstPlace(options: Pick<PageOptions, "after" | "style" | "block">): Place {
  const { after = null, style, block } = options;
  return { index: 0, after, style, block };
}

/**
 * Reads a page.
 *
 * @throws IndexerError with the cursor to continue from.
 */
export async function readPage<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]> & { readonly seen?: Set<string>; readonly isScreen?: boolean },
  place: Place,
): Promise<PageRead<Row<R>> & { readonly end: Place }> {
  const { size: wanted, after: _, switchStyle, seen, isScreen, ...runOptions } = options;
  const cursors = operation.page ?? refuseValue(operation.name, "an operation whose list has a cursor");
  const { key, first } = cursors;
  const size = wanted ?? (variables as Readonly<Record<string, unknown>> | undefined)?.[first] ?? 1000;
  const asked = { ...beginAfter(operation, variables, place.after), [first]: size };
  const isPin = place.index > 0 && place.block !== undefined && options.block === undefined;
  try {
    // The block of the earlier pages has reached `minBlock`.
    const minBlock = place.block ? undefined : options.minBlock;
    const ask = () => run(client, operation, asked as Given<V>, { ...runOptions, minBlock, ...place });
    const { data, head, style, chain } = await (isPin ? retryPinned(client, options, ask) : ask());
    const rows = data[key as keyof R] as readonly Row<R>[];
    const last = readCursors(rows as readonly object[], cursors, place.after, seen);
    if (last === undefined) {
      throw new IndexerError(
        "inconsistent",
        `The page after ${place.after} has a row at or before that cursor.`,
        { style },
      );
    }
    const isPinned = operation.past === style;
    const block = place.block ?? (isPinned && head && !operation.pinned ? blockOf(head) : undefined);
    // If the row cap of an indexer is unknown, a short page may not be the last one.
    const isKnown = isPinned || findTarget({ client, operation }, style, chain)?.limits.maxRows;
    const isLast = rows.length === 0 || (rows.length < Number(size) && isKnown);
    const end = { index: place.index + 1, after: last, style, block };
    return { page: { rows, cursor: last, head, style, index: place.index }, next: isLast ? null : end, end };
  } catch (error) {
    const failure = failureOf(error, options);
    if (isScreen && isPin && failure.code === "pruned") {
      const read = await readPage(client, operation, variables, options, { ...place, block: undefined });
      return { ...read, page: { ...read.page, isRepinned: true } };
    }
    const other = client.styles.find((style) => style !== place.style);
    if (switchStyle && place.style && other && !FINAL.includes(failure.code)) {
      const elsewhere = { ...place, style: other, block: options.block };
      return readPage(client, operation, variables, { ...options, switchStyle: false }, elsewhere);
    }
    throw new IndexerError(failure.code, failure.message, {
      ...failure,
      cause: failure.cause,
      cursor: place.after,
    });
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
export function blockOf({ hash, block }: Head): BlockRef {
  return hash ? { hash } : { number: block };
}
