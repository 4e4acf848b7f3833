import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import { findProtocolDoubt } from "../../src/fleet/check-protocol.ts";
import { resolveProtocols, withBuiltIn } from "../../src/project/protocols.ts";

/** Entities of three fields each, such as `Lot` with `lot0`, `lot1`, `lot2`; `more` is SDL. */
function indexer(names: string, more = ""): EntityModel {
  const types = names
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => {
      const fields = [0, 1, 2].map((index) => `${name.toLowerCase()}${index}: Int!`);
      return `type ${name} @entity { id: ID! ${fields.join(" ")} }`;
    });
  return parseEntities([...types, more].join("\n"), "entities");
}

const AUCTIONS = indexer("Auction Bid Bidder House Lot Sale Token Fee Counter Refund");
/** Shares eight of its ten entities with auctions. */
const RAFFLES = indexer("Bid Bidder House Lot Sale Token Fee Counter Raffle Ticket");
/** All entities of auctions, and half as many more. */
const ESTATES = indexer(
  "Auction Bid Bidder House Lot Sale Token Fee Counter Refund Estate Heir Will Court Judge",
);
const POOLS = indexer("Pool Swap Tick Position Mint Burn");
const LOCKUP = entitiesOf("lockup", "subgraph");
const FLOW = entitiesOf("flow", "subgraph");

/** An indexer of vesting and payments: the entities of both, with all of their fields. */
const STREAMS: EntityModel = (() => {
  const merged = new Map(LOCKUP.definitions.map((definition) => [definition.name, definition]));
  for (const definition of FLOW.definitions) {
    const own = merged.get(definition.name);
    if (own?.kind !== "entity" || definition.kind !== "entity") merged.set(definition.name, definition);
    else {
      const names = new Set(own.fields.map(({ name }) => name));
      const fields = [...own.fields, ...definition.fields.filter(({ name }) => !names.has(name))];
      merged.set(definition.name, { ...own, fields });
    }
  }
  return { definitions: [...merged.values()], directives: [] };
})();

type Setup = {
  readonly protocols: Readonly<Record<string, ProtocolDefinition | true>>;
  /** The entities in the snapshots. */
  readonly known?: Readonly<Record<string, EntityModel>>;
  /** The entities in files that definitions name. */
  readonly declared?: Readonly<Record<string, EntityModel>>;
};

/** Returns the error about an indexer at the URL of a protocol, or null. */
function doubt(served: EntityModel, protocol: string, { protocols, known = {}, declared = {} }: Setup) {
  const knownModel = (key: string) => {
    const [snapshot, sdl] = [known[key], declared[key]];
    if (snapshot) return { model: snapshot, file: null };
    return sdl ? { model: sdl, file: `${key}.graphql` } : null;
  };
  const found = findProtocolDoubt(served, protocol, {
    knownModel,
    definitions: withBuiltIn(resolveProtocols({ protocols })),
  });
  return found && `${found.error.sentence} ${found.error.hint}`;
}

const edited = (model: EntityModel, from: RegExp, to: string): EntityModel =>
  JSON.parse(JSON.stringify(model).replaceAll(from, to));

describe("a protocol without a mark is recognized by its entities", () => {
  const setup: Setup = { protocols: { auctions: {} }, known: { auctions: AUCTIONS } };

  it.each<[name: string, served: EntityModel]>([
    ["unchanged", AUCTIONS],
    ["with many more entities", ESTATES],
    ["with all entities renamed", edited(AUCTIONS, /"name":"([A-Z]\w+)"/g, '"name":"Old$1"')],
  ])("%s", (_, served) => {
    expect(doubt(served, "auctions", setup)).toBeNull();
  });

  it.each<[name: string, served: EntityModel, want: string]>([
    [
      "an indexer of another project",
      POOLS,
      "It does not serve auctions: of the snapshot's 10 entities it has 0, and 0 of their 30 fields. correct its URL: its rows are another project's. If auctions really changed this much, delete its snapshot and introspect again.",
    ],
    ["a built-in protocol that is not configured", LOCKUP, "It serves lockup instead of auctions."],
  ])("%s is a wrong protocol", (_, served, want) => {
    expect(doubt(served, "auctions", setup)).toContain(want);
  });
});

describe("two protocols without marks that resemble each other", () => {
  const setup: Setup = {
    protocols: { auctions: {}, raffles: {}, estates: {} },
    known: { auctions: AUCTIONS, raffles: RAFFLES, estates: ESTATES },
  };
  const all = Object.entries({ auctions: AUCTIONS, raffles: RAFFLES, estates: ESTATES });
  const grown = (model: EntityModel): EntityModel => ({
    ...model,
    definitions: [...model.definitions, ...indexer("Extra").definitions],
  });
  const releases: readonly (readonly [how: string, change: (model: EntityModel) => EntityModel])[] = [
    ["unchanged", (model) => model],
    ["with a field renamed", (model) => edited(model, /"name":"fee0"/g, '"name":"fees"')],
    ["with one more entity", grown],
  ];

  it.each(
    all.flatMap(([at]) =>
      all.flatMap(([of, model]) => releases.map(([how, change]) => [at, of, how, change(model)] as const)),
    ),
  )("at the URL of %s, the schema of %s %s", (at, of, _how, served) => {
    const message = doubt(served, at, setup);
    if (at === of) return expect(message).toBeNull();
    expect(message).toContain(`It serves ${of} instead of ${at}.`);
    expect(message).toContain(
      `If it is ${at}, add protocols.${at}.identity.protocol: a field that only this protocol has.`,
    );
  });

  it("are not distinguished if both snapshots have the same schema", () => {
    const known = { auctions: AUCTIONS, raffles: AUCTIONS };
    expect(doubt(AUCTIONS, "raffles", { protocols: setup.protocols, known })).toBeNull();
  });

  it("are recognized by a mark, whatever the other entities", () => {
    const protocols = { ...setup.protocols, auctions: { identity: { protocol: "Auction.auction0" } } };
    expect(doubt(ESTATES, "auctions", { ...setup, protocols })).toBeNull();
  });
});

describe("without a snapshot", () => {
  const protocols = { auctions: {}, raffles: {} };

  it("every schema is accepted if there is neither a mark nor entity SDL", () => {
    for (const served of [AUCTIONS, POOLS, LOCKUP])
      expect(doubt(served, "auctions", { protocols })).toBeNull();
  });

  it("a schema without entities of its style is rejected", () => {
    const { subgraph, multichain } = styles;
    for (const served of [
      { definitions: [], directives: [] },
      subgraph.schemas.read(multichain.deriver.derive(AUCTIONS)),
      multichain.schemas.read(subgraph.deriver.derive(AUCTIONS)),
    ]) {
      expect(doubt(served, "auctions", { protocols })).toContain(
        "It does not serve auctions: its schema has no entities of this style.",
      );
    }
  });

  it("the entity SDL decides", () => {
    const setup: Setup = { protocols, declared: { auctions: AUCTIONS, raffles: RAFFLES } };
    expect(doubt(AUCTIONS, "auctions", setup)).toBeNull();
    expect(doubt(RAFFLES, "auctions", setup)).toMatch(/^It serves raffles instead of auctions\./);
    expect(doubt(POOLS, "auctions", setup)).toBe(
      "It does not serve auctions: of the 10 entities in auctions.graphql it has 0, and 0 of their 30 fields. correct its URL: its rows are another project's. If auctions really changed this much, correct auctions.graphql.",
    );
  });

  it("a mark decides, as for the built-in protocols", () => {
    const setup: Setup = { protocols: { auctions: { identity: { protocol: "Auction.auction0" } } } };
    expect(doubt(AUCTIONS, "auctions", setup)).toBeNull();
    expect(doubt(edited(AUCTIONS, /auction0/g, "first"), "auctions", setup)).toBeNull();
    expect(doubt(POOLS, "auctions", setup)).toContain(
      "It does not serve auctions: it has neither auction0 nor an entity named Auction.",
    );
    expect(doubt(FLOW, "auctions", setup)).toContain("It serves flow instead of auctions.");
  });
});

describe("an indexer of vesting and payments combined", () => {
  const marks: ProtocolDefinition = {
    identity: { protocol: "Stream.depositAmount", chain: "Watcher.chainId" },
  };
  const misspelled = { identity: { protocol: "Strem.depositAmuont" } };
  const ALL: Setup = {
    protocols: { streams: {}, lockup: true, flow: true },
    known: { streams: STREAMS, lockup: LOCKUP, flow: FLOW },
  };
  const known = { streams: STREAMS };

  it.each<[name: string, setup: Setup]>([
    ["by its mark, without a snapshot", { protocols: { streams: marks } }],
    ["by its mark", { protocols: { streams: marks }, known }],
    [
      "by its entities, although it has the marks of two other protocols",
      { protocols: { streams: {} }, known },
    ],
    [
      "by its entities, if its mark is misspelled",
      { protocols: { streams: misspelled }, declared: { streams: STREAMS } },
    ],
    ["without a mark or a snapshot", { protocols: { streams: {} } }],
    ["with the two other protocols configured", ALL],
  ])("is accepted as its own protocol %s", (_, setup) => {
    expect(doubt(STREAMS, "streams", setup)).toBeNull();
  });

  it("is accepted at the URL of lockup, because it has the mark of lockup", () => {
    expect(doubt(STREAMS, "lockup", ALL)).toBeNull();
    expect(doubt(STREAMS, "lockup", { protocols: { lockup: true }, known: { lockup: LOCKUP } })).toBeNull();
  });

  it("is separated from lockup by its entities if both are configured with one mark", () => {
    const both: Setup = { protocols: { streams: marks, lockup: true }, known: { ...known, lockup: LOCKUP } };
    expect(doubt(STREAMS, "streams", both)).toBeNull();
    expect(doubt(LOCKUP, "lockup", both)).toBeNull();
    expect(doubt(LOCKUP, "streams", both)).toContain("It serves lockup instead of streams.");
    expect(doubt(STREAMS, "lockup", both)).toContain("It serves streams instead of lockup.");
  });

  it.each<[name: string, setup: Setup]>([
    ["by the mark of one", { protocols: { streams: marks }, known }],
    ["by its entities", { protocols: { streams: {} }, known }],
    ["by its entities beside them", ALL],
  ])("recognized %s is distinguished from lockup and flow", (_, setup) => {
    expect(doubt(LOCKUP, "streams", setup)).toContain("It serves lockup instead of streams.");
    expect(doubt(FLOW, "streams", setup)).toContain("It serves flow instead of streams.");
    // A release with a renamed mark keeps nearly all other fields.
    for (const mark of [/ratePerSecond/g, /depositAmount|ratePerSecond/g]) {
      expect(doubt(edited(STREAMS, mark, "deposits"), "streams", setup)).toBeNull();
    }
  });
});
