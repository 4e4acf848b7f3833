import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { type Column, entityOf, readFacts } from "../../emulator/agreement/facts.ts";

/** Every kind of column, nullable and not, and relationships in both directions. The enum's members are not sorted. */
export const ENTITIES = `
  enum Mood { WILD CALM BRISK }
  type Hub {
    id: ID!
    name: String
    rank: Int!
    share: Float
    things: [Thing!]! @derivedFrom(field: "hub")
    guests: [Thing!]! @derivedFrom(field: "guest")
  }
  type Thing {
    id: ID!
    hub: Hub!
    guest: Hub
    tally: Tally
    code: String!
    words: String
    count: Int
    big: BigInt
    price: BigDecimal
    cents: BigDecimal @config(precision: 78, scale: 3)
    ratio: Float
    level: Float!
    open: Boolean!
    paid: Boolean
    mood: Mood
    at: Timestamp
    data: Json
    tags: [String!]
    sizes: [Int!]!
    rates: [Float!]
    sums: [BigInt!] @config(precision: 78)
    texts: [BigInt!]
  }
  type Tally { id: Int!  total: BigInt!  things: [Thing!]! @derivedFrom(field: "tally") }
`;

export const FACTS = readFacts(parseEntities(ENTITIES, "test.graphql"));

export function columnOf(entity: string, name: string): Column {
  const column = entityOf(FACTS, entity).columns.find((column) => column.name === name);
  if (column === undefined) throw new Error(`Unknown column ${entity}.${name}.`);
  return column;
}
