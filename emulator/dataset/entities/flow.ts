import { ACCOUNTING } from "../../../src/project/accounting-entities.ts";
import { ACTION, ASSET_AND_WATCHER, BATCH_AND_BATCHER, STREAM_FIELDS } from "./common.ts";

const ENUMS_TO_STREAM = `"""
What can happen to a Flow stream, or to all streams of an owner.
"""
enum ActionCategory {
  "addressA lets addressB handle the stream's token."
  Approval
  "addressA lets addressB handle every token it owns in the contract, or takes that back. Names no stream."
  ApprovalForAll
  "addressA, the sender, changes the rate that addressB is paid from amountB to amountA, both with 18 decimals."
  Adjust
  "addressA, the sender, opens a stream to addressB at the rate amountA, with 18 decimals."
  Create
  "addressA adds amountA to the balance."
  Deposit
  "addressA, the sender, sets the rate to zero; addressB, the recipient, is owed amountA at that moment."
  Pause
  "addressA, the sender, takes amountA back out of what is not owed yet."
  Refund
  "addressA, the sender, lets the stream pay again at the rate amountA, with 18 decimals."
  Restart
  "addressA hands the stream's token to addressB, who is the recipient from then on."
  Transfer
  "addressA, the recipient, ends the stream with addressB for good; amountA stays owed, amountB is forgiven."
  Void
  "addressA has amountB paid out to addressB."
  Withdraw
}

"""
There is one kind of Flow stream.
"""
enum StreamCategory {
  "Open-ended, at a rate."
  Flow
}

${ASSET_AND_WATCHER}
"""
A payment stream: a debt that grows at a rate per second, paid from a balance that anyone may top up. It can run
dry and go on owing. Amounts are in the asset's decimals unless said otherwise, times in Unix seconds.
"""
type Stream @entity(immutable: false) {
${STREAM_FIELDS}  "The balance: what was deposited less what was withdrawn and refunded."
  availableAmount: BigInt!
  "Account that opened the stream."
  creator: Bytes!
  "When the balance no longer covers the debt, going by the present rate. 0 while the rate is zero."
  depletionTime: BigInt!
  "Sum of all deposits."
  depositedAmount: BigInt!
  "Debt the recipient gave up by voiding the stream."
  forgivenDebt: BigInt!
  "Last action that changed the rate: Adjust, Pause, Restart or Void. Null while the first rate holds."
  lastAdjustmentAction: Action
  "When the rate was last changed; the start while the first rate holds."
  lastAdjustmentTimestamp: BigInt!
  "Whether the rate is zero because the stream was paused or voided."
  paused: Boolean!
  "Action that paused the stream, which may be the one that voided it. Null while the stream pays."
  pausedAction: Action
  "When the stream was paused. Null while the stream pays."
  pausedTime: BigInt
  "What accrues per second, always with 18 decimals whatever the asset has. Zero while the stream is paused."
  ratePerSecond: BigInt!
  "Sum of all refunds."
  refundedAmount: BigInt!
  "What had accrued when the rate was last changed, withdrawn or not but without forgiven debt. Has 18 decimals."
  snapshotAmount: BigInt!
  "Whether the stream has ended for good."
  voided: Boolean!
  "The Void action. Null while the stream has not been voided."
  voidedAction: Action
  "When the stream was voided. Null while it has not been."
  voidedTime: BigInt
}
`;

const ACTION_TO_BATCHER = `${ACTION}
${BATCH_AND_BATCHER}`;

/** The entity SDL of the Flow subgraphs. */
export const FLOW_ENTITIES = `${ENUMS_TO_STREAM}
${ACTION_TO_BATCHER}`;

/** The entity SDL of the multichain Flow indexer, which also stores accounts. */
export const FLOW_MULTICHAIN_ENTITIES = `${ENUMS_TO_STREAM}
${ACCOUNTING}
${ACTION_TO_BATCHER}`;
