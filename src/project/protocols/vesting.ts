import type { BuiltInProtocol } from "./definition.ts";

/** Lockup: a deposit that vests. */
export const vesting: BuiltInProtocol = {
  key: "lockup",
  identity: { protocol: "Stream.depositAmount", chain: "Watcher.chainId" },
  // A batch exists because a stream does, and a batcher because a batch does.
  chainPath: { Batch: "streams", Batcher: "batches" },
  cursors: { Action: "subgraphId", Stream: "subgraphId" },
  ids: { Stream: "{contract}-{chainId}-{tokenId}" },
};
