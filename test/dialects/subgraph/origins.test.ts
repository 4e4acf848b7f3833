import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../../src/dialects/canonicalize.ts";
import type { Entity, EntityModel } from "../../../src/dialects/entity-model.ts";
import { originKey } from "../../../src/dialects/origin.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { deriveSubgraph } from "../../../src/dialects/subgraph/derive.ts";
import { traceSubgraph } from "../../../src/dialects/subgraph/origins.ts";
import { readSubgraph } from "../../../src/dialects/subgraph/read.ts";
import { GRAPH_NODE_RELEASES } from "../../../src/dialects/subgraph/release.ts";
import { runs } from "../../support/runs.ts";
import { testEveryOrigin } from "../every-origin.ts";
import { changedCoordinates, modelEdits } from "../model-changes.ts";
import { plain, subgraphModels } from "./random-models.ts";

const SDL = `
  type _Schema_ @fulltext(name: "find" language: en algorithm: rank include: [{ entity: "Asset" fields: [] }])
  directive @note(text: String) on OBJECT
  enum Kind { Linear Tranched }
  interface Party { id: ID! name: String }
  input Range { from: Int }
  type Asset @entity { id: Bytes! symbol: String! symbol_not: Int streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity {
    id: ID!
    asset: Asset!
    owner: Party!
    kind: Kind!
    tags: [Bytes!]
    price(at: Int): BigInt
    days: [Day!]!
  }
  type Day @aggregation(intervals: ["day"], source: "Stream") {
    id: Int8! timestamp: Timestamp! kind: Kind! total: BigInt! @aggregate(fn: "sum", arg: "price")
  }
  type Stats @entity { id: ID! }
`;

const ROOTS = {
  queryType: "Query",
  mutationType: null,
  subscriptionType: "Subscription",
};

function keysOf(...models: readonly EntityModel[]): (coordinate: string) => string[] {
  const originsOf = traceSubgraph(models, ROOTS);
  return (coordinate) => originsOf(coordinate).map(originKey);
}

describe("origins", () => {
  const keys = keysOf(parseEntities(SDL, "test.graphql"));

  test.each([
    ["Asset", "Asset"],
    ["Asset.symbol", "Asset.symbol, Asset"],
    ["Kind", "Kind"],
    ["Kind.Linear", "Kind.Linear, Kind"],
    ["Party.name", "Party.name, Party"],
    ["Range.from", "Range.from, Range"],
    ["@note(text:)", "@note"],
    ["Stream.price(at:)", "Stream.price, Stream"],
    ["Asset.streams(where:)", "Asset.streams, Asset, Stream, platform list arguments"],
    ["Query.streams(where:)", "Stream, platform list arguments"],
    ["Stream.days(current:)", "platform current, Stream.days, Stream, Day, platform aggregations"],
    ["Stream_orderBy", "Stream, platform order values"],
    ["Stream_orderBy.price", "Stream.price, Stream, platform order values"],
    [
      "Stream_orderBy.asset__symbol",
      "Asset.symbol, Stream.asset, Asset, platform nested-order, Stream, platform order values",
    ],
    ["Asset_filter", "Asset, platform filters"],
    ["Asset_filter.symbol", "Asset.symbol, platform filters, Asset"],
    [
      "Asset_filter.symbol_not_in",
      "Asset.symbol_not, platform filter operator in, Asset.symbol, platform filter operator not_in, Asset, platform filters",
    ],
    [
      "Asset_filter.symbol_not_contains",
      "Asset.symbol, platform filter operator not_contains, Asset, platform filters",
    ],
    [
      "Stream_filter.asset_gt",
      "Stream.asset, Asset.id, Asset, platform filter operator gt, Stream, platform filters",
    ],
    [
      "Stream_filter.asset_",
      "Stream.asset, Asset.id, Asset, platform child filters, Stream, platform filters",
    ],
    ["Stream_filter.tags_contains_nocase", "Stream.tags, platform nocase on lists, Stream, platform filters"],
    ["Stream_filter.and", "platform and-or, Stream, platform filters"],
    ["Stream_filter._change_block", "platform _change_block, Stream, platform filters"],
    // An operator of an unknown release.
    ["Stream_filter.price_near", "platform filter operator near, Stream.price, Stream, platform filters"],
    ["Query.stream", "Stream, platform root fields"],
    ["Query.stream(id:)", "Stream, platform root fields"],
    ["Query.stats_collection", "Stats, platform root fields"],
    ["Query.streams(block:)", "platform block arguments, Stream"],
    ["Query.streams(subgraphError:)", "platform subgraphError arguments, Stream"],
    ["Query.find(text:)", "search find, Asset, platform list arguments"],
    ["Query._meta(block:)", "platform _meta"],
    ["Query._logs(level:)", "platform _logs"],
    ["Subscription", "platform Subscription"],
    ["Subscription.streams", "Stream, platform root fields, platform Subscription"],
    ["LogLevel.DEBUG", "platform _logs"],
    ["Block_height.number", "platform block arguments"],
    ["_Block_.parentHash", "platform _Block_.parentHash, platform _meta"],
    ["@derivedFrom(field:)", "platform directives"],
    ["Day", "Day, platform aggregations"],
  ])("of %s", (coordinate, want) => {
    expect(keys(coordinate).join(", ")).toBe(want);
  });

  test.each(["Nothing", "Nothing.at", "Nothing_filter.id", "Kind_filter", "Query.nothing", "@nothing", ""])(
    "of %j: none",
    (coordinate) => {
      expect(keys(coordinate)).toEqual([]);
    },
  );
});

test("the type of an interface's ids has its implementers as origins", () => {
  const sdl = "interface Party { id: ID! } type Stream @entity { id: ID! owner: Party! }";
  const sides = [sdl, `${sdl} type Account implements Party @entity { id: Int8! }`].map((text) =>
    parseEntities(text, "test.graphql"),
  );
  const [before, after] = sides.map((model) => deriveSubgraph(model));
  if (!before || !after) throw new Error("two sides");
  const changed = changedCoordinates(before, after).filter((coordinate) => coordinate.startsWith("Stream"));
  expect(changed).toContain("Stream_filter.owner");
  for (const coordinate of changed) expect(keysOf(...sides)(coordinate)).toContain("Account");
});

const releases = fc.constantFrom(...GRAPH_NODE_RELEASES);
const settings = fc
  .record({ release: releases, boolFilters: fc.boolean(), childSorting: fc.boolean() })
  .map((options) => () => options);

/** Models in which an entity sometimes also has a list of an aggregation. */
const models = fc.tuple(subgraphModels, fc.boolean()).map(([model, listed]): EntityModel => {
  if (!listed || !model.definitions.some(({ kind }) => kind === "aggregation")) return model;
  const field = { ...plain, name: "stats", type: "[Stats!]!" };
  return {
    ...model,
    definitions: model.definitions.map((each) =>
      each.kind === "entity" ? ({ ...each, fields: [...each.fields, field] } satisfies Entity) : each,
    ),
  };
});

const edits = modelEdits(
  ["String!", "String", "[String!]!", "Bytes", "[Bytes!]", "Int8", "BigInt", "Boolean", "Kind", "Party"],
  ["ID!", "Bytes!", "Int8!"],
);

testEveryOrigin({
  derive: (model, options) => canonicalize(deriveSubgraph(model, options)),
  read: readSubgraph,
  trace: (all) => traceSubgraph(all, ROOTS),
  models,
  settings,
  edits,
  leastChanges: runs(500, 1500),
});
