import fc from "fast-check";
import { buildClientSchema, type IntrospectionQuery } from "graphql";
import { describe, expect, test } from "vitest";
import { sortByName } from "../../../src/base/collections.ts";
import { type ApiSchema, baseTypeName } from "../../../src/dialects/api-schema.ts";
import { canonicalize, normalizeDescription } from "../../../src/dialects/canonicalize.ts";
import type {
  Definition,
  Described,
  Entity,
  EntityField,
  EntityModel,
} from "../../../src/dialects/entity-model.ts";
import { buildIntrospection, parseIntrospection } from "../../../src/dialects/introspection.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../../src/dialects/render-sdl.ts";
import { deriveSubgraph } from "../../../src/dialects/subgraph/derive.ts";
import { readSubgraph } from "../../../src/dialects/subgraph/read.ts";
import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "../../../src/dialects/subgraph/release.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { runs } from "../../support/runs.ts";
import { hasDistinctFilters, plain, subgraphModels } from "./random-models.ts";
import { deriveFrom } from "./schema-shape.ts";

function fieldOf(model: EntityModel, owner: string, name: string): EntityField {
  const definition = model.definitions.find((candidate) => candidate.name === owner);
  if (!definition || !("fields" in definition)) throw new Error(`no ${owner}`);
  const field = (definition.fields as readonly EntityField[]).find((candidate) => candidate.name === name);
  if (!field) throw new Error(`no ${owner}.${name}`);
  return field;
}

describe("readSubgraph of a derived schema", () => {
  test("returns every kind of definition, sorted", () => {
    const model = parseEntities(
      `directive @note(text: String = "x") on FIELD_DEFINITION | OBJECT
       type _Schema_ @fulltext(name: "find" language: en algorithm: rank include: [{ entity: "Stream" fields: [] }])
       """ a stream """
       type Stream implements Party & Named @entity {
         name: String
         id: ID!
         amounts: [BigInt!]! @config(precision: 78)
         label(lang: String = "en"): String
         kind: Kind
         party: Party!
       }
       interface Party { id: ID! streams: [Stream!]! @derivedFrom(field: "party") }
       interface Named { name: String }
       enum Kind { B "the first" A }
       input Options { z: Int = 5 a: [Kind!] }
       type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! token: String amount: Int! }
       type Stats @aggregation(intervals: ["hour", "day"], source: "Data") {
         timestamp: Timestamp! id: Int8! token: String total: Int! @aggregate(fn: "sum", arg: "amount")
       }`,
      "test.graphql",
    );
    const read = readSubgraph(deriveSubgraph(model, { release: "0.40" }));
    const unseen = ["immutable", "scale", "language", "algorithm", "searched"];
    expect(read).toEqual({ ...without(shown(model, "0.40"), ...unseen), directives: model.directives });
    expect(read.definitions.map(({ kind, name }) => `${kind} ${name}`).join(", ")).toBe(
      "entity Data, enum Kind, interface Named, input Options, interface Party, aggregation Stats, entity Stream, fulltext find",
    );
  });

  test.each([
    ["the only field that refers back to the owner", "a: Owner!", "b: Int", "a"],
    ["a list that refers back", "a: [Owner!]!", "b: Int", "a"],
    ["a field that refers to a shared interface", "a: Party!", "b: Int", "a"],
    ["null if two fields refer back", "a: Owner!", "b: Owner", null],
    ["the stored field if the other is derived", "a: Owner!", 'b: [Owner!]! @derivedFrom(field: "id")', "a"],
    ["null if no field refers back", "a: ID!", "b: Int", null],
    ["null if the only reference is to an interface without the field", "a: Other!", "b: Int", null],
  ])("finds the source of a derived field: %s", (_, a, b, derivedFrom) => {
    const schema = deriveFrom(`
      interface Party { id: ID! items: [Item!]! @derivedFrom(field: "a") }
      interface Other { id: ID! }
      type Owner implements Party & Other @entity { id: ID! items: [Item!]! @derivedFrom(field: "a") }
      type Item @entity { id: ID! ${a} ${b} }
    `);
    expect(fieldOf(readSubgraph(schema), "Owner", "items")).toMatchObject({ derived: true, derivedFrom });
  });

  test("distinguishes filter operators from derived fields with the same names", () => {
    const schema = deriveFrom(`
      type Owner @entity {
        id: ID! item: Item! item_not: Item @derivedFrom(field: "owner") item_in: [Item!]! @derivedFrom(field: "owner")
        item_: [Item!]! @derivedFrom(field: "owner")
      }
      type Item @entity { id: ID! owner: Owner! }
    `);
    const model = readSubgraph(schema);
    const isDerived = (name: string) => fieldOf(model, "Owner", name).derived;
    expect(["item", "item_not", "item_in", "item_"].map(isDerived)).toEqual([false, true, true, true]);
  });

  test("reads a type named like one of the log types as the authors' before 0.44", () => {
    const sdl = "enum LogLevel { LOW } type Stream @entity { id: ID! level: LogLevel }";
    const names = (release: GraphNodeRelease) =>
      readSubgraph(deriveFrom(sdl, { release })).definitions.map((definition) => definition.name);
    expect(names("0.43")).toEqual(["LogLevel", "Stream"]);
    expect(names("0.44")).toEqual(["Stream"]);
  });
});

describe("readSubgraph of an odd schema", () => {
  const readSdl = (sdl: string) => readSubgraph(parseSdl(sdl, "odd.graphql"));

  test.each([
    "scalar Odd",
    // A schema of another platform.
    "type Query { Stream(limit: Int): [Stream!]! } type Stream { id: String! }",
    "type Stream { id: ID! } input Stream_filter { id: ID }",
    "type Stream { id: ID! } type Stream_filter { id: ID } enum Stream_orderBy { id }",
  ])("finds no entity in %s", (sdl) => {
    expect(readSdl(sdl).definitions.filter(({ kind }) => kind === "entity")).toEqual([]);
  });

  test("finds entities by filter and order alone, without `Query`, and keeps unknown types", () => {
    const model = readSdl(
      "type Stream { id: ID! odd: Odd id: Int } input Stream_filter { id: ID } enum Stream_orderBy { id } union U = Stream",
    );
    const [id, odd] = [
      { ...plain, name: "id", type: "ID!" },
      { ...plain, name: "odd", type: "Odd" },
    ];
    expect(model.definitions).toEqual([
      { kind: "entity", name: "Stream", description: null, interfaces: [], fields: [id, odd] },
    ]);
  });
});

describe("readSubgraph and deriveSubgraph", () => {
  test("are inverse for every release, also through a snapshot", () => {
    fc.assert(
      fc.property(
        subgraphModels,
        fc.constantFrom(...GRAPH_NODE_RELEASES),
        fc.boolean(),
        (model, release, on) => {
          const schema = deriveSubgraph(model, { release, boolFilters: on, childSorting: !on });
          const want = shown(model, release);
          expect(readSubgraph(schema)).toEqual(want);
          expect(readSubgraph(throughSnapshot(schema))).toEqual(want);
          // The model derives the same schema again, except for order.
          fc.pre(hasDistinctFilters(schema));
          const again = deriveSubgraph(readSubgraph(schema), { release, boolFilters: on, childSorting: !on });
          expect(canonicalize(again)).toEqual(canonicalize(schema));
          if (!IS_THOROUGH || release === "0.34") return;
          const introspection = buildIntrospection(schema);
          expect(parseIntrospection(introspection)).toEqual(schema);
          expect(() => buildClientSchema(introspection as unknown as IntrospectionQuery)).not.toThrow();
        },
      ),
      { numRuns: runs(5, 60), seed: 7 },
    );
  });
});

function throughSnapshot(schema: ApiSchema): ApiSchema {
  return parseSdl(renderSdl(canonicalize(schema)), "snapshot.graphql");
}

/** The part of a model that a deployment shows. */
function shown(model: EntityModel, release: GraphNodeRelease): EntityModel {
  const definitions = model.definitions
    .filter(({ kind }) => kind !== "aggregation" || release !== "0.34")
    .map((definition): Definition => {
      if (definition.kind === "fulltext") return definition;
      const one = { ...definition, ...shownSaying(definition) };
      const said = <T extends Described>(member: T): T => ({ ...member, ...shownSaying(member) });
      switch (one.kind) {
        case "entity": {
          const fields = sortByName(one.fields.map((field) => shownField(field, one, model)));
          return { ...one, interfaces: one.interfaces.toSorted(), fields };
        }
        case "aggregation":
          return { ...one, intervals: [], fields: sortByName(one.fields) };
        case "interface":
          return { ...one, fields: sortByName(one.fields.map(said)) };
        case "input":
          return { ...one, fields: sortByName(one.fields) };
        default:
          return { ...one, values: sortByName((one.values ?? []).map(said)) };
      }
    });
  return { definitions: sortByName(definitions), directives: [] };
}

/** Reads a blank description as null. */
function shownSaying(said: Described): Partial<Described> {
  return { description: normalizeDescription(said.description) };
}

function without(model: EntityModel, ...names: readonly string[]): EntityModel {
  return JSON.parse(
    JSON.stringify(model, (key, value: unknown) => (names.includes(key) ? undefined : value)),
  );
}

function shownField(field: EntityField, owner: Entity, model: EntityModel): EntityField {
  const target = model.definitions.find((candidate) => candidate.name === baseTypeName(field.type));
  const back =
    target?.kind === "entity"
      ? target.fields.filter((candidate) => !candidate.derived && baseTypeName(candidate.type) === owner.name)
      : [];
  return {
    ...field,
    ...shownSaying(field),
    precise: false,
    derivedFrom: back.length === 1 ? field.derivedFrom : null,
  };
}
