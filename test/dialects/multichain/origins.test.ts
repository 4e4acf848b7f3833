import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { traceMultichain } from "../../../src/dialects/multichain/origins.ts";
import { readMultichain } from "../../../src/dialects/multichain/read.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import { originKey } from "../../../src/dialects/origin.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import { runs } from "../../support/runs.ts";
import { testEveryOrigin } from "../every-origin.ts";
import { modelEdits } from "../model-changes.ts";
import { PARCELS } from "./fixtures.ts";
import { multichainModels } from "./random-models.ts";

const ROOTS = {
  queryType: "query_root",
  mutationType: null,
  subscriptionType: "subscription_root",
};

function keysOf(...models: readonly EntityModel[]): (coordinate: string) => string[] {
  const originsOf = traceMultichain(models, ROOTS);
  return (coordinate) => originsOf(coordinate).map(originKey);
}

describe("origins", () => {
  const keys = keysOf(parseEntities(PARCELS, "test.graphql"));

  test.each([
    ["Parcel", "Parcel"],
    ["Parcel.weight", "Parcel.weight, Parcel"],
    ["Parcel.depot", "Parcel.depot, Depot, Parcel"],
    ["Parcel.depot_id", "Parcel.depot, Depot.id, Parcel"],
    ["Depot.parcels", "Depot.parcels, Parcel, Depot"],
    ["Depot.parcels(where:)", "Depot.parcels, Parcel, Depot, platform list arguments"],
    ["Depot.parcels_aggregate", "Depot.parcels, Parcel, platform aggregates of Parcel, Depot"],
    ["Parcel.db_write_timestamp", "platform db_write_timestamp, Parcel"],
    ["Parcel.chainId", "platform per-chain entities, Parcel"],
    ["Parcel_bool_exp", "Parcel, platform filters"],
    ["Parcel_bool_exp._and", "platform filters, Parcel"],
    ["Parcel_bool_exp.weight", "Parcel.weight, Parcel, platform filters"],
    [
      "Depot_bool_exp.parcels_aggregate",
      "Depot.parcels, Parcel, platform aggregates of Parcel, Depot, platform filters",
    ],
    ["numeric_comparison_exp._eq", "platform event ids as bigint"],
    ["parcelstate", "ParcelState"],
    ["parcelstate_comparison_exp._in", "ParcelState"],
    ["String_array_comparison_exp", "platform comparisons of String"],
    ["jsonb_cast_exp.String", "platform comparisons of jsonb"],
    ["Depot_order_by.parcels_aggregate", "Depot.parcels, Parcel, Depot, platform order_by"],
    ["Parcel_aggregate_order_by.count", "Parcel, platform order_by"],
    ["Parcel_avg_order_by", "platform per-chain entities, Parcel, platform order_by"],
    ["Parcel_avg_order_by.weight", "Parcel.weight, platform per-chain entities, Parcel, platform order_by"],
    ["order_by.asc", "platform order_by"],
    ["Parcel_select_column.weight", "Parcel.weight, Parcel"],
    [
      "Parcel_stream_cursor_value_input.depot_id",
      "Parcel.depot, Depot.id, Parcel, platform subscriptions, platform streaming subscriptions",
    ],
    [
      "Parcel_stream_cursor_input.ordering",
      "Parcel, platform subscriptions, platform streaming subscriptions",
    ],
    ["cursor_ordering.ASC", "platform subscriptions, platform streaming subscriptions"],
    ["Parcel_aggregate.nodes", "platform aggregates of Parcel, Parcel"],
    ["Parcel_aggregate_fields.sum", "platform aggregates of Parcel, platform per-chain entities, Parcel"],
    [
      "Parcel_sum_fields.weight",
      "Parcel.weight, platform aggregates of Parcel, platform per-chain entities, Parcel",
    ],
    ["Parcel_aggregate_bool_exp_count.filter", "platform aggregates of Parcel, Parcel"],
    [
      "Parcel_select_column_Parcel_aggregate_bool_exp_bool_and_arguments_columns.fragile",
      "Parcel.fragile, platform aggregates of Parcel, Parcel",
    ],
    ["query_root.Parcel", "Parcel, platform root fields"],
    ["query_root.Parcel(where:)", "Parcel, platform list arguments, platform root fields"],
    ["query_root.Parcel_aggregate", "platform aggregates of Parcel, Parcel, platform root fields"],
    ["query_root.Parcel_by_pk(id:)", "Parcel.id, Parcel, platform root fields"],
    ["query_root.Parcel_by_pk(chainId:)", "platform per-chain entities, Parcel, platform root fields"],
    [
      "subscription_root.Parcel_stream(cursor:)",
      "Parcel, platform streaming subscriptions, platform root fields",
    ],
    ["_meta", "platform _meta"],
    ["_meta.ecosystem", "platform ecosystem, platform _meta"],
    [
      "chain_metadata_bool_exp.num_events_processed",
      "platform counters as Float, platform chain_metadata, platform filters",
    ],
    ["raw_events_select_column.serial", "platform event ids as bigint, platform raw_events"],
    ["query_root.persisted_state_by_pk", "platform bookkeeping tables, platform root fields"],
    ["contract_type", "platform bookkeeping tables"],
    ["@cached(ttl:)", "platform directives"],
    ["__Type.kind", "platform introspection types"],
  ])("of %s", (coordinate, want) => {
    expect(keys(coordinate).join(", ")).toBe(want);
  });

  test.each([
    ...["Nothing", "Nothing_bool_exp.id", "Parcel_nothing", "Parcel_most_fields", "query_root.Nothing"],
    ...["query_root.Parcel_nothing", "nothing_comparison_exp", "@nothing", "ParcelState", ""],
  ])("of %j: none", (coordinate) => {
    expect(keys(coordinate)).toEqual([]);
  });

  it("include all fields of a kind if the other side has no such field", () => {
    const before = parseEntities(
      `type Depot { id: ID!  parcels: [Parcel!]! @derivedFrom(field: "depot") }
       type Parcel { id: ID!  depot: Depot!  weight: Float!  price: BigInt! }`,
      "before.graphql",
    );
    const after = parseEntities(
      "type Depot { id: ID! } type Parcel { id: ID! depot: Depot! }",
      "after.graphql",
    );
    const both = keysOf(before, after);
    expect(both("Parcel_avg_order_by").slice(0, 2)).toEqual(["Parcel.weight", "Parcel.price"]);
    expect(both("Parcel_aggregate_order_by").slice(0, 3)).toEqual(["Depot.parcels", "Depot", "Parcel"]);
    expect(both("float8_comparison_exp")).toEqual([
      ...["Parcel.weight", "Parcel", "platform comparisons of float8"],
    ]);
    expect(both("Parcel_aggregate_bool_exp_avg").slice(0, 2)).toEqual([
      ...["platform aggregates of Parcel", "Parcel.weight"],
    ]);
  });

  it("distinguish a table from another table's types with the same name", () => {
    const both = keysOf(parseEntities("type Foo { id: ID! } type Foo_aggregate { id: ID! }", "test.graphql"));
    expect(both("Foo_aggregate")).toEqual(["Foo_aggregate", "platform aggregates of Foo", "Foo"]);
    expect(both("Foo_aggregate_bool_exp.id").slice(0, 2)).toEqual(["Foo_aggregate.id", "Foo_aggregate"]);
  });
});

const RELEASE_NAMES = Object.keys(RELEASES) as Release[];

/** Models in which some entities are internal or crossChain. */
const models = fc
  .tuple(
    multichainModels,
    fc.infiniteStream(fc.constantFrom({}, {}, { internal: true }, { crossChain: true })),
  )
  .map(
    ([model, marks]): EntityModel => ({
      ...model,
      definitions: model.definitions.map((each) =>
        each.kind === "entity" ? { ...each, ...(marks.next().value as object) } : each,
      ),
    }),
  );

const settings = fc
  .record({
    release: fc.constantFrom(...RELEASE_NAMES),
    perChain: fc.boolean(),
    coins: fc.array(fc.boolean()),
  })
  .map(({ release, perChain, coins }) => (model: EntityModel): DeriveOptions => {
    const perChainEntities = perChain && RELEASES[release].perChainEntities;
    const tables = model.definitions.flatMap((each) =>
      each.kind === "entity" && !(each.internal && RELEASES[release].internalEntities) ? [each.name] : [],
    );
    const aggregates = [...tables, "raw_events", "chain_metadata"].filter((_, index) => coins[index]);
    return { release, perChainEntities, aggregates };
  });

const edits = modelEdits(
  ["String!", "[String!]!", "[BigInt!]", "Int", "BigInt", "Float!", "Boolean", "Kind", "Json", "Timestamp"],
  ["ID!", "Int!", "String!"],
);

testEveryOrigin({
  derive: deriveMultichain,
  read: readMultichain,
  trace: (all) => traceMultichain(all, ROOTS),
  models,
  settings,
  edits,
  leastChanges: runs(200, 900),
});
