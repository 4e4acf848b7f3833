import { setMaxListeners } from "node:events";
import { each } from "../../packages/client/src/calls/each.ts";
import { mergeAnswers, sortRows, widenList } from "../../packages/client/src/calls/merged.ts";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Settled } from "../../packages/client/src/calls/start-call.ts";
import { watch } from "../../packages/client/src/calls/watch.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import type { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import { groupBy } from "../base/collections.ts";
import type { StyleName } from "../dialects/surface.ts";
import { askPages } from "./ask-pages.ts";
import {
  type AskChainsOptions,
  type AskedChain,
  type AskedRows,
  type BlockFinder,
  type FoundBlock,
  failureOf,
  unreadable,
  withChain,
} from "./asked-rows.ts";
import { countCapped } from "./capped-lists.ts";
import type { Question } from "./prepare-question.ts";
import { buildRows, type Row } from "./rows.ts";

/**
 * Asks the chains of a question, and yields their rows chain after chain; merged lists in the order of the list. A chain
 * that fails does not affect the others.
 *
 * @throws UsageError for invalid variables, and the reason of the signal when it is aborted.
 */
export async function* askChains(
  client: Client,
  question: Question,
  options: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  // Every request adds a listener to the signal; Node warns at 11.
  if (options.signal) setMaxListeners(0, options.signal);
  try {
    if (options.follow) yield* askNew(client, question, { ...options, ...options.follow });
    else if (question.mode === "pages") yield* askPages(client, question, options);
    else if (question.mode === "merged") yield* askMerged(client, question, options);
    else yield* askEach(client, question, options);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Yields new rows as they appear, until the signal is aborted. */
async function* askNew(
  client: Client,
  { operation, given, chains, shape, chainKey }: Question,
  options: Pick<AskChainsOptions, "signal"> & NonNullable<AskChainsOptions["follow"]>,
): AsyncGenerator<AskedRows, void, undefined> {
  const { signal, confirmations, onNotice } = options;
  const onError = ({ code, message }: IndexerError, chain: string) =>
    onNotice(`${chain} failed and is requested again: ${code}: ${message}`);
  const watched = watch(client, operation, given, { chains, signal, confirmations, onError });
  for await (const { chain, rows } of watched) {
    const built = buildRows(rows, shape.fields);
    if (built === null) throw unreadable(chain, null);
    yield { chain, rows: withChain(built, chain, chainKey), place: null, head: null, isLast: false };
  }
  signal?.throwIfAborted();
}

/** Yields one merged list of all chains. */
async function* askMerged(
  client: Client,
  question: Question,
  { signal, past, onChain }: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  const { operation, given, chains, shape, chainKey, chainIdKey, limit } = question;
  const { rows, results } = past
    ? await mergePast(client, question, { past, signal })
    : await mergeAnswers(client, operation, given, { chains, signal });
  const keys = new Map(chains.map((chain) => [String(client.routes.chains[chain]?.chainId), chain]));
  const chainOf = (row: unknown) => {
    const id = String((row as Row)[chainIdKey ?? ""]);
    return keys.get(id) ?? id;
  };
  const built = buildRows(rows, shape.fields);
  const merged = (built ?? []).map((row, at) => ({ row, chain: chainOf(rows[at]) }));
  const byChain = groupBy(merged, ({ chain }) => chain);
  // The limit is that of the whole list.
  const cappedAt = limit !== null && rows.length >= limit ? limit : null;
  for (const result of results) {
    const rows = (byChain.get(result.chain) ?? []).map(({ row }) => row);
    onChain(describe(result, built && rows, { cappedAt, fields: shape.fields }));
  }
  if (built === null || results.every(({ status }) => status === "failed")) return;
  const shown = merged.flatMap(({ row, chain }) => withChain([row], chain, chainKey));
  yield { chain: null, rows: shown, place: null, head: null, isLast: true };
}

async function* askEach(
  client: Client,
  question: Question,
  { signal, block, past, onChain }: AskChainsOptions,
): AsyncGenerator<AskedRows, void, undefined> {
  const { operation, given, chains, mode, shape, chainKey, limit } = question;
  const [first = ""] = chains;
  const results = past
    ? await settlePast(client, question, { past, signal })
    : mode === "run"
      ? [await settleRun(first, () => run(client, operation, given, { chain: first, signal, block }))]
      : await each(client, operation, given, { chains, signal });
  for (const result of results) {
    const rows = result.status === "ok" ? (result.data === NO_ROWS ? [] : shape.readRows(result.data)) : null;
    const cappedAt = limit !== null && (rows?.length ?? 0) >= limit ? limit : null;
    const asked = describe(result, rows, { cappedAt, fields: shape.fields });
    onChain(asked);
    if (rows === null || asked.error) continue;
    const { chain } = result;
    yield { chain, rows: withChain(rows, chain, chainKey), place: null, head: null, isLast: true };
  }
}

type Answer = Settled<Readonly<Record<string, unknown>>, string>;

/** The answer of a chain that had no rows yet. */
const NO_ROWS: Readonly<Record<string, unknown>> = {};

/** Asks each chain at its past block. */
async function settlePast(
  client: Client,
  { operation, given, chains }: Pick<Question, "operation" | "given" | "chains">,
  { past: finder, signal }: { readonly past: BlockFinder; readonly signal: AbortSignal | undefined },
): Promise<readonly Answer[]> {
  const blocks = new Map<string, FoundBlock>();
  const results = await Promise.all(
    chains.map((chain) =>
      settleRun(chain, async () => {
        const past = await finder.find(chain);
        blocks.set(chain, past);
        const { block } = past;
        if (block !== null) return run(client, operation, given, { chain, signal, block });
        return {
          status: "ok",
          chain,
          style: "subgraph",
          data: NO_ROWS,
          head: null,
          hasMore: false,
          tried: [],
        };
      }),
    ),
  );
  signal?.throwIfAborted();
  for (const chain of chains) {
    const past = blocks.get(chain);
    if (past) finder.announce(past);
  }
  return results;
}

/** Merges the lists of chains at their past blocks, as `mergeAnswers` does for the last ones. */
async function mergePast(
  client: Client,
  { operation, given, chains }: Question,
  options: Parameters<typeof settlePast>[2],
): Promise<{ readonly rows: readonly unknown[]; readonly results: readonly Answer[] }> {
  const { list } = operation;
  if (!list) throw new TypeError("only lists are merged");
  const { from, end, widened } = widenList<typeof given>(list, given);
  const results = await settlePast(client, { operation, given: widened, chains }, options);
  const rows = results.flatMap((result) =>
    result.status === "ok" ? ((result.data[list.key] as readonly unknown[] | undefined) ?? []) : [],
  );
  return { rows: sortRows([rows], list.order, end).slice(from), results };
}

async function settleRun(chain: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    const error = failureOf(cause);
    return { status: "failed", chain, error, tried: error.tried };
  }
}

/** @param rows null if the answer does not have the form of the schema. */
function describe(
  result: Answer,
  rows: readonly Row[] | null,
  { cappedAt, fields }: Pick<AskedChain, "cappedAt"> & Pick<Question["shape"], "fields">,
): AskedChain {
  const { chain, tried } = result;
  const capped = { cappedAt, cappedLists: countCapped(rows ?? [], fields) };
  if (result.status === "failed") {
    return { chain, rows: 0, style: null, head: null, error: result.error, tried, ...capped };
  }
  const style = result.style as StyleName;
  const error = rows === null ? unreadable(chain, style) : null;
  return { chain, rows: rows?.length ?? 0, style, head: result.head, error, tried, ...capped };
}
