import { buildClientSchema, type IntrospectionQuery, validateSchema } from "graphql";
import { describe, expect, it } from "vitest";
import type { SchemaError } from "../../../src/base/errors.ts";
import { type ApiSchema, fieldsOf } from "../../../src/dialects/api-schema.ts";
import { flattenSchema } from "../../../src/dialects/canonicalize.ts";
import { buildIntrospection, parseIntrospection } from "../../../src/dialects/introspection.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { MULTICHAIN_SCALARS } from "../../../src/dialects/multichain/platform-types.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import { catchError } from "../../support/catch-error.ts";
import { shapeOf } from "../subgraph/schema-shape.ts";
import { derive, PARCELS } from "./fixtures.ts";

// test/dialects/canonical-form.test.ts compares schemas of release 2.27 with the committed snapshots, which have every
// kind of type, but no lists as columns.

const typeNames = ({ types }: ApiSchema) => types.map(({ name }) => name);
const members = (schema: ApiSchema, type: string) =>
  shapeOf(schema, type).map((line) => line.split(/[(:]/)[0]);

describe("aggregates", () => {
  const cats = (field: string) =>
    `type House { id: ID! cats: [Cat!]! @derivedFrom(field: "house") } type Cat { id: ID! house: House! ${field} }`;

  it("have no predicates over a table without a list relation to it", () => {
    const schema = derive("type Lone { id: ID!  open: Boolean! }", { aggregates: ["Lone"] });
    const names = typeNames(schema).filter((name) => name.startsWith("Lone_aggregate"));
    expect(names).toEqual(["Lone_aggregate", "Lone_aggregate_fields"]);
  });

  it("have no predicates over list columns", () => {
    const schema = derive(cats("weights: [Float!]!"), { aggregates: ["Cat"] });
    expect(members(schema, "Cat_aggregate_bool_exp")).toEqual(["count"]);
  });

  it("order by count, max and min only if a table has no numeric columns", () => {
    expect(members(derive(cats("")), "Cat_aggregate_order_by")).toEqual(["count", "max", "min"]);
  });

  it.each([
    { release: "2.27", aggregates: ["chain_metadata", "persisted_state"] },
    { release: "3.1", aggregates: ["_meta", "raw_events"] },
  ] as const)("can be public of the platform's own tables: $aggregates", ({ release, aggregates }) => {
    const schema = derive(PARCELS, { release, aggregates });
    for (const table of aggregates) {
      expect(members(schema, "query_root")).toContain(`${table}_aggregate`);
      expect(members(schema, "subscription_root")).toContain(`${table}_aggregate`);
      expect(members(schema, `${table}_aggregate_fields`)).toContain("stddev_pop");
      // They have no relations, so no predicates.
      expect(typeNames(schema)).not.toContain(`${table}_aggregate_bool_exp`);
    }
  });

  it("of these tables have the operators of their columns", () => {
    const schema = derive(PARCELS, { release: "3.1", aggregates: ["raw_events"] });
    expect(shapeOf(schema, "raw_events_sum_fields").join(", ")).toBe(
      "block_number: Int, block_timestamp: Int, chain_id: Int, event_id: bigint, log_index: Int, serial: bigint",
    );
    expect(members(schema, "raw_events_max_fields")).not.toContain("params");
  });

  it.each([
    { aggregates: ["Parcle"], want: ['"Parcle": did you mean "Parcel"?'] },
    { aggregates: ["Parcel", "_meta"], want: [] },
    {
      aggregates: ["Depott", "raw_event"],
      want: ['"Depott": did you mean "Depot"?', '"raw_event": did you mean "raw_events"?'],
    },
  ])("are refused for a type that is not a table: $aggregates", ({ aggregates, want }) => {
    const error = catchError(() => derive(PARCELS, { release: "2.27", aggregates })) as SchemaError;
    expect(error).toMatchObject({ code: "SCHEMA_ENTITIES_INVALID", context: want });
    expect(error.sentence).toContain(`"${aggregates.at(-1)}"`);
  });
});

describe("columns", () => {
  /** The type of a field, its columns, and those of max, sum and avg. */
  const COLUMNS: readonly (readonly [field: string, column: string, ...aggregates: string[]])[] = [
    ["ID!", "f: String!", "f: String"],
    ["String", "f: String", "f: String"],
    ["Bytes!", "f: String!", "f: String"],
    ["Int", "f: Int", "f: Int", "f: Int", "f: Float"],
    ["Float", "f: float8", "f: float8", "f: float8", "f: Float"],
    ["Boolean", "f: Boolean"],
    ["BigInt", "f: numeric", "f: numeric", "f: numeric", "f: Float"],
    ["BigDecimal", "f: numeric", "f: numeric", "f: numeric", "f: Float"],
    ["Timestamp", "f: timestamptz", "f: timestamptz"],
    ["Json", "f(path: String): jsonb"],
    ["MixedCase", "f: mixedcase", "f: mixedcase"],
    ["[String!]", "f: [String!]", "f: [String!]"],
    ["[Int!]!", "f: [Int!]!", "f: [Int!]"],
    ["[Float!]", "f: [float8!]", "f: [float8!]"],
    ["[BigInt!]!", "f: [String!]!", "f: [String!]"],
    ["[BigInt!]! @config(precision: 78)", "f: [numeric!]!", "f: [numeric!]"],
    ["[Json!]", "f: [jsonb!]", "f: [jsonb!]"],
    ["Int_key!", "f: Int_key,f_id: Int!", "f_id: Int", "f_id: Int", "f_id: Float"],
    ["Big_key", "f: Big_key,f_id: numeric", "f_id: numeric", "f_id: numeric", "f_id: Float"],
  ];

  it.each(COLUMNS)("have the scalar of their type: %s", (field, ...want) => {
    const schema = derive(
      `enum MixedCase { A } type Int_key { id: Int! } type Big_key { id: BigInt! } type T { id: ID!  f: ${field} }`,
      { release: "3.8", aggregates: ["T"] },
    );
    const found = ["T", "T_max_fields", "T_sum_fields", "T_avg_fields"]
      .filter((type) => typeNames(schema).includes(type))
      .map((type) => shapeOf(schema, type).filter((line) => line.startsWith("f")));
    expect(found.filter((lines) => lines.length > 0).map(String)).toEqual(want);
  });

  it("of lists are in filters, orders, cursors, max and min", () => {
    const schema = derive(PARCELS, { release: "2.31", aggregates: ["Parcel"] });
    const of = (part: RegExp) => flattenSchema(schema).filter(({ coordinate }) => part.test(coordinate));
    expect(of(/\.tags$/).map(({ coordinate, signature }) => `${coordinate}: ${signature}`)).toEqual([
      "Parcel.tags: [String!]!",
      "Parcel_bool_exp.tags: String_array_comparison_exp",
      "Parcel_max_fields.tags: [String!]",
      "Parcel_max_order_by.tags: order_by",
      "Parcel_min_fields.tags: [String!]",
      "Parcel_min_order_by.tags: order_by",
      "Parcel_order_by.tags: order_by",
      "Parcel_select_column.tags: value",
      "Parcel_stream_cursor_value_input.tags: [String!]",
    ]);
    expect(shapeOf(schema, "String_array_comparison_exp").join(", ")).toBe(
      "_contained_in: [String!], _contains: [String!], _eq: [String!], _gt: [String!], _gte: [String!], " +
        "_in: [[String!]!], _is_null: Boolean, _lt: [String!], _lte: [String!], _neq: [String!], _nin: [[String!]!]",
    );
    expect(of(/^String_array/).flatMap(({ description }) => description ?? [])).toEqual([
      `Boolean expression to compare columns of type "String". All fields are combined with logical 'AND'.`,
      "is the array contained in the given array value",
      "does the array contain the given value",
    ]);
  });

  it("have the scalar bytea for Bytes with bytes_type uint8array", () => {
    const schema = derive("type T { id: ID!  hash: Bytes!  hashes: [Bytes!]  tags: [String!]  n: BigInt! }", {
      release: "3.10",
      bytesType: "uint8array",
      aggregates: ["T"],
    });
    expect(shapeOf(schema, "T").slice(0, 2)).toEqual(["hash: bytea!", "hashes: [bytea!]"]);
    expect(members(schema, "T_max_fields")).toEqual(["hashes", "id", "n", "tags"]);
    for (const [bytes, other] of [
      ["bytea_comparison_exp", "numeric_comparison_exp"],
      ["bytea_array_comparison_exp", "String_array_comparison_exp"],
    ] as const) {
      const lines = shapeOf(schema, other).map((line) => line.replace(/numeric|String/, "bytea"));
      expect(shapeOf(schema, bytes)).toEqual(lines);
    }
  });

  it.each(["3.0", "3.8"])("error: release %s has no bytes_type", (release) => {
    expect(() => derive("type T { id: ID! }", { release, bytesType: "uint8array" })).toThrow(
      expect.objectContaining({ context: [`${release}: has no bytes_type, which came with 3.10`] }),
    );
  });

  it.each([
    ["ID!", "String!"],
    ["Int!", "Int!"],
    ["BigInt!", "numeric!"],
  ])("of ids of type %s are the argument of by_pk", (id, type) => {
    const schema = derive(`type T { id: ${id} }`, { release: "3.8" });
    expect(shapeOf(schema, "query_root")).toContain(`T_by_pk(id: ${type}): T`);
  });
});

describe("definitions that no snapshot contains", () => {
  const schema = derive(PARCELS, { release: "2.31" });

  it("directives, in the server's order", () => {
    const selections = ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"];
    const args = [{ name: "if", description: null, type: "Boolean!", defaultValue: null }];
    expect(schema.directives).toMatchObject([
      { name: "include", description: "whether this query should be included", locations: selections, args },
      { name: "skip", description: "whether this query should be skipped", locations: selections, args },
      { name: "cached", args: [{ name: "ttl" }, { name: "refresh" }] },
    ]);
  });

  it("meta-types, with the loose types that the server lists", () => {
    expect(
      typeNames(schema)
        .filter((name) => name.startsWith("__"))
        .join(" "),
    ).toBe("__Directive __EnumValue __Field __InputValue __Schema __Type __TypeKind");
    expect(shapeOf(schema, "__Type").join(", ")).toBe(
      "description: String!, enumValues(includeDeprecated: Boolean = false): __EnumValue, " +
        "fields(includeDeprecated: Boolean = false): __Field, inputFields: __InputValue, interfaces: __Type, " +
        "kind: __TypeKind!, name: String!, ofType: __Type, possibleTypes: __Type",
    );
    expect(shapeOf(schema, "__TypeKind").join(" ")).toBe(
      "ENUM INPUT_OBJECT INTERFACE LIST NON_NULL OBJECT SCALAR UNION",
    );
  });
});

describe("every release", () => {
  const ENTITIES = `
    enum Mood { CALM WILD }
    type House { id: ID!  cats: [Cat!]! @derivedFrom(field: "house") }
    type Cat { id: ID!  house: House!  mood: Mood!  tame: Boolean!  weight: Float!  price: BigInt  born: Timestamp }`;
  // bytea needs a setting of the operator.
  const unusedScalars = (release: Release) => {
    if (release === "2.27" || release === "2.28") return ["bytea", "bigint"];
    return release.startsWith("2.") ? ["bytea", "bigint", "timestamp"] : ["bytea", "timestamp"];
  };

  it.each(Object.keys(RELEASES) as Release[])("%s derives a schema that clients can build", (release) => {
    const schema = derive(ENTITIES, { release, aggregates: ["Cat"] });
    const introspection = buildIntrospection(schema);
    expect(parseIntrospection(introspection)).toEqual(schema);
    const client = buildClientSchema(introspection as unknown as IntrospectionQuery);
    expect(validateSchema(client)).toEqual([]);
    const { queryType, mutationType, subscriptionType } = schema;
    expect([queryType, mutationType, subscriptionType]).toEqual(["query_root", null, "subscription_root"]);
    // Types and members are in byte order.
    for (const names of nameLists(schema)) expect(names).toEqual(byteOrder(names));
    const enums = ["mood", ...(release === "2.27" ? ["contract_type"] : [])];
    const used = [...MULTICHAIN_SCALARS.keys()].filter((name) => !unusedScalars(release).includes(name));
    const scalars = schema.types.flatMap((type) => (type.kind === "SCALAR" ? [type.name] : []));
    expect(scalars).toEqual(byteOrder([...used, ...enums]));
  });

  it("has only the platform's own types for a model without entities", () => {
    const schema = deriveMultichain({ definitions: [], directives: [] }, { release: "3.0" });
    const suffixes = ["", "_bool_exp", "_order_by", "_select_column", "_stream_cursor_input"];
    const families = ["_meta", "chain_metadata", "raw_events"].flatMap((table) =>
      [...suffixes, "_stream_cursor_value_input"].map((suffix) => table + suffix),
    );
    const scalars = ["Boolean", "Float", "Int", "String", "bigint", "jsonb", "timestamptz"];
    expect(typeNames(schema).filter((name) => !name.startsWith("__"))).toEqual(
      byteOrder([
        ...families,
        ...scalars.flatMap((scalar) => [scalar, `${scalar}_comparison_exp`]),
        ...["jsonb_cast_exp", "order_by", "cursor_ordering", "query_root", "subscription_root"],
      ]),
    );
  });
});

/** Returns the names of types, and of the members and arguments of each, in listed order. */
function nameLists(schema: ApiSchema): string[][] {
  const names = (items: readonly { readonly name: string }[]) => items.map((item) => item.name);
  return [
    typeNames(schema),
    ...schema.types.flatMap((type) => {
      if (type.kind === "ENUM") return [names(type.values)];
      if (!("fields" in type)) return [];
      return [names(type.fields), ...type.fields.map((field) => ("args" in field ? names(field.args) : []))];
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
    expect(members(schema, "Cargo")).toEqual(["id", "port", "port_id", "ship_id"]);
  });

  it("is every entity without @storage if postgresDefault is false", () => {
    expect(rootsOf(derive(ENTITIES, { release: "3.0", postgresDefault: false }))).toEqual(["Cargo"]);
  });
});
