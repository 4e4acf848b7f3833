import fc from "fast-check";
import { buildClientSchema, type IntrospectionQuery, validateSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { PUBLIC_AGGREGATES } from "../../../emulator/dataset/entities/index.ts";
import { sortByName } from "../../../src/base/collections.ts";
import {
  type ApiObject,
  type ApiSchema,
  type ApiType,
  baseTypeName,
  isList,
} from "../../../src/dialects/api-schema.ts";
import { canonicalize } from "../../../src/dialects/canonicalize.ts";
import type { Definition, Entity, EntityField, EntityModel } from "../../../src/dialects/entity-model.ts";
import { buildIntrospection } from "../../../src/dialects/introspection.ts";
import { deriveMultichain } from "../../../src/dialects/multichain/derive.ts";
import { readMultichain } from "../../../src/dialects/multichain/read.ts";
import { RELEASES, type Release } from "../../../src/dialects/multichain/release.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import { renderSdl } from "../../../src/dialects/render-sdl.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { runs } from "../../support/runs.ts";
import { derive, FLOW, LOCKUP } from "./fixtures.ts";
import { multichainModels } from "./random-models.ts";

describe("readMultichain", () => {
  it.each<[rule: string, entities: string, options: DeriveOptions, ...want: string[]]>([
    [
      "returns entities, relations and enums, without the platform's own types",
      `enum ParcelState { NEW SENT }
       type Depot { id: ID!  name: String!  parcels: [Parcel!]! @derivedFrom(field: "depot") }
       type Parcel { id: ID!  depot: Depot!  state: ParcelState  weights: [BigInt!]!  extra: Json }`,
      { release: "2.29", aggregates: ["Parcel", "Depot"] },
      "entity Depot { id: String!, name: String!, parcels: [Parcel!]! from depot }",
      "entity Parcel { depot: Depot!, extra: jsonb, id: String!, state: parcelstate, weights: [numeric!]! }",
      "enum parcelstate",
    ],
    [
      "infers the source of a list only if exactly one relation refers back",
      `type A { id: ID!  ones: [One!]! @derivedFrom(field: "a")  twos: [Two!]! @derivedFrom(field: "y")
         nones: [None!]! @derivedFrom(field: "aId") }
       type None { id: ID!  aId: String! } type One { id: ID!  a: A } type Two { id: ID!  x: A!  y: A! }`,
      {},
      "entity A { id: String!, nones: [None!]! derived, ones: [One!]! from a, twos: [Two!]! derived }",
      "entity None { aId: String!, id: String! }",
      "entity One { a: A, id: String! }",
      "entity Two { id: String!, x: A!, y: A! }",
    ],
    [
      "distinguishes an author's field from the write timestamp by its type",
      "type A { id: ID!  db_write_timestamp: Timestamp }",
      { release: "3.8" },
      "entity A { db_write_timestamp: timestamptz, id: String! }",
    ],
    [
      "keeps fields that only look like aggregates or columns of references",
      "type A { id: ID!  asset_id: String!  total_aggregate: A_aggregate }  type A_aggregate { id: ID! }",
      {},
      "entity A { asset_id: String!, id: String!, total_aggregate: A_aggregate }",
      "entity A_aggregate { id: String! }",
    ],
  ])("%s", (_, entities, options, ...want) => {
    expect(outline(readMultichain(derive(entities, options)))).toEqual(want);
  });

  it.each([
    { name: "lockup", entities: LOCKUP, want: 12 },
    { name: "flow", entities: FLOW, want: 10 },
  ])("returns the same model for the $name schema and its snapshot", ({ entities, want }) => {
    const schema = derive(entities, { aggregates: PUBLIC_AGGREGATES });
    const snapshot = parseSdl(renderSdl(canonicalize(schema)), "snapshot");
    const model = readMultichain(snapshot);
    expect(model).toEqual(readMultichain(schema));
    expect(model.definitions.filter(({ kind }) => kind === "entity")).toHaveLength(want);
    expect(names(model, "enum")).toEqual(["actioncategory", "streamcategory"]);
  });

  it("keeps the authors' descriptions, also of references, and drops the platform's", () => {
    const schema = derive(
      `"A  cat.  " type Cat { "Its\\tname." id: ID!  "Where it lives." home: House!  age: Int }
       type House { id: ID!  "All of them." cats: [Cat!]! @derivedFrom(field: "home") }`,
      { release: "3.1" },
    );
    const texts = readMultichain(schema).definitions.map((definition) =>
      definition.kind === "entity"
        ? [definition, ...definition.fields]
            .map(({ name, description }) => `${name}: ${description}`)
            .join(", ")
        : null,
    );
    expect(texts).toEqual([
      "Cat: A  cat., age: null, home: Where it lives., id: Its  name.",
      "House: null, cats: null, id: null",
    ]);
  });

  it("finds a reference even if its column is missing", () => {
    const schema = derive("type A { id: ID!  b: B! }  type B { id: ID! }");
    const partial = withTypes(schema, (type) =>
      type.kind === "OBJECT" && type.name === "A"
        ? { ...type, fields: type.fields.filter((field) => field.name !== "b_id") }
        : type,
    );
    expect(outline(readMultichain(partial))).toContain("entity A { b: B, id: String! }");
  });

  it.each([
    ["no types at all", "type Query { a: Int }"],
    [
      "a filter of the other style",
      "type Query { a: A } type A { id: ID! } input A_filter { and: [A_filter] }",
    ],
    ["an enum named like a filter", "type Query { a: A } type A { id: String! } enum A_bool_exp { _and }"],
    [
      "missing types, lists of lists and a self reference",
      `type query_root { A: [A!]! }
       type A { id: String!  gone: Gone  deep: [[A!]!]!  self: A!  Self_aggregate: Nope_aggregate }
       input A_bool_exp { _and: [A_bool_exp!] }`,
      "entity A { Self_aggregate: Nope_aggregate, deep: [[A!]!]! from self, gone: Gone, id: String!, self: A! }",
    ],
  ])("reads %s without an error", (_, sdl, ...want) => {
    expect(outline(readMultichain(parseSdl(sdl, "odd")))).toEqual(want);
  });

  it("uses the first of two types with one name", () => {
    const schema = derive("type A { id: ID! }");
    const again: ApiObject = { kind: "OBJECT", name: "A", description: null, interfaces: [], fields: [] };
    const twice = { ...schema, types: [...schema.types, again] };
    expect(readMultichain(twice)).toEqual(readMultichain(schema));
  });
});

describe("readMultichain of deriveMultichain", () => {
  it("recognizes per-chain entities by their key, and marks the others as crossChain", () => {
    const model = parseEntities(
      `type A { id: ID!  b: B! }  type B @crossChain { id: ID!  chainId: Int  list: [A!]! @derivedFrom(field: "b") }`,
      "entities.graphql",
    );
    const schema = deriveMultichain(model, { release: "3.6", perChainEntities: true });
    const read = readMultichain(schema);
    expect(outline(read)).toEqual([
      "entity A { b: B!, id: String! }",
      "entity B { chainId: Int, id: String!, list: [A!]! from b }",
    ]);
    expect(read.definitions).toMatchObject([{ name: "A" }, { name: "B", crossChain: true }]);
    expect(read.definitions[0]).not.toHaveProperty("crossChain");
    expect(readMultichain(deriveMultichain(model)).definitions[1]).not.toHaveProperty("crossChain");
  });

  it("returns the visible part of any model, in any order of members", () => {
    fc.assert(
      fc.property(
        multichainModels,
        fc.constantFrom(...(Object.keys(RELEASES) as Release[])),
        fc.infiniteStream(fc.boolean()),
        (model, release, coins) => {
          const aggregates = names(model, "entity").filter(() => coins.next().value);
          const schema = deriveMultichain(model, { release, aggregates });
          const want = shown(model, release);
          expect(readMultichain(schema)).toEqual(want);
          expect(readMultichain(reversed(schema))).toEqual(want);
          if (!IS_THOROUGH) return;
          const introspection = buildIntrospection(schema) as unknown as IntrospectionQuery;
          expect(validateSchema(buildClientSchema(introspection))).toEqual([]);
        },
      ),
      { numRuns: runs(5, 60), seed: 7 },
    );
  });
});

/** Computes the visible part of a model independently, without tables. */
function shown(model: EntityModel, release: Release): EntityModel {
  const entities = model.definitions.filter(
    (definition): definition is Entity => definition.kind === "entity",
  );
  const enums = names(model, "enum");
  const used = new Set(entities.flatMap((entity) => entity.fields.map((field) => baseTypeName(field.type))));
  const described = ["3.1", "3.5", "3.6", "3.8", "3.10", "3.12"].includes(release);
  const definitions: Definition[] = enums
    .filter((name) => used.has(name))
    .map((name) => ({ kind: "enum", name: name.toLowerCase(), description: null, values: null }));
  for (const entity of entities) {
    const fields = entity.fields.map((field): EntityField => {
      const back = entities
        .find(({ name }) => name === baseTypeName(field.type))
        ?.fields.filter(({ type }) => baseTypeName(type) === entity.name && !isList(type));
      return {
        ...field,
        type: shownType(field, release, enums),
        description: described && !field.derived ? field.description : null,
        derivedFrom: field.derived && back?.length === 1 ? (back[0]?.name ?? null) : null,
        precise: false,
      };
    });
    const description = described ? entity.description : null;
    definitions.push({ ...entity, description, fields: sortByName(fields) });
  }
  return { definitions: sortByName(definitions), directives: [] };
}

function shownType({ type, precise }: EntityField, release: Release, enums: readonly string[]): string {
  const base = baseTypeName(type);
  if (enums.includes(base)) return type.replace(base, base.toLowerCase());
  const textItems = isList(type) && !precise && !["2.27", "2.28", "2.29"].includes(release);
  const scalars: Record<string, string> = {
    ID: "String",
    Bytes: "String",
    BigInt: textItems ? "String" : "numeric",
    BigDecimal: textItems ? "String" : "numeric",
    Float: "float8",
    Timestamp: "timestamptz",
    Json: "jsonb",
  };
  return type.replace(base, scalars[base] ?? base);
}

function reversed(schema: ApiSchema): ApiSchema {
  const backwards = withTypes(schema, (type) => {
    if (type.kind === "OBJECT") return { ...type, fields: type.fields.toReversed() };
    if (type.kind === "INPUT_OBJECT") return { ...type, fields: type.fields.toReversed() };
    return type;
  });
  return { ...backwards, types: backwards.types.toReversed() };
}

function withTypes(schema: ApiSchema, change: (type: ApiType) => ApiType): ApiSchema {
  return { ...schema, types: schema.types.map(change) };
}

function names(model: EntityModel, kind: Definition["kind"]): string[] {
  return model.definitions.filter((definition) => definition.kind === kind).map(({ name }) => name);
}

function outline(model: EntityModel): string[] {
  return model.definitions.map((definition) => {
    const fields =
      definition.kind === "entity" ? ` { ${definition.fields.map(outlineField).join(", ")} }` : "";
    return `${definition.kind} ${definition.name}${fields}`;
  });
}

function outlineField({ name, type, derived, derivedFrom }: EntityField): string {
  const source = derivedFrom === null ? " derived" : ` from ${derivedFrom}`;
  return `${name}: ${type}${derived ? source : ""}`;
}
