import { describe, expect, it } from "vitest";
import { SchemaError } from "../../../src/base/errors.ts";
import { findEntityProblems, refuseEntities } from "../../../src/dialects/multichain/entity-rules.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import type { TableSettings } from "../../../src/dialects/multichain/tables.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { derive, FLOW, LOCKUP, PARCELS } from "./fixtures.ts";

/** A list of the entity B, through its field a. */
const bs = 'bs: [B!]! @derivedFrom(field: "a")';
const TAKES = "A: @storage takes only postgres, which is true or false, and clickhouse, each once";

describe("the platform accepts", () => {
  it.each([
    ["the lockup entities", LOCKUP],
    ["the flow entities", FLOW],
    ["every kind of id", "type A { id: ID! } type B { id: String! } type C { id: Int! }"],
    ["members of enums that are reserved in lower case", "enum E { Void New } type A { id: ID!  e: E! }"],
    [
      "words that are reserved in TypeScript only",
      "enum set { any constructor declare from get number require string symbol } type number { id: ID!  set: set! }",
    ],
    [
      "reserved words as fields",
      "type A { id: ID!  from: Bytes!  type: String!  and: Int  class: Int  of: Int }",
    ],
    ["indexes", 'type A @index(fields: ["x"]) @index(fields: [["x", "DESC"]]) { id: ID!  x: Int! @index }'],
    ["precisions", "type A { id: ID!  y: [BigInt!] @config(precision: 78) }"],
    ["unknown scalars and inputs", "scalar Anything  input Filter { a: Int }"],
    ["unknown directives", "type A @entity(immutable: true) @indexed { id: ID! @unique }"],
    ["a list through a scalar", `type A { id: ID!  ${bs} } type B { id: ID!  a: String! }`],
    ["a list through a number if ids are numbers", `type A { id: Int!  ${bs} } type B { id: ID!  a: Int }`],
    [
      "a field named like the column of a list",
      `type A { id: ID!  ${bs}  bs_id: Int } type B { id: ID!  a: A }`,
    ],
  ])("%s", (_, entities) => {
    expect(reasons(entities)).toEqual([]);
  });

  it.each([
    ["type A @storage(postgres: true) { id: ID! }"],
    ["type A @storage(clickhouse: true) { id: ID! }"],
    ['type A @storage(clickhouse: { orderBy: ["b"] }) { id: ID! b: Int! }'],
    ["type A @storage { id: ID! }", "A: @storage enables no storage: postgres or clickhouse must be true"],
    ["type A @storage(postgres: false, clickhouse: false) { id: ID! }", "A: @storage enables no storage: "],
    ['type A @storage(postgres: "yes") { id: ID! }', TAKES],
    [
      "type A @storage(postgres: true) @storage(clickhouse: true) { id: ID! }",
      "A: has more than one @storage",
    ],
    ["type A @storage(postgres: true, postgres: false) { id: ID! }", TAKES],
    ["type A @storage(redis: true) { id: ID! }", TAKES],
    [
      `type A { id: ID!  ${bs} } type B @storage(clickhouse: true) { id: ID! a: A! }`,
      "A.bs: @derivedFrom needs both entities in Postgres, and B is not",
    ],
    [
      `type A @storage(clickhouse: true) { id: ID!  ${bs} } type B { id: ID! a: A! }`,
      "A.bs: @derivedFrom needs both entities in Postgres, and A is not",
    ],
  ])("@storage, or reports why not: %s", (entities, ...want) => {
    expect(reasons(entities, "3.0")).toEqual(want.map((part) => expect.stringContaining(part)));
    const names = entities.match(/(?<=type )\w+(?= @storage)/g) ?? [];
    const early = names.map((name) => `${name}: has @storage, which came with 3.0`);
    expect(reasons(entities, "2.31")).toEqual(early);
  });

  it("BigInt ids only since 3.5", () => {
    const entities = "type A { id: BigInt! }";
    expect(reasons(entities, "3.8")).toEqual([]);
    expect(reasons(entities, "3.1")).toEqual(["A.id: has to be ID! or String! or Int!, but is BigInt!"]);
  });

  it("a field named db_write_timestamp since 2.29", () => {
    const entities = "type A { id: ID!  db_write_timestamp: Int }";
    expect(reasons(entities, "2.29")).toEqual([]);
    expect(reasons(entities, "2.28")).toEqual([
      "A.db_write_timestamp: has the name of what the platform adds",
    ]);
  });
});

describe("the platform refuses", () => {
  const long = "L".repeat(64);
  const id = "id: ID!";
  const other = `type B { ${id}  a: A!  as: [Int!]!  back: [A!]! @derivedFrom(field: "b") }`;
  const through = (field: string) => `type A { ${id}  b: B  ${field} } ${other}`;

  it.each<[entities: string, ...want: string[]]>([
    ["type A { name: String! }", 'A: has no field "id"'],
    ...["ID", "Bytes!", "[ID!]!"].map((type): [string, string] => [
      `type A { id: ${type} }`,
      `A.id: has to be ID! or String! or Int!, but is ${type}`,
    ]),
    [`type A { id: [A!]! @derivedFrom(field: "x")  x: A }`, "A.id: is derived"],
    [`type A { ${id}  on: [Boolean!]! }`, "A.on: lists of Boolean are not supported"],
    [`type A { ${id}  at: [Timestamp!] }`, "A.at: lists of Timestamp are not supported"],
    [`type A { ${id}  in: [Int]! }`, "A.in: the items of [Int]! have to be non-null"],
    [`type A { ${id}  in: [[Int!]!]! }`, "A.in: lists of lists are not supported"],
    [`type A { ${id}  a: [A!]! }`, "A.a: a list of entities has to be @derivedFrom"],
    [`type A { ${id}  x: Strnig }`, 'A.x: unknown type "Strnig", did you mean "String"?'],
    [`type A { ${id}  x: Int8 }`, 'A.x: unknown type "Int8", did you mean "Int"?'],
    [`scalar Wholly type A { ${id}  x: Wholly }`, 'A.x: unknown type "Wholly"'],
    ...["[B!]", "[B]!", "B", "[B]"].map((type): [string, string, string] => [
      `type A { ${id}  b: ${type} @derivedFrom(field: "a") } ${other}`,
      `A.b: @derivedFrom has to be [B!]!, but is ${type}`,
      "B.back: @derivedFrom A.b, which is not a stored single value",
    ]),
    [
      through('x: [B!]! @derivedFrom(field: "nope")'),
      'A.x: @derivedFrom a field "nope", which B does not have',
    ],
    [
      through('x: [B!]! @derivedFrom(field: "as")'),
      "A.x: @derivedFrom B.as, which is not a stored single value",
    ],
    [
      through('y: [B!]! @derivedFrom(field: "back")'),
      "A.y: @derivedFrom B.back, which is not a stored single value",
    ],
    [through("x: [B!]! @derivedFrom"), "A.x: @derivedFrom does not say which field"],
    [
      `type A { ${id}  x: [Int!]! @derivedFrom(field: "id") }`,
      "A.x: only a list of entities can be @derivedFrom, not [Int!]!",
    ],
    [
      `interface Named { name: String! } type A implements Named { ${id}  name: String! }`,
      "Named: interfaces are not supported",
      "A: interfaces are not supported, but it implements Named",
    ],
    [
      `type A @aggregation(intervals: ["hour"], source: "X") { ${id} }`,
      "A: aggregations of time series are not supported",
    ],
    [
      `type _Schema_ @fulltext(name: "search", include: [{ entity: "A" }])  type A { ${id} }`,
      "search: full-text search is not supported",
    ],
    [`type A { ${id} } type A { ${id} }`, "A: defined twice"],
    [`type A { ${id} } enum A { X }`, "A: defined twice"],
    [`type Pot { ${id} } type pot { ${id} }`, 'pot: differs from "Pot" in case only'],
    ["enum State { X } enum STATE { X }", 'STATE: differs from "State" in case only'],
    [`type numeric { ${id} }`, "numeric: has the name of a scalar"],
    [`type Bytes { ${id} }`, "Bytes: has the name of a scalar"],
    ["enum JsonB { X }", "JsonB: has the name of a scalar"],
    ["enum Timestamp { X }", "Timestamp: has the name of a scalar"],
    [`enum Pot { X } type pot { ${id} }`, 'Pot: would be shown as "pot", which is an entity'],
    [`type class { ${id} }`, "class: is a reserved word"],
    ["enum E { fine void of }", "E.void: is a reserved word", "E.of: is a reserved word"],
    ["enum type { A }", "type: is a reserved word"],
    ["enum E { A B A }", "E.A: is listed twice"],
    [`enum ${long} { A }`, `${long}: is longer than 63 characters`],
    [`enum E { ${long} }`, `E.${long}: is longer than 63 characters`],
    [`type ${long} { ${id} }`, `${long}: is longer than 63 characters`],
    ...["Bytes!", "Int", "Kind!", "B"].map((type): [string, string] => [
      `enum Kind { X } type A { ${id}  ${bs} } type B { ${id}  a: ${type} }`,
      `A.bs: @derivedFrom B.a, which is ${type} and not an id of A`,
    ]),
    [`type raw_events { ${id} }`, "raw_events: is a table of the platform's own"],
    [`type A { ${id}  a: A  a_id: String }`, 'A.a_id: has the name of what "a" makes'],
    [`type A { ${id}  a_id: String  a: A }`, 'A.a: its column "a_id" has the name of another field'],
    [`type A { ${id}  x: Int  x: Int }`, "A.x: is written twice"],
    [
      "type A { x: Nope } type B { id: Float! }",
      'A: has no field "id"',
      'A.x: unknown type "Nope"',
      "B.id: has to be ID! or String! or Int!, but is Float!",
    ],
  ])("%s", (entities, ...want) => {
    expect(reasons(entities)).toEqual(want);
  });

  it("with one error for all reasons, which derive also throws", () => {
    const derived = () => derive("type A { x: Int! } type B { x: Int! }");
    expect(derived).toThrow(SchemaError);
    expect(derived).toThrow(`The multichain platform does not accept these entities, for 2 reasons.
  A: has no field "id"
  B: has no field "id"
Hint: correct the entity schema; a subgraph may accept it as it is.`);
  });

  it("an entity with the name of another entity's API type", () => {
    expect(() => derive(`${PARCELS} type Parcel_max_fields { id: ID! }`, { aggregates: ["Parcel"] })).toThrow(
      "Parcel_max_fields: two API types would have this name",
    );
    expect(() => derive(`${PARCELS} type Parcel_max_fields { id: ID! }`)).not.toThrow();
  });
});

describe("per-chain entities", () => {
  const perChain = (entities: string) => reasons(entities, "3.6", { ...SETTINGS, perChainEntities: true });
  const name =
    "is not allowed, since envio sets `chainId` on every per-chain entity: rename it, or add @crossChain to the entity";

  it.each(["chainId", "chain_id"])("cannot have a field %s unless they are @crossChain", (field) => {
    expect(perChain(`type A { id: ID!  ${field}: Int! }`)).toEqual([`A.${field}: ${name}`]);
    expect(perChain(`type A @crossChain { id: ID!  ${field}: Int! }`)).toEqual([]);
    expect(reasons(`type A { id: ID!  ${field}: Int! }`, "3.6")).toEqual([]);
  });

  it("cannot be referenced by @crossChain entities, nor reference them", () => {
    const entities = (own: string, other: string) =>
      `type A ${own} { id: ID!  b: B  bs: [B!]! @derivedFrom(field: "a") } type B ${other} { id: ID!  a: A }`;
    expect(perChain(entities("@crossChain", ""))).toEqual([
      "A.b: references B, which is per-chain, but A is @crossChain",
    ]);
    expect(perChain(entities("", "@crossChain"))).toEqual([
      "B.a: references A, which is per-chain, but B is @crossChain",
    ]);
    expect(perChain(entities("@crossChain", "@crossChain"))).toEqual([]);
    expect(perChain(entities("", ""))).toEqual([]);
    expect(reasons(entities("@crossChain", ""), "3.6")).toEqual([]);
  });
});

const SETTINGS: TableSettings = { perChainEntities: false, postgresDefault: true, bytesType: "string" };

function reasons(entities: string, release: Release = "2.27", settings = SETTINGS): readonly string[] {
  try {
    refuseEntities(
      findEntityProblems(parseEntities(entities, "entities.graphql"), RELEASES[release], settings),
    );
    return [];
  } catch (error) {
    if (error instanceof SchemaError && error.code === "SCHEMA_ENTITIES_INVALID") return error.context;
    throw error;
  }
}
