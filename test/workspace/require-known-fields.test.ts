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
  it.each<[name: string, definition: ProtocolDefinition]>([
    ["names no fields", {}],
    ["identifies its protocol by any field", { identity: { protocol: "Auction.bids" } }],
    ["identifies a chain by a scalar", { identity: { chain: "Counter.chainId" } }],
    ["has a chain path over a reference", { chainPath: { Bid: "auction" } }],
    ["has a chain path over a list", { chainPath: { Bidder: "bids", Bid: "auction" } }],
    [
      "has a chain path over several entities",
      { chainPath: { Refund: "note", Note: "by", Bidder: "bids", Bid: "auction" } },
    ],
    ["has a cursor", { cursors: { Auction: "serial" } }],
    ["has ids of any scalars", { ids: { Auction: "{tokenId}-{sold}" } }],
    ["has ids of scalars", { ids: { Auction: "{contract}-{chainId}-{tokenId}" } }],
  ])("%s", (_, definition) => {
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

  it("is rejected if a chain path leads back to its own entity", () => {
    const definition = { identity: { chain: "Counter.chainId" }, chainPath: { Note: "parent" } };
    expect(fault(definition)).toContain("leads to Note, which has no chainId, and back again.");
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
  it.each<[definition: ProtocolDefinition, want: string]>([
    [
      { identity: { protocol: "Auktion.reservePrice" } },
      '"protocols.auctions.identity.protocol" names Auktion.reservePrice, but there is no entity Auktion. did you mean Auction?',
    ],
    [
      { identity: { protocol: "Auction.reservPrice" } },
      '"protocols.auctions.identity.protocol" names Auction.reservPrice, but Auction has no field reservPrice. did you mean Auction.reservePrice?',
    ],
    [
      { identity: { chain: "Watcher.chainId" } },
      '"protocols.auctions.identity.chain" names Watcher.chainId, but there is no entity Watcher. known: Auction, Bid, Bidder, Counter, Note, Refund.',
    ],
    [
      { identity: { chain: "Auction.kind" } },
      '"protocols.auctions.identity.chain" names Auction.kind, which is of type Kind! and no single scalar. name one of its scalars: chainId, contract, id, reservePrice, serial, tokenId.',
    ],
    [
      { cursors: { Auction: "tags" } },
      '"protocols.auctions.cursors.Auction" names Auction.tags, which is of type [String!]! and no single scalar. name one of its scalars: chainId, contract, id, reservePrice, serial, tokenId.',
    ],
    [
      { cursors: { Auction: "sold" } },
      '"protocols.auctions.cursors.Auction" names Auction.sold, which is of type Boolean! and cannot tell rows apart. name one of its scalars: chainId, contract, id, reservePrice, serial, tokenId.',
    ],
    [
      { cursors: { constructor: "serial" } },
      '"protocols.auctions.cursors.constructor" names constructor.serial, but there is no entity constructor. known: Auction, Bid, Bidder, Counter, Note, Refund.',
    ],
    [
      { ids: { Auction: "{contract}-{chain}" } },
      '"protocols.auctions.ids.Auction" names Auction.chain, but Auction has no field chain. did you mean Auction.chainId?',
    ],
    [
      { ids: { Bid: "{auction}" } },
      '"protocols.auctions.ids.Bid" names Bid.auction, which is of type Auction! and no single scalar. name one of its scalars: id.',
    ],
    [
      { chainPath: { Bid: "aucton" } },
      '"protocols.auctions.chainPath.Bid" names Bid.aucton, but Bid has no field aucton. did you mean Bid.auction?',
    ],
    [
      { chainPath: { Bid: "id" } },
      '"protocols.auctions.chainPath.Bid" leads to Bid.id, which is of type ID! and refers to no entity. name a reference to an entity that has a chain, or a list of such entities.',
    ],
    [
      { chainPath: { Bid: "bidder" } },
      '"protocols.auctions.chainPath.Bid" leads to Bidder, which has no chainId. name a field that leads to an entity with a chain, or say in "protocols" how Bidder leads to one: chainPath.Bidder.',
    ],
    [
      { chainPath: { Note: "parent" } },
      '"protocols.auctions.chainPath.Note" leads to Note, which has no chainId, and back again. name a field that leads to an entity with a chain.',
    ],
  ])("error: %j", (definition, want) => {
    expect(fault(definition, [...MODELS].reverse())).toBe(`${want} ${AFTER_RENAMES}`);
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
  it.each<[name: string, key: string, definition: ProtocolDefinition | true, want: boolean]>([
    ["false for a built-in protocol", "lockup", true, false],
    ["false for a built-in protocol with fewer chains", "lockup", { chains: ["base"] }, false],
    [
      "false for a built-in protocol that repeats its own fields",
      "lockup",
      { identity: { protocol: "Stream.depositAmount" } },
      false,
    ],
    [
      "true for a built-in protocol with additional fields",
      "lockup",
      { cursors: { Stream: "position" } },
      true,
    ],
    ["true for a custom protocol with fields", "auctions", { ids: { Auction: "{id}" } }, true],
    ["false for a custom protocol without fields", "auctions", { title: "Auctions" }, false],
  ])("is %s", (_, key, definition, want) => {
    expect(namesFields(resolve(key, definition))).toBe(want);
  });
});
