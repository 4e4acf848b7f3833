import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalize, flattenSchema, type SchemaMember } from "../../../src/dialects/canonicalize.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { readMultichain } from "../../../src/dialects/multichain/read.ts";
import { recognizeMultichain } from "../../../src/dialects/multichain/recognize.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import { runs } from "../../support/runs.ts";
import { derive, PARCELS } from "./fixtures.ts";
import { multichainModels } from "./random-models.ts";

const RELEASE_NAMES = Object.keys(RELEASES) as Release[];

describe("the release", () => {
  it.each<[release: Release, floor: string, entities: string, options?: DeriveOptions]>([
    ["2.27", "2.27", PARCELS],
    ["2.28", "2.28", PARCELS],
    ["2.29", "2.29", PARCELS],
    // 2.31 changes only lists of numbers.
    ["2.31", "2.29", PARCELS],
    ["3.0", "3.0", PARCELS],
    ["3.1", "3.0", PARCELS],
    ["3.0", "3.0", '"Text." type Depot { id: ID! }'],
    ["3.1", "3.1", '"Text." type Depot { id: ID! }'],
    ["3.1", "3.1", 'type Depot { "Text." id: ID! }'],
    ["3.5", "3.0", PARCELS],
    ["3.5", "3.5", "type Depot { id: BigInt! }"],
    ["3.6", "3.0", PARCELS],
    ["3.6", "3.6", PARCELS, { perChainEntities: true }],
    ["3.8", "3.8", PARCELS],
    ["3.10", "3.8", PARCELS],
    ["3.10", "3.10", "type Depot { id: ID! hash: Bytes! }", { bytesType: "uint8array" }],
    ["3.10", "3.10", "type Depot { id: ID! hashes: [Bytes!]! }", { bytesType: "uint8array" }],
    ["3.12", "3.12", PARCELS],
    ["3.12", "3.12", "type Depot { id: ID! hash: Bytes! }", { bytesType: "uint8array" }],
  ])("%s is recognized as %s: %s", (release, floor, entities, options) => {
    const schema = derive(entities, { release, ...options });
    expect(recognizeMultichain(schema).release).toBe(`envio-${floor}`);
    expect(recognizeMultichain(canonicalize(schema)).release).toBe(`envio-${floor}`);
  });

  it("with bytesType uint8array is recognized, and derives the same schema again", () => {
    const model = parseEntities("type Depot { id: ID! hash: Bytes hashes: [Bytes!]! }", "entities.graphql");
    const given = { release: "3.10", bytesType: "uint8array", aggregates: ["Depot"] } as const;
    const schema = deriveMultichain(model, given);
    const { options } = recognizeMultichain(schema);
    expect(options).toEqual(given);
    const again = deriveMultichain(readMultichain(schema), { ...options, asRead: true });
    expect(flattenSchema(again).map(shapeOf)).toEqual(flattenSchema(schema).map(shapeOf));
    expect(recognizeMultichain(deriveMultichain(model, { release: "3.10" })).options).not.toHaveProperty(
      "bytesType",
    );
  });

  it("is the floor for every model, and derives the same schema again", () => {
    fc.assert(
      fc.property(
        multichainModels,
        fc.constantFrom(...RELEASE_NAMES),
        fc.boolean(),
        fc.infiniteStream(fc.boolean()),
        (model, release, perChain, coins) => {
          const perChainEntities = perChain && RELEASES[release].perChainEntities;
          const aggregates = model.definitions.flatMap(({ kind, name }) =>
            kind === "entity" && coins.next().value ? [name] : [],
          );
          const schema = deriveMultichain(model, { release, perChainEntities, aggregates });
          const { release: floor, features, options } = recognizeMultichain(schema);
          const isDescribed = model.definitions.some(
            (each) =>
              each.kind === "entity" &&
              [each, ...each.fields].some(
                (one) => one.description !== null && !("derived" in one && one.derived),
              ),
          );
          const third: Release = perChainEntities ? "3.6" : isDescribed && release !== "3.0" ? "3.1" : "3.0";
          // Other releases show which they are.
          const floors: ReadonlyMap<Release, Release> = new Map([
            ["2.31", "2.29"],
            ["3.10", "3.8"],
            ...(["3.0", "3.1", "3.5", "3.6"] as const).map((each) => [each, third] as const),
          ]);
          expect(floor).toBe(`envio-${floors.get(release) ?? release}`);
          expect(features.filter((name) => name.startsWith("aggregates"))).toEqual(
            aggregates.map((name) => `aggregates of ${name}`).sort(),
          );
          // Only the type of numbers in lists shows 2.31, and only descriptions show 3.1.
          fc.pre(release !== "2.31");
          const again = deriveMultichain(model, options);
          expect(flattenSchema(again).map(shapeOf)).toEqual(flattenSchema(schema).map(shapeOf));
        },
      ),
      { numRuns: runs(2, 25), seed: 7 },
    );
  });

  it("is null if the schema is not a multichain indexer's", () => {
    const schema = parseSdl("type Query { a: Int }", "other");
    expect(recognizeMultichain(schema)).toMatchObject({ release: null, features: [] });
  });
});

describe("features", () => {
  it("are the platform's tables and the public aggregates", () => {
    const join = (options: DeriveOptions) =>
      recognizeMultichain(derive(PARCELS, options)).features.join(", ");
    expect(join({ release: "2.27" })).toBe(
      "bookkeeping tables, chain_metadata, db_write_timestamp, raw_events, subscriptions",
    );
    expect(join({ release: "2.28" })).toBe(
      "_meta, chain_metadata, db_write_timestamp, raw_events, subscriptions",
    );
    expect(join({ release: "2.29", aggregates: ["Parcel", "_meta"] })).toBe(
      "_meta, aggregates of Parcel, aggregates of _meta, chain_metadata, raw_events, subscriptions",
    );
    expect(join({ release: "3.8", perChainEntities: true })).toBe(
      "_meta, chain_metadata, counters as Float, ecosystem, event ids as bigint, per-chain entities, raw_events, subscriptions",
    );
  });

  it("do not include aggregates for a table named Foo_aggregate", () => {
    const schema = derive("type Foo { id: ID! } type Foo_aggregate { id: ID! }");
    expect(recognizeMultichain(schema).features.join()).not.toContain("aggregates of");
  });
});

function shapeOf({ coordinate, signature }: SchemaMember): string {
  return `${coordinate}: ${signature}`;
}
