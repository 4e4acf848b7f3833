import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import type { Row } from "./merged.ts";
import { type ChainPage, type ChainPageEnd, type ChainPageOptions, openChains } from "./pages-of-chains.ts";
import { firstPlace, type Page, type PageOptions, type ReadNext, readPage, type Walk } from "./read-page.ts";

/** The end of a walk through all pages. */
export type PageEnd = {
  readonly pages: number;
  readonly rows: number;
  /** The cursor of the last row; null without rows. */
  readonly cursor: string | null;
  readonly complete: true;
};

/**
 * Walks through all rows of a chain, or of several chains, by their cursor. The pages of a subgraph are of one block. A
 * multichain indexer has only its last block: its pages have no gap and no row twice, but earlier rows may have changed since.
 *
 * With `chains`, rows come in the operation's order over all chains. A chain that fails does not stop the others: it is in
 * `failed`, and is requested again once they have ended.
 *
 * @throws IndexerError with the `cursor` to continue from, and the reason of the signal if it is aborted.
 */
export function pages<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]>,
): AsyncGenerator<Page<Row<R>>, PageEnd, undefined>;
export function pages<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: ChainPageOptions<T[P], List>,
): AsyncGenerator<ChainPage<Row<R>, KeysOf<T[P], List>>, ChainPageEnd<KeysOf<T[P], List>>, undefined>;
export async function* pages<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]> | ChainPageOptions<T[P]>,
): AsyncGenerator<unknown, unknown, undefined> {
  const walk = { client, operation, variables, options };
  const readNext: ReadNext = "chain" in options ? openChain(walk, options) : openChains(walk, options);
  let count = 0;
  let rows = 0;
  for (;;) {
    const { page, isLast, ...end } = await readNext(count);
    const isEmpty = page.rows.length === 0;
    if (!isEmpty) {
      rows += page.rows.length;
      count++;
      yield page;
    }
    if (isEmpty || isLast)
      return { pages: count, rows, cursor: page.cursor, ...end, complete: !end.failed?.length };
  }
}

/** Returns a function that reads the next page of a chain. */
function openChain<P extends string, R, V>(
  walk: Walk<P, R, V>,
  options: Pick<PageOptions, "after">,
): ReadNext {
  const seen = new Set<string | null>();
  let place = firstPlace(options);
  return async () => {
    const { page, next, end } = await readPage(walk, place, seen);
    place = end;
    return { page, isLast: !next };
  };
}
