import type { StyleName } from "../manifest/manifest-types.ts";
import { rowOf } from "./chain-ref.ts";
import type { Inquiry } from "./client-types.ts";
import { healthOperation, takeHeads } from "./heads.ts";
import { failureOf, IndexerError } from "./indexer-error.ts";
import { findTarget, queryEndpoint } from "./query-endpoint.ts";
import { sleep } from "./wait.ts";

/**
 * Polls the heads of a chain until an indexer has the block.
 *
 * @returns the style of that indexer, or an error at the deadline.
 * @throws the reason of the signal if it is aborted.
 */
export async function waitForBlock<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  chain: string,
  least: number,
): Promise<StyleName | IndexerError> {
  const { client, signal } = inquiry;
  let best = 0;
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    try {
      await sleep(pause, signal);
    } catch (error) {
      failureOf(error, signal);
      const missingBlocks = least - best;
      const message = `No indexer of ${chain} has block ${least}: ${missingBlocks} blocks are missing.`;
      return new IndexerError("behind", message, { missingBlocks });
    }
    for (const style of client.styles) {
      try {
        const block = await readBlock(inquiry, style, chain);
        if (block >= least) return style;
        best = Math.max(best, block);
      } catch (error) {
        // An indexer that fails now may have the block at the next poll.
        failureOf(error, signal);
      }
    }
  }
}

/** Returns the last block that an indexer has of a chain; 0 if the style does not serve it, or has no block. */
export async function readBlock<P extends string, R, V>(
  { client: own, operation: { protocol }, signal }: Inquiry<P, R, V>,
  style: StyleName,
  chain: string,
): Promise<number> {
  const row = rowOf(own, chain);
  const client = { ...own, freshness: false, maxLag: undefined };
  const question = { client, operation: healthOperation(protocol, [row.chainId]), variables: {}, signal };
  const target = findTarget(question, style, chain);
  if (!target) return 0;
  const { data } = (await queryEndpoint(question, style, target, [chain]))(chain);
  return Math.max(0, takeHeads(data, style, 0)?.(row)?.head.block ?? 0);
}
