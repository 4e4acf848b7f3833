import { describe, expect, it } from "vitest";
import { SchemaError } from "../../../src/base/errors.ts";
import { findEntityProblems, refuseEntities } from "../../../src/dialects/multichain/entity-rules.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import type { TableSettings } from "../../../src/dialects/multichain/tables.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { derive, FLOW_ENTITIES, LOCKUP_ENTITIES, PARCELS } from "./fixtures.ts";

describe("the platform accepts", () => {
  it.each([
    { name: "the lockup entities", entities: LOCKUP_ENTITIES },
    { name: "the flow entities", entities: FLOW_ENTITIES },
    { name: "every kind of id", entities: "type A { id: ID! } type B { id: String! } type C { id: Int! }" },
    {
      name: "members of enums that are reserved in lower case",
      entities: "enum E { Void New } type A { id: ID!  e: E! }",
    },
    {
      name: "words that are reserved in TypeScript only",
      entities: `enum set { any constructor declare from get number require string symbol }
        type number { id: ID!  set: set! }`,
    },
    {
      name: "reserved words as fields",
      entities: "type A { id: ID!  from: Bytes!  type: String!  and: Int  or: Int  class: Int  of: Int }",
    },
    {
      name: "indexes and precisions",
      entities: `type A @index(fields: ["x", "y"]) @index(fields: [["y", "DESC"]]) {
        id: ID!  x: Int! @index  y: [BigInt!] @config(precision: 78) }`,
    },
    {
      name: "unknown directives, scalars and inputs",
      entities: `scalar Anything  input Filter { a: Int }
        type A @entity(immutable: true) @indexed { id: ID! @unique }`,
    },
    {
      name: "a list through a scalar",
      entities: `type A { id: ID!  bs: [B!]! @derivedFrom(field: "a") } type B { id: ID!  a: String! }`,
    },
    {
      name: "a list through a number if ids are numbers",
      entities: `type A { id: Int!  bs: [B!]! @derivedFrom(field: "a") } type B { id: ID!  a: Int }`,
    },
    {
      name: "a list together with a field named like its column",
      entities: `type A { id: ID!  bs: [B!]! @derivedFrom(field: "a")  bs_id: Int } type B { id: ID!  a: A }`,
    },
  ])("$name", ({ entities }) => {
    expect(reasons(entities)).toEqual([]);
  });

  it.each([
    ["type A @storage(postgres: true) { id: ID! }", []],
    ["type A @storage(clickhouse: true) { id: ID! }", []],
    ['type A @storage(clickhouse: { orderBy: ["b"] }) { id: ID! b: Int! }', []],
    ["type A @storage { id: ID! }", ["A: @storage enables no storage: postgres or clickhouse must be true"]],
    [
      "type A @storage(postgres: false, clickhouse: false) { id: ID! }",
      ["A: @storage enables no storage: postgres or clickhouse must be true"],
    ],
    ['type A @storage(postgres: "yes") { id: ID! }', ["A: @storage(postgres:) must be true or false"]],
    [
      "type A @storage(postgres: true) @storage(clickhouse: true) { id: ID! }",
      ["A: has more than one @storage"],
    ],
    ["type A @storage(postgres: true, postgres: false) { id: ID! }", ["A: @storage has postgres twice"]],
    [
      "type A @storage(redis: true) { id: ID! }",
      ["A: @storage has no argument redis, only postgres and clickhouse"],
    ],
    [
      'type A { id: ID! bs: [B!]! @derivedFrom(field: "a") } type B @storage(clickhouse: true) { id: ID! a: A! }',
      ["A.bs: @derivedFrom needs both entities in Postgres, and B is not"],
    ],
    [
      'type A @storage(clickhouse: true) { id: ID! bs: [B!]! @derivedFrom(field: "a") } type B { id: ID! a: A! }',
      ["A.bs: @derivedFrom needs both entities in Postgres, and A is not"],
    ],
  ])("@storage, or reports why not: %s", (entities, want) => {
    expect(reasons(entities, "3.0")).toEqual(want);
    const names = entities.match(/(?<=type )\w+(?= @storage)/g) ?? [];
    expect(reasons(entities, "2.31")).toEqual(
      names.map((name) => `${name}: has @storage, which came with 3.0`),
    );
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
  it.each([
    { entities: "type A { name: String! }", want: ['A: has no field "id"'] },
    { entities: "type A { id: ID }", want: ["A.id: has to be ID! or String! or Int!, but is ID"] },
    { entities: "type A { id: Bytes! }", want: ["A.id: has to be ID! or String! or Int!, but is Bytes!"] },
    { entities: "type A { id: [ID!]! }", want: ["A.id: has to be ID! or String! or Int!, but is [ID!]!"] },
    {
      entities: `type A { id: [A!]! @derivedFrom(field: "x")  x: A }`,
      want: ["A.id: is derived"],
    },
    { entities: `type A { ${id}  on: [Boolean!]! }`, want: ["A.on: lists of Boolean are not supported"] },
    { entities: `type A { ${id}  at: [Timestamp!] }`, want: ["A.at: lists of Timestamp are not supported"] },
    { entities: `type A { ${id}  in: [Int]! }`, want: ["A.in: the items of [Int]! have to be non-null"] },
    { entities: `type A { ${id}  in: [[Int!]!]! }`, want: ["A.in: lists of lists are not supported"] },
    { entities: `type A { ${id}  a: [A!]! }`, want: ["A.a: a list of entities has to be @derivedFrom"] },
    { entities: `type A { ${id}  x: Strnig }`, want: ['A.x: unknown type "Strnig", did you mean "String"?'] },
    { entities: `type A { ${id}  x: Int8 }`, want: ['A.x: unknown type "Int8", did you mean "Int"?'] },
    { entities: `scalar Wholly type A { ${id}  x: Wholly }`, want: ['A.x: unknown type "Wholly"'] },
    ...["[B!]", "[B]!", "B", "[B]"].map((type) => ({
      entities: `type A { ${id}  b: ${type} @derivedFrom(field: "a") } ${other}`,
      want: [
        `A.b: @derivedFrom has to be [B!]!, but is ${type}`,
        "B.back: @derivedFrom A.b, which is not a stored single value",
      ],
    })),
    {
      entities: `type A { ${id}  b: B  x: [B!]! @derivedFrom(field: "nope") } ${other}`,
      want: ['A.x: @derivedFrom a field "nope", which B does not have'],
    },
    {
      entities: `type A { ${id}  b: B  x: [B!]! @derivedFrom(field: "as")  y: [B!]! @derivedFrom(field: "back") } ${other}`,
      want: [
        "A.x: @derivedFrom B.as, which is not a stored single value",
        "A.y: @derivedFrom B.back, which is not a stored single value",
      ],
    },
    {
      entities: `type A { ${id}  b: B  x: [B!]! @derivedFrom } ${other}`,
      want: ["A.x: @derivedFrom does not say which field"],
    },
    {
      entities: `type A { ${id}  x: [Int!]! @derivedFrom(field: "id") }`,
      want: ["A.x: only a list of entities can be @derivedFrom, not [Int!]!"],
    },
    {
      entities: `interface Named { name: String! } type A implements Named { ${id}  name: String! }`,
      want: [
        "Named: interfaces are not supported",
        "A: interfaces are not supported, but it implements Named",
      ],
    },
    {
      entities: `type A @aggregation(intervals: ["hour"], source: "X") { ${id} }`,
      want: ["A: aggregations of time series are not supported"],
    },
    {
      entities: `type _Schema_ @fulltext(name: "search", include: [{ entity: "A" }])  type A { ${id} }`,
      want: ["search: full-text search is not supported"],
    },
    { entities: `type A { ${id} } type A { ${id} }`, want: ["A: defined twice"] },
    { entities: `type A { ${id} } enum A { X }`, want: ["A: defined twice"] },
    { entities: `type Pot { ${id} } type pot { ${id} }`, want: ['pot: differs from "Pot" in case only'] },
    {
      entities: "enum State { X } enum STATE { X }",
      want: ['STATE: differs from "State" in case only'],
    },
    { entities: `type numeric { ${id} }`, want: ["numeric: has the name of a scalar"] },
    { entities: `type Bytes { ${id} }`, want: ["Bytes: has the name of a scalar"] },
    { entities: "enum JsonB { X }", want: ["JsonB: has the name of a scalar"] },
    { entities: "enum Timestamp { X }", want: ["Timestamp: has the name of a scalar"] },
    {
      entities: `enum Pot { X } type pot { ${id} }`,
      want: ['Pot: would be shown as "pot", which is an entity'],
    },
    { entities: `type class { ${id} }`, want: ["class: is a reserved word"] },
    { entities: "enum E { fine void of }", want: ["E.void: is a reserved word", "E.of: is a reserved word"] },
    { entities: "enum type { A }", want: ["type: is a reserved word"] },
    { entities: "enum E { A B A }", want: ["E.A: is listed twice"] },
    { entities: `enum ${long} { A }`, want: [`${long}: is longer than 63 characters`] },
    { entities: `enum E { ${long} }`, want: [`E.${long}: is longer than 63 characters`] },
    ...["Bytes!", "Int", "Kind!", "B"].map((type) => ({
      entities: `enum Kind { X } type A { ${id}  bs: [B!]! @derivedFrom(field: "x") } type B { ${id}  x: ${type} }`,
      want: [`A.bs: @derivedFrom B.x, which is ${type} and not an id of A`],
    })),
    { entities: `type ${long} { ${id} }`, want: [`${long}: is longer than 63 characters`] },
    { entities: `type raw_events { ${id} }`, want: ["raw_events: is a table of the platform's own"] },
    {
      entities: `type A { ${id}  a: A  a_id: String }`,
      want: ['A.a_id: has the name of what "a" makes'],
    },
    {
      entities: `type A { ${id}  a_id: String  a: A }`,
      want: ['A.a: its column "a_id" has the name of another field'],
    },
    {
      entities: `type A { ${id}  x: Int  x: Int }`,
      want: ["A.x: is written twice"],
    },
    {
      entities: "type A { x: Nope } type B { id: Float! }",
      want: [
        'A: has no field "id"',
        'A.x: unknown type "Nope"',
        "B.id: has to be ID! or String! or Int!, but is Float!",
      ],
    },
  ])("$entities", ({ entities, want }) => {
    expect(reasons(entities)).toEqual(want);
  });

  it("with one error for all reasons, which derive also throws", () => {
    const derived = () => derive("type A { x: Int! } type B { x: Int! }");
    expect(derived).toThrow(SchemaError);
    expect(derived).toThrow(`The multichain platform does not accept these entities, for 2 reasons.
  A: has no field "id"
  B: has no field "id"
Hint: correct the entity SDL.`);
  });

  it("an entity with the name of another entity's API type", () => {
    expect(() => derive(`${PARCELS} type Parcel_max_fields { id: ID! }`, { aggregates: ["Parcel"] })).toThrow(
      "Parcel_max_fields: two API types would have this name",
    );
    expect(() => derive(`${PARCELS} type Parcel_max_fields { id: ID! }`)).not.toThrow();
  });
});

describe("per-chain entities", () => {
  const perChain = (entities: string) => reasons(entities, "3.6", { ...SETTINGS, perChain: true });
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

const SETTINGS: TableSettings = { perChain: false, postgresDefault: true, bytesType: "string" };

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
