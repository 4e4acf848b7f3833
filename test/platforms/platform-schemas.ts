/** Every kind of field that graph-node has, in entities of every kind of id that refer to each other. */
export const RICH_ENTITIES = `
enum Mood { WILD CALM BRISK }
interface Thing { id: ID! label: String size: Int owner: Captain }
interface Sealed { id: Bytes! seal: Bytes }
interface Ghost { id: ID! size: Int }
type Port @entity(immutable: false) {
  id: ID!
  name: String!
  opened: Timestamp
  depth: BigDecimal!
  ships: [Ship!]! @derivedFrom(field: "home")
  visitors: [Ship!]! @derivedFrom(field: "last")
  keeper: Keeper @derivedFrom(field: "port")
}
type Keeper @entity(immutable: true) { id: Int8! port: Port! rank: Int8 name: String }
type Captain implements Sealed @entity(immutable: false) {
  id: Bytes!
  seal: Bytes
  name: String
  age: Int!
  ships: [Ship!]! @derivedFrom(field: "captain")
  things: [Thing!]! @derivedFrom(field: "owner")
  passport: Passport @derivedFrom(field: "captain")
  tallies: [Tally!]! @derivedFrom(field: "captain")
  idol: Thing
  witness: Sealed
}
type Passport implements Sealed @entity(immutable: true) { id: Bytes! seal: Bytes captain: Captain number: Int8! }
type Anchor implements Thing @entity(immutable: false) { id: ID! label: String size: Int owner: Captain weight: BigInt ship: Ship }
type Bell implements Thing @entity(immutable: true) { id: ID! label: String size: Int owner: Captain tone: Mood! }
type Ship @entity(immutable: false) {
  id: String!
  name: String
  motto: String!
  number: ID
  decks: Int!
  crew: Int
  masts: Int8
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
  rates: [BigDecimal!]
  seals: [Bytes!]
  moods: [Mood!]
  flags: [Boolean!]
  counts: [Int8!]
  times: [Timestamp!]
  home: Port!
  last: Port
  captain: Captain
  keeper: Keeper
  mother: Ship
  ports: [Port!]!
  crews: [Captain!]
  keepers: [Keeper!]
  toy: Thing
  toys: [Thing!]
  ghost: Ghost
  ghosts: [Ghost!]
  daughters: [Ship!]! @derivedFrom(field: "mother")
  anchors: [Anchor!]! @derivedFrom(field: "ship")
}
type Reading @entity(timeseries: true) { id: Int8! timestamp: Timestamp! place: String value: BigDecimal! count: Int captain: Captain }
type Tally @aggregation(intervals: ["hour", "day"], source: "Reading") {
  id: Int8!
  timestamp: Timestamp!
  place: String
  captain: Captain
  total: BigDecimal! @aggregate(fn: "sum", arg: "value")
  most: BigDecimal! @aggregate(fn: "max", arg: "value")
  readings: Int8! @aggregate(fn: "count", cumulative: true)
  latest: Int @aggregate(fn: "last", arg: "count")
}
type HourlyTally @aggregation(intervals: ["hour"], source: "Reading") {
  id: Int8!
  timestamp: Timestamp!
  captain: Captain
  readings: Int8! @aggregate(fn: "count")
}
`;
