import type { BuiltInProtocol } from "./definition.ts";

/** Flow: payments at a rate, from a balance. */
export const payments: BuiltInProtocol = {
  key: "flow",
  identity: { protocol: "Stream.ratePerSecond", chain: "Watcher.chainId" },
  // A batch exists because a stream does, and a batcher because a batch does.
  chainPath: { Batch: "streams", Batcher: "batches" },
  cursors: { Action: "subgraphId", Stream: "subgraphId" },
  ids: { Stream: "{contract}-{chainId}-{tokenId}" },
  enums: {
    ActionCategory: [
      ...["Adjust", "Approval", "ApprovalForAll", "Create", "Deposit", "Pause", "Refund", "Restart"],
      ...["Transfer", "Void", "Withdraw"],
    ],
    StreamCategory: ["Flow"],
  },
  start: {
    name: "StreamsByRecipient",
    comment:
      "The streams that pay an address, newest first. Addresses are lower-case, amounts in the asset's smallest unit.",
    entity: "Stream",
    rows: "streams",
    by: "recipient",
    order: "timestamp",
    isPaged: true,
    fields: [
      ...["id", "alias", "chainId", "sender", "recipient", "startTime", "withdrawnAmount"],
      ...["depositedAmount", "availableAmount", "ratePerSecond", "depletionTime", "paused", "voided"],
      ["asset", "symbol", "decimals"],
    ],
    sample: "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac",
  },
};
