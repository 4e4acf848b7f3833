import { describe, expect, it } from "vitest";
import type { ConfigError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import { resolveProtocols } from "../../src/project/protocols.ts";
import { AFTER_RENAMES, requireKnownFields } from "../../src/workspace/check-definitions.ts";
import { namesFields } from "../../src/workspace/definition-claims.ts";
import { catchError } from "../support/catch-error.ts";

const SDL = `
  enum Kind { english dutch }
  type Counter @entity { id: ID! chainId: BigInt! total: Int! }
  type Auction @entity {
    id: ID! chainId: BigInt! contract: Bytes! tokenId: BigInt! serial: BigInt! kind: Kind! tags: [String!]! sold: Boolean!
    reservePrice: BigInt! bids: [Bid!]! @derivedFrom(field: "auction")
  }
  type Bid @entity { id: ID! auction: Auction! bidder: Bidder! refund: Refund }
  type Bidder @entity { id: ID! bids: [Bid!]! @derivedFrom(field: "bidder") notes: [Note!]! @derivedFrom(field: "by") }
  type Note @entity { id: ID! by: Bidder! parent: Note text: String! }
  type Refund @entity { id: ID! note: Note! }
`;

const MODELS = (["multichain", "subgraph"] as const).map((style) =>
  styles[style].schemas.read(styles[style].deriver.derive(parseEntities(SDL, "auctions.graphql"))),
);

function resolve(key: string, definition: ProtocolDefinition | true) {
  const [resolved] = resolveProtocols({ protocols: { [key]: definition } });
  if (resolved === undefined) throw new Error(`There is no ${key}.`);
  return resolved;
}

function fault(definition: ProtocolDefinition, models = MODELS): string | null {
  const resolved = resolve("auctions", definition);
  try {
    requireKnownFields(resolved, models);
    return null;
  } catch (error) {
    const { sentence, hint, code } = error as ConfigError;
    expect(code).toBe("CONFIG_INVALID_VALUE");
    return `${sentence} ${hint}`;
  }
}

describe("a definition with known fields", () => {
  it.each<[definition: ProtocolDefinition]>([
    [{}],
    [{ identity: { protocol: "Auction.bids" } }],
    [{ identity: { chain: "Counter.chainId" } }],
    [{ chainPath: { Bid: "auction" } }],
    [{ chainPath: { Bidder: "bids", Bid: "auction" } }],
    [{ chainPath: { Refund: "note", Note: "by", Bidder: "bids", Bid: "auction" } }],
    [{ cursors: { Auction: "serial" } }],
    [{ ids: { Auction: "{tokenId}-{sold}" } }],
    [{ ids: { Auction: "{contract}-{chainId}-{tokenId}" } }],
  ])("is accepted: %j", (definition) => {
    expect(fault(definition)).toBeNull();
  });

  it("may name an entity of one style only", () => {
    const [first, second] = MODELS.map((model, index) => ({
      ...model,
      definitions: model.definitions.filter(({ name }) => index === 0 || name !== "Auction"),
    }));
    if (first === undefined || second === undefined) throw new Error("There are two styles.");
    expect(fault({ cursors: { Auction: "serial" } }, [second, first])).toBeNull();
    expect(fault({ cursors: { Auction: "serial" } }, [second])).toMatch(/there is no entity Auction/);
  });

  it("may name another chain field, which ends the chain path of entities that have it", () => {
    const sdl =
      "type C @entity { id: ID! network: Int! } type A @entity { id: ID! network: Int! } type B @entity { id: ID! a: A! c: C! }";
    const model = [parseEntities(sdl, "sdl")];
    expect(fault({ identity: { chain: "C.network" }, chainPath: { B: "a" } }, model)).toBeNull();
    expect(fault({ identity: { chain: "C.id" }, chainPath: { B: "c" } }, model)).toBeNull();
    expect(fault({ identity: { chain: "C.id" }, chainPath: { B: "a" } }, model)).toMatch(
      /leads to A, which has no chainId/,
    );
  });

  it("is accepted without known models", () => {
    expect(fault({ cursors: { Auktion: "serial" } }, [])).toBeNull();
  });
});

describe("a definition with unknown fields", () => {
  const SCALARS = "name one of its scalars: chainId, contract, id, reservePrice, serial, tokenId.";

  it.each<[definition: ProtocolDefinition, want: string]>([
    [{ identity: { protocol: "Auktion.bids" } }, "but there is no entity Auktion. did you mean Auction?"],
    [{ identity: { protocol: "Auction.bid" } }, "but Auction has no field bid. did you mean Auction.bids?"],
    [
      { identity: { chain: "Watcher.chainId" } },
      "but there is no entity Watcher. known: Auction, Bid, Bidder, Counter, Note, Refund.",
    ],
    [{ identity: { chain: "Auction.kind" } }, `which is of type Kind! and no single scalar. ${SCALARS}`],
    [{ cursors: { Auction: "tags" } }, "which is of type [String!]! and no single scalar."],
    [{ cursors: { Auction: "sold" } }, "which is of type Boolean! and cannot tell rows apart."],
    [{ cursors: { constructor: "serial" } }, "but there is no entity constructor. known: Auction, Bid"],
    [
      { ids: { Auction: "{contract}-{chain}" } },
      "but Auction has no field chain. did you mean Auction.chainId?",
    ],
    [
      { ids: { Bid: "{auction}" } },
      "which is of type Auction! and no single scalar. name one of its scalars: id.",
    ],
    [{ chainPath: { Bid: "aucton" } }, "but Bid has no field aucton. did you mean Bid.auction?"],
    [
      { chainPath: { Bid: "id" } },
      "which is of type ID! and refers to no entity. name a reference to an entity that has a chain, or a list of such",
    ],
    [
      { chainPath: { Bid: "bidder" } },
      'which has no chainId. name a field that leads to an entity with a chain, or say in "protocols" how Bidder leads to one: chainPath.Bidder.',
    ],
    [
      { chainPath: { Note: "parent" } },
      "which has no chainId, and back again. name a field that leads to an entity with a chain.",
    ],
  ])("error: %j, %s", (definition, want) => {
    const [[part = "", keys = {}] = []] = Object.entries(definition);
    const [key] = Object.keys(keys as object);
    const found = fault(definition, [...MODELS].reverse());
    expect(found).toMatch(new RegExp(`^"protocols\\.auctions\\.${part}\\.${key}" (names|leads to) `));
    expect(found).toContain(`, ${want}`);
    expect(found?.endsWith(AFTER_RENAMES)).toBe(true);
  });

  it("error: reports all unknown fields, but not errors that follow from them", () => {
    const definition = resolve("auctions", {
      identity: { chain: "Counter.chian" },
      cursors: { Auction: "serail" },
      chainPath: { Bid: "bidder" },
    });
    const round = resolve("auctions", { chainPath: { Bidder: "notes", Note: "by" } });
    expect(catchError(() => requireKnownFields(round, MODELS))).toMatchObject({
      sentence: "2 names in the definition of auctions are wrong.",
    });
    expect(catchError(() => requireKnownFields(definition, MODELS))).toMatchObject({
      sentence: "2 names in the definition of auctions are wrong.",
      context: [
        '"protocols.auctions.identity.chain" names Counter.chian, but Counter has no field chian. Did you mean Counter.chainId?',
        '"protocols.auctions.cursors.Auction" names Auction.serail, but Auction has no field serail. Did you mean Auction.serial?',
      ],
    });
  });
});

describe("namesFields", () => {
  it.each<[key: string, definition: ProtocolDefinition | true, want: boolean]>([
    ["lockup", true, false],
    ["lockup", { chains: ["base"] }, false],
    // The built-in definition has this field.
    ["lockup", { identity: { protocol: "Stream.depositAmount" } }, false],
    ["lockup", { cursors: { Stream: "position" } }, true],
    ["auctions", { ids: { Auction: "{id}" } }, true],
    ["auctions", { title: "Auctions" }, false],
  ])("of %s with %j is %s", (key, definition, want) => {
    expect(namesFields(resolve(key, definition))).toBe(want);
  });
});
