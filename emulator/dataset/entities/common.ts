/**
 * The parts of the reference entity SDL that both protocols share. Composed as text, so that the result reads like an
 * author's file.
 */

/** The token that a stream pays in, and the counters of one chain. */
export const ASSET_AND_WATCHER = `"""
An ERC-20 token that at least one stream pays in.
"""
type Asset @entity(immutable: false) {
  "\`asset-{chainId}-{address}\`"
  id: String!
  "Address of the token contract."
  address: Bytes!
  "Chain the token lives on."
  chainId: BigInt!
  "How many decimals amounts of this token have: 6 means that 1000000 is one token."
  decimals: BigInt!
  "Name the token gives itself. Anyone can deploy a token of any name, so trust the address instead."
  name: String!
  "Ticker the token gives itself, with the same caution as its name."
  symbol: String!
  "Every stream that pays in this token."
  streams: [Stream!]! @derivedFrom(field: "asset")
}

"""
Counters of one chain. There is exactly one per chain and its id is the chain id, so it also tells which chain
an endpoint really serves.
"""
type Watcher @entity(immutable: false) {
  "The chain id as text."
  id: String!
  "Number of actions indexed so far, which is also the highest subgraphId of an action."
  actionCounter: BigInt!
  "Chain that is counted."
  chainId: BigInt!
  "Number of streams indexed so far, which is also the highest subgraphId of a stream."
  streamCounter: BigInt!
}
`;

/** The first fields of a stream in both protocols. */
export const STREAM_FIELDS = `  "\`{contract}-{chainId}-{tokenId}\`"
  id: String!
  "The same as the id with the short name of the contract in place of its address."
  alias: String!
  "Chain the stream lives on."
  chainId: BigInt!
  "Position of the stream in the order of creation on its chain, from 1 and without gaps. Page by it."
  subgraphId: BigInt!
  "ERC-721 token id within the contract. It means nothing without the contract."
  tokenId: BigInt!
  "Hash of the transaction that created the stream."
  hash: Bytes!
  "When the stream was created, in Unix seconds."
  timestamp: BigInt!
  "Everything that ever happened to the stream."
  actions: [Action!]! @derivedFrom(field: "stream")
  "Token the stream pays in."
  asset: Asset!
  "The asset's decimals, copied here so that amounts can be read without a second look-up."
  assetDecimalsValue: BigInt!
  "Transaction the stream was created in, alone or among others."
  batch: Batch!
  "Which kind of stream it is."
  category: StreamCategory!
  "Address of the contract that keeps the stream."
  contract: Bytes!
  "Place of the stream within its batch, from 0."
  position: BigInt!
  "Owner of the stream's token at present, who is paid."
  recipient: Bytes!
  "Who manages the stream."
  sender: Bytes!
  "When the stream starts to pay, in Unix seconds."
  startTime: BigInt!
  "Whether the stream's token may be handed on."
  transferable: Boolean!
  "Release of the contract, such as v1.1."
  version: String!
  "How much the recipient has taken out so far, in the asset's decimals."
  withdrawnAmount: BigInt!
`;

/** The record of one event; each protocol has its own values of `ActionCategory`. */
export const ACTION = `"""
One event of a contract, never changed once written. What its two addresses and two amounts mean depends on the
category.
"""
type Action @entity(immutable: true) {
  "\`action-{chainId}-{hash}-{logIndex}\`"
  id: String!
  "Position of the action in the order of events on its chain, from 1 and without gaps. Page by it."
  subgraphId: BigInt!
  "Number of the block."
  block: BigInt!
  "Chain it happened on."
  chainId: BigInt!
  "Account that sent the transaction."
  from: Bytes!
  "Hash of the transaction."
  hash: Bytes!
  "Time of the block, in Unix seconds."
  timestamp: BigInt!
  "What happened."
  category: ActionCategory!
  "Contract that emitted the event."
  contract: Bytes!
  "What was paid to the protocol, in the chain's native currency with 18 decimals. Null where no fee is asked."
  fee: BigInt
  "Stream it happened to. Null for an ApprovalForAll, which concerns every stream of an owner."
  stream: Stream
  "First party, see the category."
  addressA: Bytes
  "Second party, see the category."
  addressB: Bytes
  "First amount, see the category."
  amountA: BigInt
  "Second amount, see the category."
  amountB: BigInt
}
`;

/** The streams created in one transaction, and their creator. */
export const BATCH_AND_BATCHER = `"""
The streams one transaction created. A stream that was created alone has a batch of size 1, of which only the id
and the size are set.
"""
type Batch @entity(immutable: true) {
  "\`batch-{chainId}-{hash}-{batcher}\`"
  id: String!
  "Hash of the transaction. Null for a batch of one."
  hash: Bytes
  "Time of the transaction, in Unix seconds. Null for a batch of one."
  timestamp: BigInt
  "Who created the streams. Null for a batch of one."
  batcher: Batcher
  "Place among the batches of this batcher, from 0. Null for a batch of one."
  position: BigInt
  "Number of streams."
  size: BigInt!
  "The streams themselves."
  streams: [Stream!]! @derivedFrom(field: "batch")
}

"""
An account that created several streams at once.
"""
type Batcher @entity(immutable: false) {
  "\`batcher-{chainId}-{sender}\`"
  id: String!
  "Number of batches of two or more streams."
  batchCounter: BigInt!
  "The batches themselves."
  batches: [Batch!]! @derivedFrom(field: "batcher")
}
`;
