import { healthOperation } from "../../packages/client/src/calls/health.ts";
import { pages } from "../../packages/client/src/calls/pages.ts";
import { blockOf } from "../../packages/client/src/calls/read-page.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { BlockRef, Client } from "../../packages/client/src/client/client-types.ts";
import type { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import type { StyleName } from "../dialects/surface.ts";
import {
  type AskChainsOptions,
  type AskedRows,
  failureOf,
  type IndexerHead,
  type PagePlace,
  type Progress,
  type ReadHead,
  unreadable,
  withChain,
} from "./asked-rows.ts";
import { addCapped, countCapped } from "./capped-lists.ts";
import { requireBlock } from "./check-indexer.ts";
import type { Question } from "./prepare-question.ts";
import { buildRows } from "./rows.ts";

/** Yields the pages of one chain after the other. */
export async function* askPages(
  client: Client,
  question: Question,
  options: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  for (const chain of question.chains) {
    if (options.done.has(chain)) continue;
    const first = options.from.get(chain) ?? null;
    const asked: AskedChainPages = { chain, rows: 0, place: first, head: null, cappedLists: [] };
    let error: IndexerError | null = null;
    try {
      yield* askChainPages(client, question, options, asked);
    } catch (cause) {
      options.signal?.throwIfAborted();
      error = failureOf(cause);
    }
    const { place, ...facts } = asked;
    const { tried = [] } = error ?? {};
    options.onChain({ ...facts, cappedAt: null, style: place?.style ?? null, error, tried });
    if (error === null) yield { chain, rows: [], place, head: facts.head?.block ?? null, isLast: true };
  }
}

/** How far the pages of a chain are. */
type AskedChainPages = Progress & { readonly chain: string; place: PagePlace | null };

async function* askChainPages(
  client: Client,
  question: Question,
  options: AskChainsOptions,
  asked: AskedChainPages,
): AsyncGenerator<AskedRows, void, undefined> {
  const { operation, given, shape, chainKey } = question;
  const { chain, place: from } = asked;
  const block = await chooseBlock(client, question, options, chain);
  if (block === null) return;
  let pinned = from?.block ?? block ?? null;
  const { signal } = options;
  const call = { chain, signal, block: pinned ?? undefined, style: from?.style, after: from?.cursor };
  for await (const { rows, cursor, head, style } of pages(client, operation, given, call)) {
    const built = buildRows(rows, shape.fields);
    if (built === null || cursor === null) throw unreadable(chain, style as StyleName);
    if (operation.past === style) pinned ??= head && blockOf(head);
    asked.place = { cursor, style: style as StyleName, block: operation.past === style ? pinned : null };
    asked.head = head;
    asked.rows += built.length;
    asked.cappedLists = addCapped(asked.cappedLists, countCapped(built, shape.fields));
    const shown = withChain(built, chain, chainKey);
    yield { chain, rows: shown, place: asked.place, head: head?.block ?? null, isLast: false };
  }
}

/** Returns the block of the pages: undefined for the latest, null if the chain is too short. */
async function chooseBlock(
  client: Client,
  { protocol, operation, styles }: Question,
  { signal, block, confirmations = 0, sharesBlocks = false, past, ...more }: AskChainsOptions,
  chain: string,
): Promise<BlockRef<number> | undefined | null> {
  const { from, readHead = createHeadReader() } = more;
  const isContinued = from.get(chain)?.block != null;
  if (past && !isContinued) {
    const pastBlock = await past.find(chain);
    past.announce(pastBlock);
    return pastBlock.block;
  }
  const [style, ...others] = styles;
  const isOfStyle = style !== undefined && others.length === 0 && style === operation.past;
  if (block !== undefined || isContinued || !isOfStyle || (confirmations === 0 && !sharesBlocks)) {
    return block;
  }
  const head = await readHead(client, { protocol, chain, style, signal });
  if (confirmations === 0) return blockOf(head);
  const number = head.block - confirmations;
  return number < 0 ? null : { number };
}

/** Creates a reader of heads that requests each head once. */
export function createHeadReader(): ReadHead {
  const heads = new Map<string, Promise<IndexerHead>>();
  const read: ReadHead = async (client, { protocol, chain, style, signal }) => {
    const operation = { ...healthOperation(protocol), subgraph: HEAD_OF_SUBGRAPH };
    const full = { ...client, freshness: true };
    const { data, head } = await run(full, operation, {}, { chain, style, signal });
    if (head === null) throw unreadable(chain, style);
    const { deployment } = Object(data["indexer"]) as { readonly deployment?: unknown };
    return requireBlock({ ...head, deployment: typeof deployment === "string" ? deployment : null }, chain);
  };
  return (client, request) => {
    const key = `${request.protocol} ${request.chain} ${request.style}`;
    const head = heads.get(key) ?? read(client, request);
    heads.set(key, head);
    return head;
  };
}

const HEAD_OF_SUBGRAPH = "query Health($block: Block_height) {\n  indexer: _meta { deployment }\n}";
