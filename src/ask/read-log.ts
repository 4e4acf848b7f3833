import type { Client } from "../../packages/client/src/client/client-types.ts";
import type { Failure, IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import { findTarget } from "../../packages/client/src/requests/query-endpoint.ts";
import type { StyleName } from "../dialects/surface.ts";
import { failureOf, type LogBatch, type Progress } from "./asked-rows.ts";
import { KeptRows } from "./check-indexer.ts";
import type { Question } from "./prepare-question.ts";
import { type ReadLogOptions, readChain } from "./read-chain.ts";

/** Yields the rows of each chain that are new or changed for a log, or all of them. */
export async function* readLog(
  client: Client,
  question: Question,
  options: ReadLogOptions,
): AsyncGenerator<LogBatch, void, undefined> {
  for (const chain of question.chains.filter((key) => (options.only ?? key) === key)) {
    const tried: Failure[] = [];
    const progress: Progress = { rows: 0, head: null, cappedLists: [] };
    let answering: StyleName | null = null;
    let error: IndexerError | null = null;
    for (const style of orderStyles(client, question, options, chain)) {
      let isBegun = false;
      try {
        for await (const batch of readChain(client, question, { ...options, chain, style, progress })) {
          isBegun = true;
          yield batch;
        }
        answering = style;
        error = null;
        break;
      } catch (cause) {
        options.signal?.throwIfAborted();
        error = failureOf(cause);
        tried.push({ style, error: error.toJSON() });
        if (isBegun || cause instanceof KeptRows) break;
      }
    }
    options.onChain({ ...progress, chain, style: answering, error, tried, cappedAt: null });
  }
}

/** Returns the styles that serve a chain: subgraphs first if a past block is wanted. */
function orderStyles(
  client: Client,
  { operation, styles }: Question,
  { confirmations }: ReadLogOptions,
  chain: string,
): readonly StyleName[] {
  const isServed = (style: StyleName) => {
    try {
      return findTarget({ client, operation }, style, chain) !== null;
    } catch {
      // The request explains it.
      return true;
    }
  };
  const served = styles.filter(isServed);
  const past = served.filter((style) => style === operation.past && confirmations !== 0);
  return served.length === 0 ? styles : [...past, ...served.filter((style) => !past.includes(style))];
}
