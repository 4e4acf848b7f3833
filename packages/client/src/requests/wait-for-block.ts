import type { Call } from "../client/client-types.ts";
import { failureOf, IndexerError } from "../client/indexer-error.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { healthOperation } from "./heads.ts";
import { readClock } from "./platform.ts";
import { findTarget, queryEndpoint } from "./query-endpoint.ts";
import { wait } from "./wait.ts";

/**
 * Polls the heads of a chain until an indexer has the block.
 *
 * @returns an error if the deadline passes before.
 * @throws the reason of the signal if it is aborted.
 */
export async function waitForBlock<P extends string, R, V>(
  call: Call<P, R, V>,
  chain: string,
  least: number,
): Promise<IndexerError | null> {
  let best = 0;
  for (let pause = 250; best < least; pause = Math.min(2 * pause, 4000)) {
    await wait(call.signal, Math.min(pause, call.end - readClock()));
    if (readClock() >= call.end) {
      const missingBlocks = least - best;
      const message = `No indexer of ${chain} has block ${least}: ${missingBlocks} blocks are missing.`;
      return new IndexerError("behind", message, { missingBlocks });
    }
    for (const style of call.styles) {
      try {
        best = Math.max(best, await readBlock(call, style, chain));
      } catch (error) {
        // An indexer that fails now may have the block at the next poll.
        failureOf(error, call);
      }
    }
  }
  return null;
}

/** Returns the last block that an indexer has of a chain; 0 if the style does not serve it, or has no block. */
export async function readBlock<P extends string, R, V>(
  call: Call<P, R, V>,
  style: StyleName,
  chain: string,
): Promise<number> {
  const operation = healthOperation(call.operation.protocol);
  const own = { ...call, operation, variables: {}, heads: true, block: undefined };
  const target = findTarget(own, style, chain);
  if (!target) return 0;
  const { head } = (await queryEndpoint({ ...own, minBlock: undefined, maxLag: undefined }, target, [chain]))(
    chain,
  );
  return Math.max(0, head?.block ?? 0);
}
