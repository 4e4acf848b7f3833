/** Every kind of field that both platforms accept, nullable and not. The enum's members are not sorted. */
export const RICH_SCHEMA = `
  enum Mood { WILD CALM BRISK }
  type Port @entity {
    id: ID!
    name: String!
    opened: Timestamp
    depth: BigDecimal!
    ships: [Ship!]! @derivedFrom(field: "home")
    visitors: [Ship!]! @derivedFrom(field: "last")
  }
  type Captain @entity {
    id: Bytes!
    name: String
    age: Int!
    ships: [Ship!]! @derivedFrom(field: "captain")
  }
  type Ship @entity {
    id: String!
    name: String
    motto: String!
    number: ID
    decks: Int!
    crew: Int
    tonnage: BigInt!
    debt: BigInt
    price: BigDecimal!
    speed: BigDecimal
    hull: Bytes!
    flag: Bytes
    afloat: Boolean!
    insured: Boolean
    mood: Mood!
    before: Mood
    launched: Timestamp!
    sunk: Timestamp
    tags: [String!]!
    aliases: [String!]
    berths: [Int!]!
    cargo: [BigInt!]!
    seals: [Bytes!]
    home: Port!
    last: Port
    captain: Captain
    mother: Ship
    daughters: [Ship!]! @derivedFrom(field: "mother")
  }
`;
