import type { Project } from "../manifest/project.ts";
import type { Client } from "./client-options.ts";
import type { Row } from "./merged.ts";
import type { Given, PortableOperation } from "./portable-operation.ts";
import { firstPlace, type Page, type PageOptions, type PageRead, type Place, readPage } from "./read-page.ts";

/** What a walk through all pages came to. */
export type PageEnd = {
  readonly pages: number;
  readonly rows: number;
  /** Of the last row; null where there was none. */
  readonly cursor: string | null;
  readonly complete: true;
};

/**
 * Walks through all rows of a chain by their cursor. The pages of a subgraph are of one block. A multichain indexer
 * knows no past: its pages have no gap and no row twice, but what came early may have changed since.
 *
 * @throws IndexerError with the `cursor` to go on from, and the reason of the signal where it is aborted.
 */
export async function* pages<T extends Project, P extends keyof T & string, R, V>(
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
