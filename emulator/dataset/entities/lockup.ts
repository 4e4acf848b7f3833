import { ACCOUNTING } from "../../../src/project/accounting-entities.ts";
import { ACTION, ASSET_AND_WATCHER, BATCH_AND_BATCHER, STREAM_FIELDS } from "./common.ts";

const ENUMS_TO_STREAM = `"""
What can happen to a Lockup stream, or to all streams of an owner.
"""
enum ActionCategory {
  "addressA lets addressB handle the stream's token."
  Approval
  "addressA lets addressB handle every token it owns in the contract, or takes that back. Names no stream."
  ApprovalForAll
  "addressA, the sender, stops the stream: amountA returns to it, amountB remains for the recipient addressB."
  Cancel
  "addressA, the sender, deposits amountA for the recipient addressB."
  Create
  "addressA, the sender, gives up the right to cancel."
  Renounce
  "addressA hands the stream's token to addressB, who is the recipient from then on."
  Transfer
  "addressA has amountB paid out to addressB."
  Withdraw
}

"""
How the amount of a Lockup stream unlocks over time.
"""
enum StreamCategory {
  "Along a curve of segments."
  LockupDynamic
  "At a constant rate, perhaps after a cliff."
  LockupLinear
  "In steps at set times."
  LockupTranched
}

${ASSET_AND_WATCHER}
"""
A vesting stream: a deposit made in full at creation that unlocks for its recipient on a schedule. Amounts are in
the asset's decimals, times in Unix seconds.
"""
type Stream @entity(immutable: false) {
${STREAM_FIELDS}  "The Cancel action. Null while the stream has not been canceled."
  canceledAction: Action
  "The Renounce action. Null while the right to cancel has not been given up."
  renounceAction: Action
  "Whether the sender may still cancel."
  cancelable: Boolean!
  "Whether the sender has canceled."
  canceled: Boolean!
  "When the sender canceled. Null while the stream has not been canceled."
  canceledTime: BigInt
  "What was deposited at creation. A cancellation does not change it."
  depositAmount: BigInt!
  "Seconds from the start to the end."
  duration: BigInt!
  "When everything has unlocked."
  endTime: BigInt!
  "Account that paid the deposit."
  funder: Bytes!
  "What is left for the recipient: the deposit less what was withdrawn and what a cancellation returned."
  intactAmount: BigInt!
  "Owner of the proxy that acted as the sender. Null when there was no proxy."
  proxender: Bytes
  "Whether the sender is a proxy contract."
  proxied: Boolean!
  "When the right to cancel was given up. Null while it has not been."
  renounceTime: BigInt
  "Name of the curve the creator picked. Null in the releases that did not keep it."
  shape: String
  "Whether nothing but the initial unlock is due before the cliff. Null unless the stream is linear."
  cliff: Boolean
  "What unlocks at the cliff. Null without a cliff."
  cliffAmount: BigInt
  "When the cliff is. Null without a cliff."
  cliffTime: BigInt
  "Whether something unlocks at the start. Null unless the stream is linear and its release knows initial unlocks."
  initial: Boolean
  "What unlocks at the start. Null without an initial unlock."
  initialAmount: BigInt
  "The pieces of the curve, of a LockupDynamic stream only."
  segments: [Segment!]! @derivedFrom(field: "stream")
  "The steps, of a LockupTranched stream only."
  tranches: [Tranche!]! @derivedFrom(field: "stream")
}
`;

const ACTION_TO_TRANCHE = `${ACTION}
${BATCH_AND_BATCHER}
"""
One piece of a LockupDynamic stream's curve. With x as the share of its time that has passed, the share of its amount that
has unlocked is x to the power of its exponent.
"""
type Segment @entity(immutable: true) {
  "\`segment-{streamId}-{position}\`"
  id: String!
  "What unlocks from its start to its end."
  amount: BigInt!
  "What the stream has unlocked by its end, earlier segments included."
  endAmount: BigInt!
  "When it ends."
  endTime: BigInt!
  "Exponent with 18 decimals; 1000000000000000000 is a straight line."
  exponent: BigInt!
  "Place within the stream, from 0."
  position: BigInt!
  "What the stream has unlocked before its start."
  startAmount: BigInt!
  "When it starts, which is when the one before it ends."
  startTime: BigInt!
  "Stream it is a piece of."
  stream: Stream!
}

"""
One step of a LockupTranched stream: nothing of it is unlocked before its end, everything after.
"""
type Tranche @entity(immutable: true) {
  "\`tranche-{streamId}-{position}\`"
  id: String!
  "What unlocks at its end."
  amount: BigInt!
  "What the stream has unlocked by its end, earlier tranches included."
  endAmount: BigInt!
  "When it unlocks."
  endTime: BigInt!
  "Place within the stream, from 0."
  position: BigInt!
  "What the stream has unlocked before its end."
  startAmount: BigInt!
  "When the one before it unlocked; the stream's start for the first."
  startTime: BigInt!
  "Stream it is a step of."
  stream: Stream!
}
`;

/** The entity SDL of the Lockup subgraphs. */
export const LOCKUP_ENTITIES = `${ENUMS_TO_STREAM}
${ACTION_TO_TRANCHE}`;

/** The entity SDL of the multichain Lockup indexer, which also stores accounts. */
export const LOCKUP_MULTICHAIN_ENTITIES = `${ENUMS_TO_STREAM}
${ACCOUNTING}
${ACTION_TO_TRANCHE}`;
