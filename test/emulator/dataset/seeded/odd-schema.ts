/** More than ten entities of every kind that graph-node accepts, with unusual references. */
export const ODD_SUBGRAPH = `
  "Who may own something."
  interface Owner {
    id: ID!
    name: String
    auctions: [Auction!]! @derivedFrom(field: "owner")
    badge: Badge! @derivedFrom(field: "owner")
  }
  enum Phase { Open Closed Settled }
  type _Schema_ @fulltext(
    name: "auctionSearch" language: en algorithm: rank
    include: [{ entity: "Auction", fields: [{ name: "title" }] }]
  )
  "One for each chain."
  type Counter @entity { id: ID! auctions: BigInt! bids: Int! }
  "Without a chain."
  type Token @entity(immutable: true) {
    id: Bytes!
    symbol: String!
    decimals: Int!
    supply: BigInt!
    auctions: [Auction!]! @derivedFrom(field: "token")
    feed: Feed @derivedFrom(field: "token")
  }
  type Person implements Owner @entity {
    id: ID!
    name: String
    auctions: [Auction!]! @derivedFrom(field: "owner")
    badge: Badge! @derivedFrom(field: "owner")
    born: Timestamp
  }
  type Guild implements Owner @entity {
    id: ID!
    name: String
    auctions: [Auction!]! @derivedFrom(field: "owner")
    badge: Badge! @derivedFrom(field: "owner")
    members: [Person!]!
  }
  type Badge @entity { id: ID! owner: Owner! number: Int! }
  type Auction @entity {
    id: ID!
    serial: BigInt!
    contract: Bytes!
    tokenId: BigInt!
    title: String!
    note: String
    token: Token!
    owner: Owner!
    reservePrice: BigDecimal!
    fee: BigDecimal
    isOpen: Boolean!
    phase: Phase!
    last: Phase
    opened: Timestamp!
    closed: Timestamp
    tags: [String!]!
    scores: [Int!]
    stakes: [BigInt!]!
    seals: [Bytes!]!
    flags: [Boolean!]!
    phases: [Phase!]!
    grid: [[Int!]!]
    before: Auction
    after: Auction @derivedFrom(field: "before")
    bids: [Bid!]! @derivedFrom(field: "auction")
    watchers: [Guild!]!
    lot: Lot!
  }
  type Bid @entity(immutable: true) { id: Bytes! auction: Auction! amount: BigInt! weight: Int8! ledger: Ledger }
  "Two that need each other."
  type Lot @entity { id: ID! box: Box! auctions: [Auction!]! @derivedFrom(field: "lot") }
  type Box @entity { id: ID! lot: Lot! }
  "Reached through its bids only."
  type Ledger @entity { id: ID! bids: [Bid!]! @derivedFrom(field: "ledger") total: BigInt! }
  type Feed @entity { id: ID! token: Token! price: BigDecimal! }
  type Price @entity(timeseries: true) { id: Int8! timestamp: Timestamp! token: Token! value: BigDecimal! volume: BigInt! }
  type PriceStats @aggregation(intervals: ["hour", "day"], source: "Price") {
    id: Int8!
    timestamp: Timestamp!
    token: Token!
    sum: BigDecimal! @aggregate(fn: "sum", arg: "value")
    high: BigDecimal! @aggregate(fn: "max", arg: "value")
    low: BigDecimal! @aggregate(fn: "min", arg: "value")
    opened: BigDecimal! @aggregate(fn: "first", arg: "value")
    closed: BigDecimal! @aggregate(fn: "last", arg: "value")
    ever: BigInt! @aggregate(fn: "sum", arg: "volume", cumulative: true)
    turnover: BigDecimal! @aggregate(fn: "sum", arg: "value * volume")
    trades: Int8! @aggregate(fn: "count")
  }
`;

/** The same for the multichain platform: without interfaces and roll-ups, with a chain id in every entity. */
export const ODD_MULTICHAIN = `
  enum Phase { Open Settled Closed Void }
  type Counter { id: ID! chainId: Int! auctions: BigInt! bids: Int! }
  type Token {
    id: String!
    chainId: Int!
    symbol: String!
    decimals: Int!
    supply: BigInt! @config(precision: 30)
    auctions: [Auction!]! @derivedFrom(field: "token_id")
  }
  type Person { id: ID! chainId: Int! name: String born: Timestamp }
  type Guild { id: ID! chainId: Int! name: String members: [String!]! }
  type Badge { id: ID! chainId: Int! owner_id: String! number: Int! }
  type Auction {
    id: ID!
    chainId: BigInt!
    serial: BigInt!
    contract: String!
    tokenId: BigInt!
    title: String!
    note: String
    token_id: String!
    owner_id: String!
    reservePrice: Float!
    fee: BigDecimal @config(precision: 6, scale: 2)
    isOpen: Boolean!
    phase: Phase!
    last: Phase
    opened: Timestamp!
    closed: Int
    tags: [String!]!
    scores: [Int!]
    stakes: [BigInt!]!
    seals: [String!]!
    before: Auction
    bids: [Bid!]! @derivedFrom(field: "auction")
    watchers: [String!]!
    lot: Lot!
    extra: Json
    settings: Json!
  }
  type Bid { id: ID! chainId: Int! auction: Auction! amount: BigInt! weight: BigInt! ledger: Ledger }
  type Lot { id: ID! chainId: Int! box: Box! auctions: [Auction!]! @derivedFrom(field: "lot") }
  type Box { id: ID! chainId: Int! lot: Lot! }
  type Ledger { id: ID! bids: [Bid!]! @derivedFrom(field: "ledger") total: BigInt! }
  type Feed { id: ID! chainId: Int! token: Token! price: Float! }
  type Price { id: BigInt! chainId: Int! timestamp: Timestamp! token: Token! value: Float! volume: BigInt! }
  type Payout { id: Int! chainId: String! bid: Bid! amount: BigInt! }
`;
