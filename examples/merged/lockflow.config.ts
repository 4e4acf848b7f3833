import { defineConfig, defineProtocol } from "lockflow";

/** The indexer that took the place of two. What follows the identity is what `lockflow adapt` prints. */
const streams = defineProtocol({
  entities: "entities/streams.graphql",
  chains: ["ethereum", "base"],
  identity: { protocol: "LockupStream.depositAmount", chain: "Watcher.chainId" },
  chainPath: { LockupBatch: "streams", FlowBatch: "streams", Batcher: "lockupBatches" },
  cursors: {
    LockupAction: "subgraphId",
    LockupStream: "subgraphId",
    FlowAction: "subgraphId",
    FlowStream: "subgraphId",
  },
  ids: { LockupStream: "{contract}-{chainId}-{tokenId}", FlowStream: "{contract}-{chainId}-{tokenId}" },
  times: [
    "*.timestamp",
    "LockupStream.canceledTime",
    "LockupStream.cliffTime",
    "LockupStream.endTime",
    "LockupStream.renounceTime",
    "LockupStream.startTime",
    "Segment.endTime",
    "Segment.startTime",
    "Tranche.endTime",
    "Tranche.startTime",
    "FlowStream.depletionTime",
    "FlowStream.lastAdjustmentTimestamp",
    "FlowStream.pausedTime",
    "FlowStream.startTime",
    "FlowStream.voidedTime",
  ],
  amounts: {
    "18": ["FlowStream.ratePerSecond", "FlowStream.snapshotAmount"],
    "asset.decimals": [
      ...["cliffAmount", "depositAmount", "initialAmount", "intactAmount", "withdrawnAmount"].map(
        (field) => `LockupStream.${field}`,
      ),
      ...["actions.amountA", "actions.amountB"].map((path) => `LockupStream.${path}`),
      ...["segments", "tranches"].flatMap((list) =>
        ["amount", "endAmount", "startAmount"].map((field) => `LockupStream.${list}.${field}`),
      ),
      ...["availableAmount", "depositedAmount", "forgivenDebt", "refundedAmount", "withdrawnAmount"].map(
        (field) => `FlowStream.${field}`,
      ),
    ],
    "stream.asset.decimals": [
      ...["LockupAction.amountA", "LockupAction.amountB"],
      ...["Segment", "Tranche"].flatMap((entity) =>
        ["amount", "endAmount", "startAmount"].map((field) => `${entity}.${field}`),
      ),
    ],
  },
  clock: { block: "LockupAction.block", time: "LockupAction.timestamp" },
  updatedBy: "ActionsFeed.stream",
});

export default defineConfig({ brand: "example", protocols: { lockup: true, flow: true, streams } });
