import type { StyleName } from "../manifest/manifest-types.ts";
import { askEndpoint, findTarget } from "./ask-endpoint.ts";
import { rowOf } from "./chain-ref.ts";
import type { Inquiry } from "./client-types.ts";
import { healthOperation, takeHeads } from "./heads.ts";
import { failureOf, IndexerError } from "./indexer-error.ts";
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
  const { signal } = inquiry;
  const row = rowOf(inquiry.client, chain);
  const client = { ...inquiry.client, freshness: false, maxLag: undefined };
  const operation = healthOperation(inquiry.operation.protocol, [row.chainId]);
  const question = { client, operation, variables: {}, signal };
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
        const target = findTarget(question, style, chain);
        if (!target) continue;
        const { data } = (await askEndpoint(question, style, target, [chain]))(chain);
        const block = takeHeads(data, style, 0)?.(row)?.head.block ?? 0;
        if (block >= least) return style;
        best = Math.max(best, block);
      } catch (error) {
        // An indexer that fails now may have the block at the next poll.
        failureOf(error, signal);
      }
    }
  }
}
