import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { ProtocolDefinition } from "../../src/dialects/protocol.ts";
import { findProtocolDoubt } from "../../src/fleet/check-protocol.ts";
import { resolveProtocols, withBuiltIn } from "../../src/project/protocols.ts";

/** Entities of three fields each, such as `Lot` with `lot0`, `lot1`, `lot2`; `more` are written out. */
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
/** Eight of its ten entities are those of auctions. */
const RAFFLES = indexer("Bid Bidder House Lot Sale Token Fee Counter Raffle Ticket");
/** All of auctions, and half as much again. */
const ESTATES = indexer(
  "Auction Bid Bidder House Lot Sale Token Fee Counter Refund Estate Heir Will Court Judge",
);
const POOLS = indexer("Pool Swap Tick Position Mint Burn");
const LOCKUP = entitiesOf("lockup", "subgraph");
const FLOW = entitiesOf("flow", "subgraph");

/** An indexer of vesting and payments: the entities of both, with all of their fields. */
const STREAMS: EntityModel = (() => {
  const merged = new Map(LOCKUP.definitions.map((one) => [one.name, one]));
  for (const one of FLOW.definitions) {
    const own = merged.get(one.name);
    if (own?.kind !== "entity" || one.kind !== "entity") merged.set(one.name, one);
    else {
      const names = new Set(own.fields.map(({ name }) => name));
      const fields = [...own.fields, ...one.fields.filter(({ name }) => !names.has(name))];
      merged.set(one.name, { ...own, fields });
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

/** Returns the finding about an indexer at a URL of a protocol, or null. */
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

describe("a protocol without a mark is known by its entities", () => {
  const setup: Setup = { protocols: { auctions: {} }, known: { auctions: AUCTIONS } };

  it.each<[name: string, served: EntityModel]>([
    ["as they are", AUCTIONS],
    ["half of them", indexer("Auction Bid Bidder House Lot", "type New @entity { id: ID! a: Int }")],
    ["with many more", ESTATES],
    ["under other names", edited(AUCTIONS, /"name":"([A-Z]\w+)"/g, '"name":"Old$1"')],
  ])("%s", (_, served) => {
    expect(doubt(served, "auctions", setup)).toBeNull();
  });

  it.each<[name: string, served: EntityModel, want: string]>([
    [
      "another project's",
      POOLS,
      "It does not serve auctions: of the snapshot's 10 entities it has 0, and 0 of their 30 fields. correct its URL: its rows are another project's. If auctions really changed this much, delete its snapshot and introspect again.",
    ],
    [
      "fewer than half of them",
      indexer("Auction Bid Bidder House", "type New @entity { id: ID! a: Int }"),
      "It does not serve auctions: of the snapshot's 10 entities it has 4, and 12 of their 30 fields.",
    ],
    ["a built-in protocol that is not configured", LOCKUP, "It serves lockup instead of auctions."],
  ])("and %s is a wrong protocol", (_, served, want) => {
    expect(doubt(served, "auctions", setup)).toContain(want);
  });
});

describe("two protocols without marks that resemble each other", () => {
  const setup: Setup = {
    protocols: { auctions: {}, raffles: {}, estates: {} },
    known: { auctions: AUCTIONS, raffles: RAFFLES, estates: ESTATES },
  };
  const all = [
    ["auctions", AUCTIONS],
    ["raffles", RAFFLES],
    ["estates", ESTATES],
  ] as const;
  const renamed = (model: EntityModel) => edited(model, /"name":"fee0"/g, '"name":"fees"');
  const grown = (model: EntityModel): EntityModel => ({
    ...model,
    definitions: [...model.definitions, ...indexer("Extra").definitions],
  });

  it.each(
    all.flatMap(([at]) =>
      all.flatMap(([of, model]) =>
        (
          [
            ["as it is", model],
            ["with a field renamed", renamed(model)],
            ["with an entity more", grown(model)],
          ] as const
        ).map(([how, served]) => [at, of, how, served] as const),
      ),
    ),
  )("at a URL of %s, that of %s %s", (at, of, _how, served) => {
    const message = doubt(served, at, setup);
    if (at === of) expect(message).toBeNull();
    else {
      expect(message).toContain(`It serves ${of} instead of ${at}.`);
      expect(message).toContain(
        `If it is ${at}, add protocols.${at}.identity.protocol: a field that only this protocol has.`,
      );
    }
  });

  it("are one where one schema is deployed as both", () => {
    const known = { auctions: AUCTIONS, raffles: AUCTIONS };
    expect(doubt(AUCTIONS, "raffles", { protocols: setup.protocols, known })).toBeNull();
  });

  it("are recognized by a mark, whatever else changed", () => {
    const protocols = { ...setup.protocols, auctions: { identity: { protocol: "Auction.auction0" } } };
    expect(doubt(ESTATES, "auctions", { ...setup, protocols })).toBeNull();
  });
});

describe("before there is a snapshot", () => {
  const protocols = { auctions: {}, raffles: {} };

  it("nothing can be said without a mark and without an entity SDL", () => {
    for (const served of [AUCTIONS, POOLS, LOCKUP])
      expect(doubt(served, "auctions", { protocols })).toBeNull();
  });

  it("a schema without entities is not an indexer, or one of the other style", () => {
    const none = { definitions: [], directives: [] };
    expect(doubt(none, "auctions", { protocols })).toContain(
      "It does not serve auctions: its schema has no entities of this style.",
    );
    const crossed = styles.subgraph.schemas.read(styles.multichain.deriver.derive(AUCTIONS));
    expect(doubt(crossed, "auctions", { protocols })).toContain("its schema has no entities");
    expect(
      doubt(styles.multichain.schemas.read(styles.subgraph.deriver.derive(AUCTIONS)), "auctions", {
        protocols,
      }),
    ).toContain("its schema has no entities");
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

describe("an indexer of vesting and payments", () => {
  const marks: ProtocolDefinition = {
    identity: { protocol: "Stream.depositAmount", chain: "Watcher.chainId" },
  };

  it.each<[name: string, setup: Setup]>([
    ["by its mark, before anything is known", { protocols: { streams: marks } }],
    ["by its mark", { protocols: { streams: marks }, known: { streams: STREAMS } }],
    [
      "by its entities, which have the marks of two others",
      { protocols: { streams: {} }, known: { streams: STREAMS } },
    ],
    [
      "by its entities, where its mark is misspelt",
      {
        protocols: { streams: { identity: { protocol: "Strem.depositAmuont" } } },
        declared: { streams: STREAMS },
      },
    ],
    ["without anything known", { protocols: { streams: {} } }],
    [
      "beside the two",
      {
        protocols: { streams: {}, lockup: true, flow: true },
        known: { streams: STREAMS, lockup: LOCKUP, flow: FLOW },
      },
    ],
  ])("is one protocol, known %s", (_, setup) => {
    expect(doubt(STREAMS, "streams", setup)).toBeNull();
  });

  it("is taken at a URL of lockup for a release of it, as it has its mark", () => {
    const known = { streams: STREAMS, lockup: LOCKUP, flow: FLOW };
    const protocols = { streams: {}, lockup: true, flow: true } as const;
    expect(doubt(STREAMS, "lockup", { protocols, known })).toBeNull();
    expect(doubt(STREAMS, "lockup", { protocols: { lockup: true }, known: { lockup: LOCKUP } })).toBeNull();
  });

  it("is separated from lockup by its entities if both are configured with one mark", () => {
    const known = { streams: STREAMS, lockup: LOCKUP };
    const protocols = { streams: marks, lockup: true } as const;
    expect(doubt(STREAMS, "streams", { protocols, known })).toBeNull();
    expect(doubt(LOCKUP, "lockup", { protocols, known })).toBeNull();
    expect(doubt(LOCKUP, "streams", { protocols, known })).toContain("It serves lockup instead of streams.");
    expect(doubt(STREAMS, "lockup", { protocols, known })).toContain("It serves streams instead of lockup.");
  });

  it.each([
    ["by the mark of one", marks],
    ["by its entities", {}],
  ] as const)(
    "known %s is not what either of the two serves, also where they are not configured",
    (_, streams) => {
      const setup: Setup = { protocols: { streams }, known: { streams: STREAMS } };
      expect(doubt(LOCKUP, "streams", setup)).toContain("It serves lockup instead of streams.");
      expect(doubt(FLOW, "streams", setup)).toContain("It serves flow instead of streams.");
      // A release that renamed one of the marks has kept nearly all else.
      expect(doubt(edited(STREAMS, /ratePerSecond/g, "rate"), "streams", setup)).toBeNull();
      expect(doubt(edited(STREAMS, /depositAmount|ratePerSecond/g, "deposits"), "streams", setup)).toBeNull();
    },
  );

  it("is not what either of the two serves", () => {
    const known = { streams: STREAMS, lockup: LOCKUP, flow: FLOW };
    const protocols = { streams: {}, lockup: true, flow: true } as const;
    expect(doubt(LOCKUP, "streams", { protocols, known })).toContain("It serves lockup instead of streams.");
    expect(doubt(FLOW, "streams", { protocols, known })).toContain("It serves flow instead of streams.");
  });
});
