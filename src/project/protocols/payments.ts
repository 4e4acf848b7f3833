import type { BuiltInProtocol } from "./definition.ts";

/** Flow: payments at a rate, from a balance. */
export const payments: BuiltInProtocol = {
  key: "flow",
  identity: { protocol: "Stream.ratePerSecond", chain: "Watcher.chainId" },
  // A batch exists because a stream does, and a batcher because a batch does.
  chainPath: { Batch: "streams", Batcher: "batches" },
  cursors: { Action: "subgraphId", Stream: "subgraphId" },
  ids: { Stream: "{contract}-{chainId}-{tokenId}" },
};
