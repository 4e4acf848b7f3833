import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project } from "../manifest/manifest-types.ts";
import type { Row } from "./merged.ts";
import { pages } from "./pages.ts";
import type { ChainPage, ChainPageEnd, ChainPageOptions } from "./pages-of-chains.ts";

/** The chains whose rows are collected, and the most rows. */
export type AllOptions<C extends Chains = Chains, List = ChainList<C>> = ChainPageOptions<C, List> & {
  /** The most rows to return. @default 10_000 */
  readonly limit?: number | undefined;
};

/** The rows of several chains. */
export type AllRows<T, C extends string> = Pick<
  ChainPageEnd<C>,
  "cursor" | "heads" | "failed" | "errors" | "complete"
> & {
  readonly rows: readonly T[];
};

/**
 * Collects the rows of several chains, page by page.
 *
 * @returns the rows, and whether they are complete: no chain failed, and the limit was not exceeded.
 * @throws IndexerError if every chain fails, and the reason of the signal if it is aborted.
 */
export function all<T extends Project, P extends keyof T & string, R, V, const List extends ChainList<T[P]>>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  { limit, ...options }: AllOptions<T[P], List>,
): Promise<AllRows<Row<R>, KeysOf<T[P], List>>> {
  return collectRows(pages(client, operation, variables, options), limit);
}

/** Collects the rows of pages until there are more than the limit. */
export async function collectRows<T, C extends string>(
  walk: AsyncGenerator<ChainPage<T, C>, ChainPageEnd<C>, undefined>,
  limit = 10_000,
): Promise<AllRows<T, C>> {
  const rows: T[] = [];
  for (;;) {
    const { value } = await walk.next();
    // Only the end has `complete`.
    const { rows: read, cursor, heads, failed, errors, complete } = value as Read<T, C>;
    if (complete === undefined) for (const row of read) rows.push(row);
    if (complete !== undefined || rows.length > limit) {
      await walk.return(undefined as never);
      return { rows: rows.slice(0, limit), cursor, heads, failed, errors, complete: complete ?? false };
    }
  }
}

type Read<T, C extends string> = ChainPage<T, C> & Partial<Pick<ChainPageEnd<C>, "complete">>;
