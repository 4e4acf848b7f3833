/** Every kind of field in an entity with a chain, and entities with and without a path to it. */
export const SCHEMA = `
  enum Mood { WILD CALM BRISK }
  type Port @entity {
    id: ID!
    chainId: BigInt!
    name: String!
    opened: Timestamp
    depth: BigDecimal!
    ships: [Ship!]! @derivedFrom(field: "home")
    visitors: [Ship!]! @derivedFrom(field: "last")
  }
  type Captain @entity {
    id: Bytes!
    chainId: BigInt!
    name: String
    age: Int!
    ships: [Ship!]! @derivedFrom(field: "captain")
  }
  type Ship @entity {
    id: String!
    chainId: BigInt!
    serial: BigInt!
    name: String
    motto: String!
    decks: Int!
    crew: Int
    tonnage: BigInt!
    debt: BigInt
    price: BigDecimal!
    hull: Bytes!
    flag: Bytes
    afloat: Boolean!
    insured: Boolean
    mood: Mood!
    before: Mood
    launched: Timestamp!
    tags: [String!]!
    aliases: [String!]
    berths: [Int!]!
    cargo: [BigInt!]!
    debts: [BigInt!]
    seals: [Bytes!]
    amount: BigInt!
    amount_in: BigInt!
    deep__water: Int!
    home: Port!
    last: Port
    captain: Captain
    mother: Ship
    daughters: [Ship!]! @derivedFrom(field: "mother")
    logs: [Log!]! @derivedFrom(field: "ship")
  }
  type Log @entity { id: ID!  ship: Ship!  text: String!  page: Page }
  type Page @entity { id: ID!  number: Int!  logs: [Log!]! @derivedFrom(field: "page") }
  type Lonely @entity { id: ID!  name: String! }
`;
