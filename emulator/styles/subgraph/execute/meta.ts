import type { QueriedBlock } from "./resolve-block.ts";

/** The value of `_meta` (B.6). What is found by hash, a constraint by number does not give. */
export function metaValue({ number, block, hasIndexingErrors }: QueriedBlock, deployment: string): unknown {
  return {
    block: {
      number,
      hash: block?.hash ?? null,
      timestamp: block?.timestamp ?? null,
      parentHash: block?.parentHash ?? null,
    },
    deployment,
    hasIndexingErrors,
  };
}
