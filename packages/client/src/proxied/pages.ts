import { type AllRows, collectRows } from "../calls/all.ts";
import type { Row } from "../calls/merged.ts";
import type { PageEnd } from "../calls/pages.ts";
import type { ChainPage, ChainPageEnd } from "../calls/pages-of-chains.ts";
import type { Page } from "../calls/read-page.ts";
import type { ChainList, KeysOf } from "../client/chain-ref.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { Given } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { platform } from "../requests/platform.ts";
import { readFailure, type Sent } from "./send.ts";
import { type Line, sendLines } from "./send-lines.ts";
import type {
  AllOptions,
  CallOptions,
  ChainPageOptions,
  Client,
  PageOptions,
  PortableOperation,
} from "./types.ts";

/**
 * Walks through all rows of a chain, or of several chains, by their cursor, as without a proxy.
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
export async function* pages(
  client: Client,
  operation: Sent["operation"],
  variables: unknown,
  { after, ...options }: CallOptions & { readonly after?: string | undefined },
): AsyncGenerator<unknown, unknown, undefined> {
  const stop = new platform.AbortController();
  let from: object = { after };
  let cursor: unknown = after ?? null;
  try {
    for (;;) {
      const sent = { call: "pages", operation, variables, options: { ...options, ...from }, stop };
      for await (const { page, next, end, more, ...facts } of readLines(client, sent)) {
        if (end) return facts;
        if (more) break;
        from = { next };
        cursor = (page as Page<unknown>).cursor;
        yield page;
      }
    }
  } catch (error) {
    if (!IndexerError.is(error)) throw error;
    throw error.cursor ? error : readFailure({ ...error.toJSON(), cause: error.cause, cursor });
  } finally {
    stop.abort();
  }
}

/** Returns the lines of an answer. They are received whether or not the caller asks for them, so that none is cut off. */
async function* readLines(client: Client, sent: Sent): AsyncGenerator<Line, void, undefined> {
  const lines: Line[] = [];
  let wake: (value: unknown) => void;
  const received = sendLines(client, sent, (line) => wake(lines.push(line)));
  for (;;) {
    const line = lines.shift();
    const next = new Promise((done) => {
      wake = done;
    });
    if (line) yield line;
    else await Promise.race([received, next]);
  }
}

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
