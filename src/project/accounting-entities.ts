/**
 * The entities that only the multichain indexers of the built-in protocols have: fees by day, and accounts with their
 * transactions. Their API does not show the descriptions.
 */
export const ACCOUNTING = `"""
Fees the protocol took on one chain during one UTC day.
"""
type Revenue @entity(immutable: false) {
  "\`revenue-{chainId}-date-{YYYY-MM-DD}\`"
  id: ID!
  "Sum of the day, in whole units of the currency."
  amount: Float!
  "Chain the fees were paid on."
  chainId: BigInt!
  "Ticker of the chain's native currency."
  currency: String!
  "The day as YYYY-MM-DD."
  date: String!
  "Midnight at which the day begins."
  dateTimestamp: Timestamp!
  "The payments that add up to the amount."
  transactions: [RevenueTransaction!]! @derivedFrom(field: "revenue")
}

"""
One payment of a fee.
"""
type RevenueTransaction @entity(immutable: true) {
  "\`revenueTransaction-{chainId}-{hash}\`"
  id: ID!
  "What was paid, in whole units of the chain's native currency."
  amount: Float!
  "Number of the block."
  block: BigInt!
  "Hash of the transaction."
  hash: Bytes!
  "Day the payment counts towards."
  revenue: Revenue!
  "Time of the block, in Unix seconds."
  timestamp: BigInt!
}

"""
An account that sent at least one transaction to the protocol on one chain.
"""
type User @entity(immutable: false) {
  "\`user-{chainId}-{address}\`"
  id: ID!
  "The account."
  address: Bytes!
  "Chain the account was seen on. The same account on two chains is two users."
  chainId: BigInt!
  "Whether the account has done nothing but claim airdrops."
  isOnlyAirdropClaimer: Boolean!
  "What the account sent."
  transactions: [UserTransaction!]! @derivedFrom(field: "user")
}

"""
One transaction of a user.
"""
type UserTransaction @entity(immutable: true) {
  "\`userTransaction-{chainId}-{hash}\`"
  id: ID!
  "Number of the block."
  block: BigInt!
  "Fee paid to the protocol, in whole units of the chain's native currency; 0 where none was asked."
  fee: Float!
  "Hash of the transaction."
  hash: Bytes!
  "Whether the transaction claimed an airdrop."
  isAirdropClaim: Boolean!
  "Time of the block, in Unix seconds."
  timestamp: BigInt!
  "Who sent it."
  user: User!
}
`;
