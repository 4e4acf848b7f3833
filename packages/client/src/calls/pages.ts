import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import type { Given, PortableOperation } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import type { Row } from "./merged.ts";
import { type ChainPage, type ChainPageEnd, type ChainPageOptions, walkChains } from "./pages-of-chains.ts";
import { firstPlace, type Page, type PageOptions, type PageRead, type Place, readPage } from "./read-page.ts";

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
export function pages<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]> | ChainPageOptions<T[P]>,
): AsyncGenerator<unknown, unknown, undefined> {
  if ("chain" in options) return walkChain(client, operation, variables, options);
  const { chains, after, size, ...own } = options;
  return walkChains({ client, operation, variables, options: own }, { chains, after, size });
}

async function* walkChain<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "pages">,
  variables: Given<V>,
  options: PageOptions<T[P]>,
): AsyncGenerator<Page<Row<R>>, PageEnd, undefined> {
  let place: Place | null = firstPlace(options);
  let cursor = place.after;
  let count = 0;
  let rows = 0;
  const seen = new Set(cursor === null ? [] : [cursor]);
  while (place) {
    const { page, next }: PageRead<Row<R>> = await readPage(
      client,
      operation,
      variables,
      { ...options, seen },
      place,
    );
    place = next;
    if (page.rows.length === 0) continue;
    cursor = page.cursor;
    count++;
    rows += page.rows.length;
    yield page;
  }
  return { pages: count, rows, cursor, complete: true };
}
