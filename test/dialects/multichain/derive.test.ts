import { buildClientSchema, type IntrospectionQuery, validateSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { SchemaError } from "../../../src/base/errors.ts";
import { type ApiSchema, fieldsOf } from "../../../src/dialects/api-schema.ts";
import { flattenSchema } from "../../../src/dialects/canonicalize.ts";
import { buildIntrospection, parseIntrospection } from "../../../src/dialects/introspection.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { MULTICHAIN_SCALARS } from "../../../src/dialects/multichain/platform-types.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import {
  derive,
  FLOW_ENTITIES,
  LOCKUP_ENTITIES,
  PARCELS,
  PUBLIC_AGGREGATES,
  render,
  renderShape,
  typeNamed,
} from "./fixtures.ts";

const REFERENCE = { release: "2.27", aggregates: PUBLIC_AGGREGATES };
const lockup = derive(LOCKUP_ENTITIES, REFERENCE);
const flow = derive(FLOW_ENTITIES, REFERENCE);
// 2.31 has no write timestamps, which keeps the expected output small.
const parcels = derive(PARCELS, { release: "2.31" });
const parcelsAggregated = derive(PARCELS, { release: "2.31", aggregates: ["Parcel"] });

describe("the reference deployments", () => {
  it.each([
    {
      name: "lockup",
      schema: lockup,
      want: { queries: 41, ENUM: 40, INPUT_OBJECT: 191, OBJECT: 78, SCALAR: 12, types: 321 },
    },
    {
      name: "flow",
      schema: flow,
      want: { queries: 37, ENUM: 38, INPUT_OBJECT: 161, OBJECT: 76, SCALAR: 12, types: 287 },
    },
  ])("$name has $want.queries queries and $want.types types", ({ schema, want }) => {
    const roots = [schema.queryType, schema.subscriptionType];
    const types = schema.types.filter(({ name }) => !name.startsWith("__") && !roots.includes(name));
    const count = (kind: string) => types.filter((type) => type.kind === kind).length;
    expect({
      queries: members(schema, "query_root").length,
      ENUM: count("ENUM"),
      INPUT_OBJECT: count("INPUT_OBJECT"),
      OBJECT: count("OBJECT"),
      SCALAR: count("SCALAR"),
      types: types.length,
    }).toEqual(want);
  });

  it("has the published members of Stream", () => {
    const args = (table: string) =>
      `(distinct_on: [${table}_select_column!], limit: Int, offset: Int, order_by: [${table}_order_by!], where: ${table}_bool_exp)`;
    expect(renderShape(lockup, "Stream")).toBe(`type Stream {
  actions${args("Action")}: [Action!]!
  alias: String!
  asset: Asset
  assetDecimalsValue: numeric!
  asset_id: String!
  batch: Batch
  batch_id: String!
  cancelable: Boolean!
  canceled: Boolean!
  canceledAction: Action
  canceledAction_id: String
  canceledTime: numeric
  category: streamcategory!
  chainId: numeric!
  cliff: Boolean
  cliffAmount: numeric
  cliffTime: numeric
  contract: String!
  db_write_timestamp: timestamp
  depositAmount: numeric!
  duration: numeric!
  endTime: numeric!
  funder: String!
  hash: String!
  id: String!
  initial: Boolean
  initialAmount: numeric
  intactAmount: numeric!
  position: numeric!
  proxender: String
  proxied: Boolean!
  recipient: String!
  renounceAction: Action
  renounceAction_id: String
  renounceTime: numeric
  segments${args("Segment")}: [Segment!]!
  sender: String!
  shape: String
  startTime: numeric!
  subgraphId: numeric!
  timestamp: numeric!
  tokenId: numeric!
  tranches${args("Tranche")}: [Tranche!]!
  transferable: Boolean!
  version: String!
  withdrawnAmount: numeric!
}`);
  });

  it("has the published members of Stream_max_fields: no booleans, no relations", () => {
    expect(members(lockup, "Stream_max_fields").join(" ")).toBe(
      "alias assetDecimalsValue asset_id batch_id canceledAction_id canceledTime category chainId cliffAmount " +
        "cliffTime contract db_write_timestamp depositAmount duration endTime funder hash id initialAmount " +
        "intactAmount position proxender recipient renounceAction_id renounceTime sender shape startTime " +
        "subgraphId timestamp tokenId version withdrawnAmount",
    );
  });

  it("has the published members of RevenueTransaction_bool_exp", () => {
    expect(renderShape(lockup, "RevenueTransaction_bool_exp")).toBe(`input RevenueTransaction_bool_exp {
  _and: [RevenueTransaction_bool_exp!]
  _not: RevenueTransaction_bool_exp
  _or: [RevenueTransaction_bool_exp!]
  amount: float8_comparison_exp
  block: numeric_comparison_exp
  db_write_timestamp: timestamp_comparison_exp
  hash: String_comparison_exp
  id: String_comparison_exp
  revenue: Revenue_bool_exp
  revenue_id: String_comparison_exp
  timestamp: numeric_comparison_exp
}`);
  });

  it("has aggregate predicates by the types of a table's columns", () => {
    expect(members(lockup, "UserTransaction_aggregate_bool_exp")).toEqual([
      ...["avg", "bool_and", "bool_or", "corr", "count", "covar_samp", "max", "min"],
      ...["stddev_samp", "sum", "var_samp"],
    ]);
    expect(members(lockup, "RevenueTransaction_aggregate_bool_exp")).toEqual([
      ...["avg", "corr", "count", "covar_samp", "max", "min", "stddev_samp", "sum", "var_samp"],
    ]);
    // Columns of type numeric have no predicates.
    expect(members(lockup, "Stream_aggregate_bool_exp")).toEqual(["bool_and", "bool_or", "count"]);
  });
});

describe("a small model", () => {
  it("derives rows, filters, orders and cursors", () => {
    expect(
      renderShape(
        parcels,
        ...["numeric", "parcelstate", "Depot", "Parcel", "Depot_bool_exp", "Parcel_bool_exp"],
        ...["Depot_order_by", "Parcel_order_by", "Parcel_aggregate_order_by", "Parcel_max_order_by"],
        ...["Parcel_min_order_by", "Parcel_avg_order_by", "Parcel_sum_order_by", "Parcel_select_column"],
        ...["Parcel_stream_cursor_input", "Parcel_stream_cursor_value_input"],
      ),
    ).toBe(`scalar numeric

scalar parcelstate

type Depot {
  id: String!
  name: String!
  parcels(distinct_on: [Parcel_select_column!], limit: Int, offset: Int, order_by: [Parcel_order_by!], where: Parcel_bool_exp): [Parcel!]!
}

type Parcel {
  depot: Depot
  depot_id: String!
  fragile: Boolean!
  id: String!
  returnedTo: Depot
  returnedTo_id: String
  state: parcelstate!
  tags: [String!]!
  weight: numeric!
}

input Depot_bool_exp {
  _and: [Depot_bool_exp!]
  _not: Depot_bool_exp
  _or: [Depot_bool_exp!]
  id: String_comparison_exp
  name: String_comparison_exp
  parcels: Parcel_bool_exp
}

input Parcel_bool_exp {
  _and: [Parcel_bool_exp!]
  _not: Parcel_bool_exp
  _or: [Parcel_bool_exp!]
  depot: Depot_bool_exp
  depot_id: String_comparison_exp
  fragile: Boolean_comparison_exp
  id: String_comparison_exp
  returnedTo: Depot_bool_exp
  returnedTo_id: String_comparison_exp
  state: parcelstate_comparison_exp
  tags: String_array_comparison_exp
  weight: numeric_comparison_exp
}

input Depot_order_by {
  id: order_by
  name: order_by
  parcels_aggregate: Parcel_aggregate_order_by
}

input Parcel_order_by {
  depot: Depot_order_by
  depot_id: order_by
  fragile: order_by
  id: order_by
  returnedTo: Depot_order_by
  returnedTo_id: order_by
  state: order_by
  tags: order_by
  weight: order_by
}

input Parcel_aggregate_order_by {
  avg: Parcel_avg_order_by
  count: order_by
  max: Parcel_max_order_by
  min: Parcel_min_order_by
  stddev: Parcel_stddev_order_by
  stddev_pop: Parcel_stddev_pop_order_by
  stddev_samp: Parcel_stddev_samp_order_by
  sum: Parcel_sum_order_by
  var_pop: Parcel_var_pop_order_by
  var_samp: Parcel_var_samp_order_by
  variance: Parcel_variance_order_by
}

input Parcel_max_order_by {
  depot_id: order_by
  id: order_by
  returnedTo_id: order_by
  state: order_by
  tags: order_by
  weight: order_by
}

input Parcel_min_order_by {
  depot_id: order_by
  id: order_by
  returnedTo_id: order_by
  state: order_by
  tags: order_by
  weight: order_by
}

input Parcel_avg_order_by {
  weight: order_by
}

input Parcel_sum_order_by {
  weight: order_by
}

enum Parcel_select_column {
  depot_id
  fragile
  id
  returnedTo_id
  state
  tags
  weight
}

input Parcel_stream_cursor_input {
  initial_value: Parcel_stream_cursor_value_input!
  ordering: cursor_ordering
}

input Parcel_stream_cursor_value_input {
  depot_id: String
  fragile: Boolean
  id: String
  returnedTo_id: String
  state: parcelstate
  tags: [String!]
  weight: numeric
}`);
  });

  it("adds only the aggregate types and fields when a table's aggregates are public", () => {
    const before = new Set(coordinates(parcels));
    const added = coordinates(parcelsAggregated).filter((coordinate) => !before.has(coordinate));
    // Other tests check the members of new types and the arguments of new fields.
    const roots = added.filter(
      (coordinate) => !added.some((other) => coordinate !== other && coordinate.startsWith(`${other}.`)),
    );
    expect(roots.filter((coordinate) => !coordinate.includes("("))).toEqual([
      "Depot.parcels_aggregate",
      "Depot_bool_exp.parcels_aggregate",
      "Float",
      "Parcel_aggregate",
      "Parcel_aggregate_bool_exp",
      "Parcel_aggregate_bool_exp_bool_and",
      "Parcel_aggregate_bool_exp_bool_or",
      "Parcel_aggregate_bool_exp_count",
      "Parcel_aggregate_fields",
      "Parcel_avg_fields",
      "Parcel_max_fields",
      "Parcel_min_fields",
      "Parcel_select_column_Parcel_aggregate_bool_exp_bool_and_arguments_columns",
      "Parcel_select_column_Parcel_aggregate_bool_exp_bool_or_arguments_columns",
      "Parcel_stddev_fields",
      "Parcel_stddev_pop_fields",
      "Parcel_stddev_samp_fields",
      "Parcel_sum_fields",
      "Parcel_var_pop_fields",
      "Parcel_var_samp_fields",
      "Parcel_variance_fields",
      "query_root.Parcel_aggregate",
      "subscription_root.Parcel_aggregate",
    ]);
    const after = new Set(coordinates(parcelsAggregated));
    expect(coordinates(parcels).filter((coordinate) => !after.has(coordinate))).toEqual([]);
  });

  it("has no predicates over a table without a list relation to it", () => {
    const schema = derive("type Lone { id: ID!  open: Boolean! }", { aggregates: ["Lone"] });
    const names = schema.types.map((type) => type.name).filter((name) => name.startsWith("Lone_aggregate"));
    expect(names).toEqual(["Lone_aggregate", "Lone_aggregate_fields"]);
  });

  it("has no predicates over list columns", () => {
    const schema = derive(
      `type House { id: ID!  cats: [Cat!]! @derivedFrom(field: "house") }
       type Cat { id: ID!  house: House!  weights: [Float!]! }`,
      { aggregates: ["Cat"] },
    );
    expect(members(schema, "Cat_aggregate_bool_exp")).toEqual(["count"]);
  });

  it("orders by count, max and min only if a table has no numeric columns", () => {
    const schema = derive(
      `type House { id: ID!  cats: [Cat!]! @derivedFrom(field: "house") }
       type Cat { id: ID!  house: House! }`,
    );
    expect(members(schema, "Cat_aggregate_order_by")).toEqual(["count", "max", "min"]);
  });
});

describe("columns", () => {
  const schema = derive(
    `enum MixedCase { A }
     type Int_key { id: Int! }
     type Big_key { id: BigInt! }
     type T {
       id: String!  text: String  bytes: Bytes!  int: Int  float: Float  boolean: Boolean  big: BigInt
       decimal: BigDecimal  time: Timestamp  json: Json  enum: MixedCase
       texts: [String!]  ints: [Int!]!  floats: [Float!]!  bigs: [BigInt!]!
       precise: [BigInt!]! @config(precision: 78)
       byInt: Int_key!  byBig: Big_key
     }`,
    { release: "3.8", aggregates: ["T"] },
  );

  it("have the scalars of their entity types", () => {
    expect(renderShape(schema, "T", "T_max_fields", "T_sum_fields", "T_avg_fields")).toBe(`type T {
  big: numeric
  bigs: [String!]!
  boolean: Boolean
  byBig: Big_key
  byBig_id: numeric
  byInt: Int_key
  byInt_id: Int!
  bytes: String!
  decimal: numeric
  enum: mixedcase
  float: float8
  floats: [float8!]!
  id: String!
  int: Int
  ints: [Int!]!
  json(path: String): jsonb
  precise: [numeric!]!
  text: String
  texts: [String!]
  time: timestamptz
}

type T_max_fields {
  big: numeric
  bigs: [String!]
  byBig_id: numeric
  byInt_id: Int
  bytes: String
  decimal: numeric
  enum: mixedcase
  float: float8
  floats: [float8!]
  id: String
  int: Int
  ints: [Int!]
  precise: [numeric!]
  text: String
  texts: [String!]
  time: timestamptz
}

type T_sum_fields {
  big: numeric
  byBig_id: numeric
  byInt_id: Int
  decimal: numeric
  float: float8
  int: Int
}

type T_avg_fields {
  big: Float
  byBig_id: Float
  byInt_id: Float
  decimal: Float
  float: Float
  int: Float
}`);
  });

  it("have the scalar bytea for Bytes with bytes_type uint8array", () => {
    const raw = derive("type T { id: ID!  hash: Bytes!  hashes: [Bytes!] }", {
      ...{ release: "3.10", bytesType: "uint8array", aggregates: ["T"] },
    });
    expect(
      renderShape(raw, "T", "T_max_fields", "bytea", "bytea_comparison_exp", "bytea_array_comparison_exp"),
    ).toBe(`type T {
  hash: bytea!
  hashes: [bytea!]
  id: String!
}

type T_max_fields {
  hashes: [bytea!]
  id: String
}

scalar bytea

input bytea_comparison_exp {
  _eq: bytea
  _gt: bytea
  _gte: bytea
  _in: [bytea!]
  _is_null: Boolean
  _lt: bytea
  _lte: bytea
  _neq: bytea
  _nin: [bytea!]
}

input bytea_array_comparison_exp {
  _contained_in: [bytea!]
  _contains: [bytea!]
  _eq: [bytea!]
  _gt: [bytea!]
  _gte: [bytea!]
  _in: [[bytea!]!]
  _is_null: Boolean
  _lt: [bytea!]
  _lte: [bytea!]
  _neq: [bytea!]
  _nin: [[bytea!]!]
}`);
  });

  it.each(["3.0", "3.8"])("error: release %s has no bytes_type", (release) => {
    expect(() => derive("type T { id: ID! }", { release, bytesType: "uint8array" })).toThrow(
      expect.objectContaining({ context: [`${release}: has no bytes_type, which came with 3.10`] }),
    );
  });

  it("have by_pk arguments of the type of the id", () => {
    const by = (table: string) => fieldNamed(schema, "query_root", `${table}_by_pk`).args[0]?.type;
    expect([by("T"), by("Int_key"), by("Big_key")]).toEqual(["String!", "Int!", "numeric!"]);
  });
});

describe("descriptions and arguments per family of types", () => {
  it.each([
    {
      names: ["Depot"],
      want: `"""
columns and relationships of "Depot"
"""
type Depot {
  id: String!
  name: String!
  """An array relationship"""
  parcels(
    """distinct select on columns"""
    distinct_on: [Parcel_select_column!]
    """limit the number of rows returned"""
    limit: Int
    """skip the first n rows. Use only with order_by"""
    offset: Int
    """sort the rows by one or more columns"""
    order_by: [Parcel_order_by!]
    """filter the rows returned"""
    where: Parcel_bool_exp
  ): [Parcel!]!
  """An aggregate relationship"""
  parcels_aggregate(
    """distinct select on columns"""
    distinct_on: [Parcel_select_column!]
    """limit the number of rows returned"""
    limit: Int
    """skip the first n rows. Use only with order_by"""
    offset: Int
    """sort the rows by one or more columns"""
    order_by: [Parcel_order_by!]
    """filter the rows returned"""
    where: Parcel_bool_exp
  ): Parcel_aggregate!
}`,
    },
    {
      names: ["Depot_bool_exp", "Depot_order_by"],
      want: `"""Boolean expression to filter rows from the table "Depot". All fields are combined with a logical 'AND'."""
input Depot_bool_exp {
  _and: [Depot_bool_exp!]
  _not: Depot_bool_exp
  _or: [Depot_bool_exp!]
  id: String_comparison_exp
  name: String_comparison_exp
  parcels: Parcel_bool_exp
  parcels_aggregate: Parcel_aggregate_bool_exp
}

"""Ordering options when selecting data from "Depot"."""
input Depot_order_by {
  id: order_by
  name: order_by
  parcels_aggregate: Parcel_aggregate_order_by
}`,
    },
    {
      names: ["numeric_comparison_exp", "String_array_comparison_exp"],
      want: `"""Boolean expression to compare columns of type "numeric". All fields are combined with logical 'AND'."""
input numeric_comparison_exp {
  _eq: numeric
  _gt: numeric
  _gte: numeric
  _in: [numeric!]
  _is_null: Boolean
  _lt: numeric
  _lte: numeric
  _neq: numeric
  _nin: [numeric!]
}

"""Boolean expression to compare columns of type "String". All fields are combined with logical 'AND'."""
input String_array_comparison_exp {
  """is the array contained in the given array value"""
  _contained_in: [String!]
  """does the array contain the given value"""
  _contains: [String!]
  _eq: [String!]
  _gt: [String!]
  _gte: [String!]
  _in: [[String!]!]
  _is_null: Boolean
  _lt: [String!]
  _lte: [String!]
  _neq: [String!]
  _nin: [[String!]!]
}`,
    },
    {
      names: ["String_comparison_exp"],
      want: `"""Boolean expression to compare columns of type "String". All fields are combined with logical 'AND'."""
input String_comparison_exp {
  _eq: String
  _gt: String
  _gte: String
  """does the column match the given case-insensitive pattern"""
  _ilike: String
  _in: [String!]
  """does the column match the given POSIX regular expression, case insensitive"""
  _iregex: String
  _is_null: Boolean
  """does the column match the given pattern"""
  _like: String
  _lt: String
  _lte: String
  _neq: String
  """does the column NOT match the given case-insensitive pattern"""
  _nilike: String
  _nin: [String!]
  """does the column NOT match the given POSIX regular expression, case insensitive"""
  _niregex: String
  """does the column NOT match the given pattern"""
  _nlike: String
  """does the column NOT match the given POSIX regular expression, case sensitive"""
  _nregex: String
  """does the column NOT match the given SQL regular expression"""
  _nsimilar: String
  """does the column match the given POSIX regular expression, case sensitive"""
  _regex: String
  """does the column match the given SQL regular expression"""
  _similar: String
}`,
    },
    {
      names: ["jsonb_comparison_exp", "jsonb_cast_exp"],
      want: `"""Boolean expression to compare columns of type "jsonb". All fields are combined with logical 'AND'."""
input jsonb_comparison_exp {
  _cast: jsonb_cast_exp
  """is the column contained in the given json value"""
  _contained_in: jsonb
  """does the column contain the given json value at the top level"""
  _contains: jsonb
  _eq: jsonb
  _gt: jsonb
  _gte: jsonb
  """does the string exist as a top-level key in the column"""
  _has_key: String
  """do all of these strings exist as top-level keys in the column"""
  _has_keys_all: [String!]
  """do any of these strings exist as top-level keys in the column"""
  _has_keys_any: [String!]
  _in: [jsonb!]
  _is_null: Boolean
  _lt: jsonb
  _lte: jsonb
  _neq: jsonb
  _nin: [jsonb!]
}

input jsonb_cast_exp {
  String: String_comparison_exp
}`,
    },
    {
      names: ["Parcel_avg_order_by", "Parcel_select_column"],
      want: `"""
order by avg() on columns of table "Parcel"
"""
input Parcel_avg_order_by {
  weight: order_by
}

"""
select columns of table "Parcel"
"""
enum Parcel_select_column {
  """column name"""
  depot_id
  """column name"""
  fragile
  """column name"""
  id
  """column name"""
  returnedTo_id
  """column name"""
  state
  """column name"""
  tags
  """column name"""
  weight
}`,
    },
    {
      names: ["order_by", "cursor_ordering"],
      want: `"""column ordering options"""
enum order_by {
  """in ascending order, nulls last"""
  asc
  """in ascending order, nulls first"""
  asc_nulls_first
  """in ascending order, nulls last"""
  asc_nulls_last
  """in descending order, nulls first"""
  desc
  """in descending order, nulls first"""
  desc_nulls_first
  """in descending order, nulls last"""
  desc_nulls_last
}

"""ordering argument of a cursor"""
enum cursor_ordering {
  """ascending ordering of the cursor"""
  ASC
  """descending ordering of the cursor"""
  DESC
}`,
    },
    {
      names: ["Depot_stream_cursor_input", "Depot_stream_cursor_value_input"],
      want: `"""
Streaming cursor of the table "Depot"
"""
input Depot_stream_cursor_input {
  """Stream column input with initial value"""
  initial_value: Depot_stream_cursor_value_input!
  """cursor ordering"""
  ordering: cursor_ordering
}

"""Initial value of the column from where the streaming should start"""
input Depot_stream_cursor_value_input {
  id: String
  name: String
}`,
    },
    {
      names: ["Parcel_aggregate", "Parcel_aggregate_fields", "Parcel_sum_fields", "Parcel_var_pop_fields"],
      want: `"""
aggregated selection of "Parcel"
"""
type Parcel_aggregate {
  aggregate: Parcel_aggregate_fields
  nodes: [Parcel!]!
}

"""
aggregate fields of "Parcel"
"""
type Parcel_aggregate_fields {
  avg: Parcel_avg_fields
  count(columns: [Parcel_select_column!], distinct: Boolean): Int!
  max: Parcel_max_fields
  min: Parcel_min_fields
  stddev: Parcel_stddev_fields
  stddev_pop: Parcel_stddev_pop_fields
  stddev_samp: Parcel_stddev_samp_fields
  sum: Parcel_sum_fields
  var_pop: Parcel_var_pop_fields
  var_samp: Parcel_var_samp_fields
  variance: Parcel_variance_fields
}

"""aggregate sum on columns"""
type Parcel_sum_fields {
  weight: numeric
}

"""aggregate var_pop on columns"""
type Parcel_var_pop_fields {
  weight: Float
}`,
    },
    {
      names: [
        "Parcel_aggregate_bool_exp_count",
        "Parcel_aggregate_bool_exp_bool_or",
        "Parcel_select_column_Parcel_aggregate_bool_exp_bool_or_arguments_columns",
      ],
      want: `input Parcel_aggregate_bool_exp_count {
  arguments: [Parcel_select_column!]
  distinct: Boolean
  filter: Parcel_bool_exp
  predicate: Int_comparison_exp!
}

input Parcel_aggregate_bool_exp_bool_or {
  arguments: Parcel_select_column_Parcel_aggregate_bool_exp_bool_or_arguments_columns!
  distinct: Boolean
  filter: Parcel_bool_exp
  predicate: Boolean_comparison_exp!
}

"""
select "Parcel_aggregate_bool_exp_bool_or_arguments_columns" columns of table "Parcel"
"""
enum Parcel_select_column_Parcel_aggregate_bool_exp_bool_or_arguments_columns {
  """column name"""
  fragile
}`,
    },
  ])("$names.0", ({ names, want }) => {
    expect(render(parcelsAggregated, ...names)).toBe(want);
  });

  it("order by aggregates", () => {
    expect(typeNamed(parcels, "Parcel_aggregate_order_by").description).toBe(
      'order by aggregate values of table "Parcel"',
    );
  });

  it("predicates over pairs of float columns", () => {
    const name = "RevenueTransaction_aggregate_bool_exp_covar_samp";
    expect(
      render(
        lockup,
        ...[name, `${name}_arguments`, `RevenueTransaction_select_column_${name}_arguments_columns`],
      ),
    ).toBe(`input RevenueTransaction_aggregate_bool_exp_covar_samp {
  arguments: RevenueTransaction_aggregate_bool_exp_covar_samp_arguments!
  distinct: Boolean
  filter: RevenueTransaction_bool_exp
  predicate: float8_comparison_exp!
}

input RevenueTransaction_aggregate_bool_exp_covar_samp_arguments {
  X: RevenueTransaction_select_column_RevenueTransaction_aggregate_bool_exp_covar_samp_arguments_columns!
  Y: RevenueTransaction_select_column_RevenueTransaction_aggregate_bool_exp_covar_samp_arguments_columns!
}

"""
select "RevenueTransaction_aggregate_bool_exp_covar_samp_arguments_columns" columns of table "RevenueTransaction"
"""
enum RevenueTransaction_select_column_RevenueTransaction_aggregate_bool_exp_covar_samp_arguments_columns {
  """column name"""
  amount
}`);
  });

  it("root fields", () => {
    const described = (root: string) =>
      flattenSchema(parcelsAggregated)
        .filter(({ coordinate }) => coordinate.startsWith(`${root}.Parcel`) && !coordinate.includes("("))
        .map(({ coordinate, signature, description }) => [
          coordinate.slice(root.length + 1),
          signature,
          description,
        ]);
    const queries = [
      ["Parcel", "[Parcel!]!", 'fetch data from the table: "Parcel"'],
      ["Parcel_aggregate", "Parcel_aggregate!", 'fetch aggregated fields from the table: "Parcel"'],
      ["Parcel_by_pk", "Parcel", 'fetch data from the table: "Parcel" using primary key columns'],
    ];
    const stream = 'fetch data from the table in a streaming manner: "Parcel"';
    expect(described("query_root")).toEqual(queries);
    expect(described("subscription_root")).toEqual([...queries, ["Parcel_stream", "[Parcel!]!", stream]]);
    expect(typeNamed(parcels, "query_root").description).toBeNull();
    expect(typeNamed(parcels, "subscription_root").description).toBeNull();
  });

  it("arguments of root fields", () => {
    expect(fieldNamed(parcels, "subscription_root", "Parcel_stream").args).toEqual([
      arg("batch_size", "Int!", "maximum number of rows returned in a single batch"),
      arg("cursor", "[Parcel_stream_cursor_input]!", "cursor to stream the results returned by the query"),
      arg("where", "Parcel_bool_exp", "filter the rows returned"),
    ]);
    const list = fieldNamed(parcelsAggregated, "query_root", "Parcel").args;
    expect(list.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      "distinct_on: [Parcel_select_column!]",
      "limit: Int",
      "offset: Int",
      "order_by: [Parcel_order_by!]",
      "where: Parcel_bool_exp",
    ]);
    expect(fieldNamed(parcelsAggregated, "query_root", "Parcel_aggregate").args).toEqual(list);
    expect(fieldNamed(parcels, "query_root", "Parcel_by_pk").args).toEqual([arg("id", "String!", null)]);
    expect(fieldNamed(lockup, "query_root", "end_of_block_range_scanned_data_by_pk").args).toEqual([
      arg("block_number", "Int!", null),
      arg("chain_id", "Int!", null),
    ]);
  });

  it("jsonb columns, with a path unless they are lists", () => {
    const listed = derive("type A { id: ID!  all: [Json!] }");
    expect(fieldNamed(listed, "A", "all")).toMatchObject({ type: "[jsonb!]", args: [] });
    expect(fieldNamed(parcels, "raw_events", "params").args).toEqual([
      arg("path", "String", "JSON select path"),
    ]);
  });

  it("directives, in the server's order", () => {
    const selections = ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"];
    expect(parcels.directives).toEqual([
      {
        name: "include",
        description: "whether this query should be included",
        locations: selections,
        args: [arg("if", "Boolean!", null)],
      },
      {
        name: "skip",
        description: "whether this query should be skipped",
        locations: selections,
        args: [arg("if", "Boolean!", null)],
      },
      {
        name: "cached",
        description: "whether this query should be cached (Hasura Cloud only)",
        locations: ["QUERY"],
        args: [
          { ...arg("ttl", "Int!", "measured in seconds"), defaultValue: "60" },
          { ...arg("refresh", "Boolean!", "refresh the cache entry"), defaultValue: "false" },
        ],
      },
    ]);
  });

  it("meta-types, with the loose types that the server lists", () => {
    const names = parcels.types.map((type) => type.name).filter((name) => name.startsWith("__"));
    expect(render(parcels, ...names)).toBe(`type __Directive {
  args: __InputValue
  description: String!
  isRepeatable: String!
  locations: String!
  name: String!
}

type __EnumValue {
  deprecationReason: String!
  description: String!
  isDeprecated: String!
  name: String!
}

type __Field {
  args: __InputValue
  deprecationReason: String!
  description: String!
  isDeprecated: String!
  name: String!
  type: __Type
}

type __InputValue {
  defaultValue: String!
  description: String!
  name: String!
  type: __Type
}

type __Schema {
  description: String!
  directives: __Directive
  mutationType: __Type
  queryType: __Type
  subscriptionType: __Type
  types: __Type
}

type __Type {
  description: String!
  enumValues(includeDeprecated: Boolean = false): __EnumValue
  fields(includeDeprecated: Boolean = false): __Field
  inputFields: __InputValue
  interfaces: __Type
  kind: __TypeKind!
  name: String!
  ofType: __Type
  possibleTypes: __Type
}

enum __TypeKind {
  ENUM
  INPUT_OBJECT
  INTERFACE
  LIST
  NON_NULL
  OBJECT
  SCALAR
  UNION
}`);
  });
});

describe("every release", () => {
  const releases = Object.keys(RELEASES) as Release[];

  it.each(releases)("%s derives a schema that clients can build", (release) => {
    const schema = derive(LOCKUP_ENTITIES, { release, aggregates: PUBLIC_AGGREGATES });
    const introspection = buildIntrospection(schema);
    expect(parseIntrospection(introspection)).toEqual(schema);
    const client = buildClientSchema(introspection as unknown as IntrospectionQuery);
    expect(validateSchema(client)).toEqual([]);
  });

  it.each(releases)("%s lists types and members in byte order, and only used scalars", (release) => {
    const schema = derive(LOCKUP_ENTITIES, { release, aggregates: PUBLIC_AGGREGATES });
    for (const names of nameLists(schema)) expect(names).toEqual(byteOrder(names));
    expect([schema.queryType, schema.mutationType, schema.subscriptionType]).toEqual([
      "query_root",
      null,
      "subscription_root",
    ]);
    const enums = ["actioncategory", "streamcategory", ...(release === "2.27" ? ["contract_type"] : [])];
    // bytea needs a setting of the operator.
    const facts = [...MULTICHAIN_SCALARS.keys()].filter((name) => name !== "bytea");
    const unused = {
      "2.27": ["bigint"],
      "2.28": ["bigint"],
      "2.29": ["bigint", "timestamp"],
      "2.31": ["bigint", "timestamp"],
      "3.0": ["timestamp"],
      "3.1": ["timestamp"],
      "3.5": ["timestamp"],
      "3.6": ["timestamp"],
      "3.8": ["timestamp"],
      "3.10": ["timestamp"],
      "3.12": ["timestamp"],
    }[release];
    const scalars = schema.types.flatMap((type) => (type.kind === "SCALAR" ? [type.name] : []));
    expect(scalars).toEqual(byteOrder([...facts.filter((name) => !unused.includes(name)), ...enums]));
  });

  it("has only the platform's own types for a model without entities", () => {
    const schema = deriveMultichain({ definitions: [], directives: [] }, { release: "3.0" });
    const names = schema.types.map((type) => type.name).filter((name) => !name.startsWith("__"));
    const families = ["_meta", "chain_metadata", "raw_events"].flatMap((table) =>
      [
        "",
        "_bool_exp",
        "_order_by",
        "_select_column",
        "_stream_cursor_input",
        "_stream_cursor_value_input",
      ].map((suffix) => table + suffix),
    );
    const scalars = ["Boolean", "Float", "Int", "String", "bigint", "jsonb", "timestamptz"];
    expect(names).toEqual(
      byteOrder([
        ...families,
        ...scalars.flatMap((scalar) => [scalar, `${scalar}_comparison_exp`]),
        ...["jsonb_cast_exp", "order_by", "cursor_ordering", "query_root", "subscription_root"],
      ]),
    );
  });
});

describe("aggregates of the platform's own tables", () => {
  it.each([
    { release: "2.27", aggregates: ["chain_metadata", "persisted_state"] },
    { release: "3.1", aggregates: ["_meta", "raw_events"] },
  ] as const)("can be public as well: $aggregates", ({ release, aggregates }) => {
    const schema = derive(PARCELS, { release, aggregates });
    for (const table of aggregates) {
      expect(members(schema, "query_root")).toContain(`${table}_aggregate`);
      expect(members(schema, "subscription_root")).toContain(`${table}_aggregate`);
      expect(members(schema, `${table}_aggregate_fields`)).toContain("stddev_pop");
      // They have no relations, so no predicates.
      expect(schema.types.map((type) => type.name)).not.toContain(`${table}_aggregate_bool_exp`);
    }
  });

  it("have the operators of their columns", () => {
    const schema = derive(PARCELS, { release: "3.1", aggregates: ["raw_events"] });
    expect(renderShape(schema, "raw_events_sum_fields")).toBe(`type raw_events_sum_fields {
  block_number: Int
  block_timestamp: Int
  chain_id: Int
  event_id: bigint
  log_index: Int
  serial: bigint
}`);
    expect(members(schema, "raw_events_max_fields")).not.toContain("params");
  });
});

describe("aggregates of a type that is not a table", () => {
  it.each([
    { aggregates: ["Parcle"], want: ['"Parcle": did you mean "Parcel"?'] },
    { aggregates: ["Parcel", "_meta"], want: [] },
    { aggregates: ["raw_event"], want: ['"raw_event": did you mean "raw_events"?'] },
    {
      aggregates: ["Depott", "Parcle"],
      want: ['"Depott": did you mean "Depot"?', '"Parcle": did you mean "Parcel"?'],
    },
  ])("are refused: $aggregates", ({ aggregates, want }) => {
    const error = caught(() => derive(PARCELS, { release: "2.27", aggregates }));
    expect(error.code).toBe("SCHEMA_ENTITIES_INVALID");
    expect(error.sentence).toContain(`"${aggregates.at(-1)}"`);
    expect(error.context).toEqual(want);
  });
});

function caught(action: () => unknown): SchemaError {
  try {
    action();
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

function arg(name: string, type: string, description: string | null) {
  return { name, description, type, defaultValue: null };
}

function fieldNamed(schema: ApiSchema, typeName: string, name: string) {
  const type = typeNamed(schema, typeName);
  const field = type.kind === "OBJECT" ? type.fields.find((member) => member.name === name) : undefined;
  if (field === undefined) throw new Error(`The schema has no field ${typeName}.${name}.`);
  return field;
}

function members(schema: ApiSchema, typeName: string): string[] {
  const type = typeNamed(schema, typeName);
  return "fields" in type ? type.fields.map((member) => member.name) : [];
}

/** Returns the coordinates without meta-types, which all schemas share. */
function coordinates(schema: ApiSchema): string[] {
  return flattenSchema(schema)
    .map(({ coordinate }) => coordinate)
    .filter((coordinate) => !coordinate.startsWith("__"));
}

/** Returns the names of types, and of the members of each, in listed order. */
function nameLists(schema: ApiSchema): string[][] {
  const names = (items: readonly { readonly name: string }[]) => items.map((item) => item.name);
  return [
    names(schema.types),
    ...schema.types.flatMap((type) => {
      if (type.kind === "ENUM") return [names(type.values)];
      if (type.kind === "INPUT_OBJECT") return [names(type.fields)];
      return type.kind === "OBJECT"
        ? [names(type.fields), ...type.fields.map((field) => names(field.args))]
        : [];
    }),
  ];
}

function byteOrder(names: readonly string[]): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

describe("an entity that is not stored in Postgres", () => {
  const ENTITIES = `
    type Port { id: ID! name: String! }
    type Ship @storage(clickhouse: true) { id: ID! port: Port! }
    type Cargo @storage(postgres: true, clickhouse: true) { id: ID! ship: Ship! port: Port! }`;
  const rootsOf = (schema: ApiSchema) =>
    fieldsOf(schema, schema.queryType)
      .map(({ name }) => name)
      .filter((name) => /^[A-Z]\w+$/.test(name) && !name.endsWith("_by_pk"));

  it("is not in the API, nor are relations to it; the column of a reference is", () => {
    const schema = derive(ENTITIES, { release: "3.0" });
    expect(rootsOf(schema)).toEqual(["Cargo", "Port"]);
    expect(fieldsOf(schema, "Cargo").map(({ name }) => name)).toEqual(["id", "port", "port_id", "ship_id"]);
  });

  it("is every entity without @storage if postgresDefault is false", () => {
    expect(rootsOf(derive(ENTITIES, { release: "3.0", postgresDefault: false }))).toEqual(["Cargo"]);
  });
});
