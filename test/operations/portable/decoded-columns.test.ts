import { describe, expect, it } from "vitest";
import type { DecodedColumns } from "../../../src/operations/portable/compiled-operation.ts";
import { compileOne, contextOf } from "./compile-text.ts";

const ENTITIES = `
  type Auction @entity(immutable: false) {
    id: ID!
    chainId: BigInt!
    endTime: BigInt!
    paidAt: Int
    lots: [BigInt!]!
    count: Int!
    share: BigDecimal!
    seller: Seller!
    bids: [Bid!]! @derivedFrom(field: "auction")
  }
  type Bid @entity(immutable: true) { id: ID! chainId: BigInt! auction: Auction! amount: BigInt timestamp: BigInt! }
  type Seller @entity(immutable: false) { id: ID! chainId: BigInt! name: String! }
`;
const context = contextOf(ENTITIES, { times: ["Auction.endTime", "Auction.paidAt", "*.timestamp"] });

describe("facts.columns lists the columns that a decoder converts", () => {
  it.each<[selection: string, want: DecodedColumns]>([
    ["{ auctions { id count seller { name } } }", {}],
    [
      "{ auctions { chainId endTime paidAt } }",
      { auctions: { chainId: "integer", endTime: "time", paidAt: "time" } },
    ],
    [
      "{ open: auctions { end: endTime bids { amount timestamp } } }",
      { open: { end: "time", bids: { amount: "integer", timestamp: "time" } } },
    ],
    [
      '{ auction(id: "a-1") { chainId bids { auction { endTime } } } }',
      { auction: { chainId: "integer", bids: { auction: { endTime: "time" } } } },
    ],
    [
      "{ auctions { ...Times seller { chainId } } } fragment Times on Auction { endTime bids { ...BidTimes } } fragment BidTimes on Bid { timestamp }",
      { auctions: { endTime: "time", bids: { timestamp: "time" }, seller: { chainId: "integer" } } },
    ],
  ])("of %s", (selection, want) => {
    expect(compileOne(`query Q ${selection}`, context).facts.columns).toEqual(want);
  });
});
