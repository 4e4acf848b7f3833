import { describe, expect, it } from "vitest";
import { shortestFloat4 } from "../../../../emulator/styles/multichain/decimal.ts";
import { failure, readMark, serve, serveParcels } from "./support.ts";

const run = serve();
const field = (id: string, name: string): unknown => {
  const answer = run(`{ Parcel_by_pk(id: "${id}") { value: ${name} } }`);
  return (answer.data as { Parcel_by_pk: { value: unknown } }).Parcel_by_pk.value;
};
const aggregate = (selection: string, args = ""): unknown => {
  const answer = run(`{ Parcel_aggregate${args} { aggregate { value: ${selection} } } }`);
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return (answer.data as { Parcel_aggregate: { aggregate: { value: unknown } } }).Parcel_aggregate.aggregate
    .value;
};

describe("output serialization", () => {
  it.each([
    ["String", "p1", "title", "alpha 50%"],
    ["enum", "p1", "state", "SENT"],
    ["Int", "p1", "count", 3],
    ["Boolean", "p1", "insured", true],
    ["null", "p3", "count", null],
    ["numeric beyond 2^53", "p4", "weight", "123456789012345678901234567890"],
    ["numeric keeps its scale", "p1", "price", "1.10"],
    ["float8", "p1", "ratio", "1.5"],
    ["float8, large", "p2", "ratio", "1e+300"],
    ["float8, small", "p4", "ratio", "-1e-05"],
    ["text[]", "p1", "tags", ["a", "b"]],
    ["Int[]", "p1", "sizes", [1, 2]],
    ["numeric(p,0)[] as numbers", "p1", "weights", [100, 7]],
    ["timestamptz without a fraction", "p1", "sent", "2024-01-15T12:34:56+00:00"],
    ["timestamptz with microseconds", "p2", "sent", "2024-01-15T12:34:56.123456+00:00"],
    ["timestamptz without trailing zeros", "p4", "sent", "2024-01-15T12:34:56.1+00:00"],
    ["a reference's column", "p1", "depot_id", "d1"],
    ["a null reference's column", "p1", "returnedTo_id", null],
    ["__typename", "p1", "__typename", "Parcel"],
    ["jsonb path", "p1", 'meta(path: "$.a.b[0]")', 10],
    ["jsonb path without $", "p1", 'meta(path: "a.b")', [10, 20]],
    ["jsonb path without a value", "p1", 'meta(path: "$[4].k")', null],
    ["jsonb whole", "p1", 'meta(path: "$")', { k: "v", a: { b: [10, 20] }, aa: 1 }],
    ["jsonb string", "p4", "meta", "text"],
  ])("%s", (_name, id, name, want) => {
    expect(field(id, name)).toEqual(want);
  });

  it("jsonb keys are ordered by length, then by bytes", () => {
    expect(JSON.stringify(field("p1", "meta"))).toBe('{"a":{"b":[10,20]},"k":"v","aa":1}');
  });

  it.each([
    [-0, "-0"],
    [0.1, "0.1"],
    [0.0001, "0.0001"],
    [123456789012345, "123456789012345"],
    [1e15, "1e+15"],
    [1234567890123456, "1.234567890123456e+15"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    // Postgres does not round a number halfway between two floats.
    [9.9999998e19, "9.999999800000001e+19"],
    ["Infinity", "Infinity"],
    ["-0", "-0"],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
  ])("float8 %j is written %s", (ratio, want) => {
    expect(serveParcels("ratio", [ratio])("{ Parcel { ratio } }").data).toEqual({
      Parcel: [{ ratio: want }],
    });
  });

  it.each([
    ["1e3", "1000"],
    ["+1.50", "1.50"],
    [".5", "0.5"],
    ["-0", "0"],
    ["1.0E-3", "0.0010"],
    ["NaN", "NaN"],
  ])("numeric %s is written %s", (price, want) => {
    expect(serveParcels("price", [price])("{ Parcel { price } }").data).toEqual({
      Parcel: [{ price: want }],
    });
  });

  it("float4 is rounded to seven digits", () => {
    const answer = run("{ chain_metadata(order_by: {chain_id: desc}) { num_events_processed } }");
    expect(answer.data).toEqual({
      chain_metadata: [{ num_events_processed: 16777296 }, { num_events_processed: 151 }],
    });
  });

  it.each([
    [2147487821, 2147487700],
    [16777297, 16777296],
    [50455128, 50455128],
    [0.1, 0.1],
    [-3, -3],
  ])("the shortest form of the float4 %d is %d", (value, want) => {
    expect(shortestFloat4(value)).toBe(want);
  });

  it("float4 is compared as float4", () => {
    const answer = run("{ chain_metadata(where: {num_events_processed: {_eq: 16777297}}) { chain_id } }");
    expect(answer.data).toEqual({ chain_metadata: [{ chain_id: 10 }] });
  });

  it("an alias may be any name", () => {
    expect(JSON.stringify(run('{ Depot_by_pk(id: "d1") { __proto__: name constructor: id } }'))).toBe(
      '{"data":{"Depot_by_pk":{"__proto__":"Harbour","constructor":"d1"}}}',
    );
  });

  it.each(["", "a b", "$.", "$[x]"])("the json path %j is invalid", (jsonPath) => {
    const { query, path } = readMark(`{ Parcel { meta(¦¦path: "${jsonPath}") } }`);
    const [message, ...place] = failure(run(query));
    expect(message).toMatch(`parse json path error: ${jsonPath}. Accept letters, digits,`);
    expect(place).toEqual([path, "validation-failed"]);
  });

  it.each([
    ["count", "count", 4],
    ["count of a column excludes nulls", "count(columns: title)", 3],
    ["count of two columns counts rows", "count(columns: [title, count])", 4],
    ["count distinct", "count(columns: depot_id, distinct: true)", 3],
    ["count distinct tuples", "count(columns: [depot_id, fragile], distinct: true)", 4],
    ["distinct without columns is a plain count", "count(distinct: true)", 4],
    ["sum of Int is a number", "sum { count }", { count: 6 }],
    ["avg of Int", "avg { count }", { count: 2 }],
    ["sum of numeric is a string", "sum { weight }", { weight: "123456789012345678901234568089" }],
    ["sum has the greatest scale of its values", "sum { price }", { price: "13.60" }],
    ["avg of numeric: at least 16 significant digits", "avg { price }", { price: "4.5333333333333333" }],
    ["sum of float8 is a string", "sum { ratio }", { ratio: "1e+300" }],
    ["max of Int", "max { count }", { count: 3 }],
    ["min of text", "min { title }", { title: "Beta_2" }],
    ["max of an enum by declaration", "max { state }", { state: "BACK" }],
    ["max of numeric", "max { weight price }", { weight: "123456789012345678901234567890", price: "10.5" }],
    ["max of timestamptz", "max { sent }", { sent: "2024-01-15T12:34:56.123456+00:00" }],
    ["max of an array", "max { tags }", { tags: ["b"] }],
    ["max of a reference", "max { depot_id }", { depot_id: "nowhere" }],
    ["var_samp of Int", "var_samp { count }", { count: 1 }],
    ["var_pop of Int", "var_pop { count }", { count: 0.6666666666666666 }],
    ["stddev_pop of Int", "stddev_pop { count }", { count: 0.816496580927726 }],
  ])("aggregate %s", (_name, selection, want) => {
    expect(aggregate(selection)).toEqual(want);
  });

  it.each([
    ["avg", ["13.00000000", "13.75000000"], "13.3750000000000000"],
    ["avg", ["1"], "1.00000000000000000000"],
    ["avg", ["0.123456789012345678901234"], "0.123456789012345678901234"],
    ["avg", ["0", "0"], "0.00000000000000000000"],
    ["avg", ["100000000000000000000", "100000000000000000001"], "100000000000000000001"],
    ["variance", ["1", "2", "3", "4"], "1.6666666666666667"],
    ["stddev", ["1", "2", "3", "4"], "1.2909944487358056"],
    ["var_pop", ["1", "2", "3", "4"], "1.2500000000000000"],
    ["var_samp", ["5", "5"], "0"],
    ["stddev_samp", ["5"], null],
    ["stddev_pop", ["5"], "0"],
    ["sum", [], null],
    // Of equal numbers the last is returned.
    ["max", ["1.5", "1", "1.50"], "1.50"],
    ["min", ["1.0", "1"], "1"],
  ])("numeric %s of %j is %s", (operator, prices, want) => {
    const answer = serveParcels(
      "price",
      prices,
    )(`{ Parcel_aggregate { aggregate { ${operator} { price } } } }`);
    expect(answer.data).toEqual({ Parcel_aggregate: { aggregate: { [operator]: { price: want } } } });
  });

  it.each([
    ["avg", "2.5"],
    ["var_samp", "1.6666666666666667"],
    ["stddev_pop", "1.118033988749895"],
  ])("float8 %s of 1, 2, 3, 4 is %j", (operator, want) => {
    const ask = serveParcels("ratio", [1, 2, 3, 4]);
    const answer = ask(`{ Parcel_aggregate { aggregate { ${operator} { ratio } } } }`);
    expect(answer.data).toEqual({ Parcel_aggregate: { aggregate: { [operator]: { ratio: want } } } });
  });

  it.each([
    ["where", "(where: {fragile: {_eq: true}})", 2],
    ["limit", "(limit: 3)", 3],
    ["offset", "(offset: 3)", 1],
    ["distinct_on", "(distinct_on: state)", 3],
  ])("%s restricts the rows before aggregation", (_name, args, want) => {
    expect(aggregate("count", args)).toBe(want);
  });

  it("nodes are ordered, and relationships have aggregates", () => {
    const query = `{ Parcel_aggregate(order_by: {id: desc}, limit: 2) { __typename nodes { id } }
      Depot(limit: 2) { parcels_aggregate(where: {fragile: {_eq: false}}) { aggregate { count } nodes { id } } } }`;
    expect(run(query).data).toEqual({
      Parcel_aggregate: { __typename: "Parcel_aggregate", nodes: [{ id: "p4" }, { id: "p3" }] },
      Depot: [
        { parcels_aggregate: { aggregate: { count: 1 }, nodes: [{ id: "p1" }] } },
        { parcels_aggregate: { aggregate: { count: 1 }, nodes: [{ id: "p3" }] } },
      ],
    });
  });

  it("keys are merged, in the order of their first selection", () => {
    const answer = run(`{ __typename b: Depot_by_pk(id: "d1") { name ...F id } a: Depot_by_pk(id: "d1") { id }
                          b: Depot_by_pk(id: "d1") { parcels(limit: 1) { id } parcels(limit: 1) { state } } }
                        fragment F on Depot { parcels(limit: 1) { title } }`);
    expect(JSON.stringify(answer)).toBe(
      '{"data":{"__typename":"query_root","b":{"name":"Harbour","parcels":[{"title":"alpha 50%","id":"p1","state":"SENT"}],"id":"d1"},"a":{"id":"d1"}}}',
    );
  });
});

describe("platform tables", () => {
  it("chain_metadata has a row per chain, at its head", () => {
    const row = {
      block_height: 250,
      chain_id: 1,
      end_block: null,
      first_event_block_number: 100,
      is_hyper_sync: true,
      latest_fetched_block_number: 250,
      latest_processed_block: 250,
      num_batches_fetched: 0,
      num_events_processed: 151,
      start_block: 100,
      timestamp_caught_up_to_head_or_endblock: "2024-01-15T12:34:56+00:00",
    };
    const query = `{ chain_metadata(where: {chain_id: {_eq: 1}}) { ${Object.keys(row).join(" ")} } }`;
    expect(run(query).data).toEqual({ chain_metadata: [row] });
  });

  it("_meta has a row per chain", () => {
    const row = {
      chainId: 10,
      ecosystem: "evm",
      endBlock: null,
      isReady: true,
      progressBlock: 16777301,
      readyAt: "2024-01-15T12:34:56+00:00",
      sourceBlock: 16777301,
    };
    const query = `{ _meta(order_by: {chainId: desc}, limit: 1) { ${Object.keys(row).join(" ")} } }`;
    expect(serve({ release: "3.8" })(query).data).toEqual({ _meta: [row] });
  });

  it("db_write_timestamp is written without an offset", () => {
    const rows = { Watcher: [{ id: "1", chainId: "1", db_write_timestamp: "1705322096100000" }] };
    expect(serve({ release: "2.27", rows })("{ Watcher { db_write_timestamp } }").data).toEqual({
      Watcher: [{ db_write_timestamp: "2024-01-15T12:34:56.1" }],
    });
  });

  it("raw_events is empty", () => {
    expect(run("{ raw_events { serial params } raw_events_by_pk(serial: 1) { serial } }").data).toEqual({
      raw_events: [],
      raw_events_by_pk: null,
    });
  });
});
