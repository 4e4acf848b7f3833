import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ApiSchema, type ApiType, baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import { canonicalize } from "../../../src/dialects/canonicalize.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import { deriveSubgraph } from "../../../src/dialects/subgraph/derive.ts";
import { readSubgraph } from "../../../src/dialects/subgraph/read.ts";
import { recognizeSubgraph } from "../../../src/dialects/subgraph/recognize.ts";
import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "../../../src/dialects/subgraph/release.ts";
import { runs } from "../../support/runs.ts";
import { hasDistinctFilters, subgraphModels } from "./random-models.ts";
import { deriveFrom } from "./schema-shape.ts";

/** The recognizable release: the last one that changed the schema. */
const FLOORS: Record<GraphNodeRelease, string> = {
  "0.34": "0.32",
  "0.35": "0.35",
  "0.36": "0.35",
  "0.37": "0.35",
  "0.38": "0.38",
  "0.39": "0.38",
  "0.40": "0.38",
  "0.40.2": "0.40.2",
  "0.41": "0.40.2",
  "0.42": "0.42",
  "0.43": "0.42",
  "0.44": "0.44",
  "0.45": "0.44",
};

describe("the release", () => {
  test("is the floor for every model, release and setting", () => {
    fc.assert(
      fc.property(
        subgraphModels,
        fc.constantFrom(...GRAPH_NODE_RELEASES),
        fc.boolean(),
        fc.boolean(),
        (model, release, boolFilters, childSorting) => {
          const schema = deriveSubgraph(model, { release, boolFilters, childSorting });
          const { release: floor, options } = recognizeSubgraph(schema);
          expect(floor).toBe(`graph-node-${FLOORS[release]}`);
          // A snapshot does not contain the change of 0.40.2.
          const shown = FLOORS[release] === "0.40.2" ? "0.38" : FLOORS[release];
          expect(recognizeSubgraph(canonicalize(schema)).release).toBe(`graph-node-${shown}`);
          // Deriving again with the recognized options returns the same schema.
          expect(canonicalize(deriveSubgraph(model, options as object))).toEqual(canonicalize(schema));
          fc.pre(hasDistinctFilters(schema));
          const again = deriveSubgraph(readSubgraph(schema), options as object);
          expect(canonicalize(again)).toEqual(canonicalize(schema));
        },
      ),
      { numRuns: runs(2, 25), seed: 7 },
    );
  });

  test("older than 0.34 is recognized by its newest visible feature", () => {
    const derived = (settings: DeriveOptions) =>
      deriveFrom("type Stream @entity { id: ID! parent: Stream }", { release: "0.34", ...settings });
    const without = (schema: ApiSchema, ...names: string[]) =>
      withTypes(schema, (types) => types.filter(({ name }) => !names.includes(name)));
    const plain = { childSorting: false, boolFilters: false };
    expect(
      [
        derived({}),
        without(derived({}), "Int8"),
        without(derived({ childSorting: false }), "Int8"),
        without(derived(plain), "Int8"),
        without(derived(plain), "Int8", "_Block_"),
        without(derived(plain), "Int8", "_Block_", "BlockChangedFilter"),
      ].map((schema) => recognizeSubgraph(schema).release?.slice("graph-node-".length)),
    ).toEqual(["0.32", "0.31", "0.29", "0.28", "0.27", undefined]);
  });

  test.each<[name: string, sdl: string]>([
    ["LogLevel", "enum LogLevel { DEBUG }"],
    ["Aggregation_current", "enum Aggregation_current { now }"],
  ])("is not recognized by an author's own %s", (_, sdl) => {
    const schema = deriveFrom(`${sdl} type Stream @entity { id: ID! }`, { release: "0.38" });
    expect(recognizeSubgraph(schema).release).toBe("graph-node-0.38");
  });

  test("is not recognized by the description of Int from a GraphQL library", () => {
    const schema = withTypes(deriveFrom("type Stream @entity { id: ID! }", { release: "0.40" }), (types) =>
      types.map((type) => (type.name === "Int" ? { ...type, description: "A whole number." } : type)),
    );
    expect(recognizeSubgraph(schema).release).toBe("graph-node-0.38");
  });

  test("is null if the schema is not a subgraph's", () => {
    const schema = {
      queryType: "Query",
      mutationType: null,
      subscriptionType: null,
      types: [],
      directives: [],
    };
    expect(recognizeSubgraph(schema)).toEqual({
      release: null,
      features: [],
      options: { release: "0.34", boolFilters: true, childSorting: true },
    });
  });
});

describe("features", () => {
  test("match the release and the operator's settings", () => {
    const sdl = `
      type Stream @entity { id: ID! parent: Stream tags: [Bytes!] }
      type Day @aggregation(intervals: ["day"], source: "Stream") {
        id: Int8! timestamp: Timestamp! total: Int! @aggregate(fn: "count")
      }`;
    const of = (release: GraphNodeRelease, settings = {}) =>
      recognizeSubgraph(deriveFrom(sdl, { release, ...settings })).features;
    const always = ["Int8", "_Block_.timestamp", "_change_block", "_meta", "child filters"];
    const since35 = [...always, "_Block_.parentHash", "aggregations"];
    expect(of("0.34")).toEqual(
      [...always, "Subscription", "and-or", "nested-order", "nocase on lists"].sort(),
    );
    expect(of("0.35")).toEqual(
      [...since35, "Subscription", "and-or", "nested-order", "nocase on lists"].sort(),
    );
    expect(of("0.38", { childSorting: false })).toEqual(
      [...since35, "and-or", "nocase on lists", "order of aggregations"].sort(),
    );
    expect(of("0.44", { boolFilters: false })).toEqual(
      [...since35, "_logs", "current", "nested-order", "order of aggregations"].sort(),
    );
  });

  test("include nested-order if an entity or interface has a reference", () => {
    fc.assert(
      fc.property(subgraphModels, fc.boolean(), (model, childSorting) => {
        const rows = model.definitions.filter(({ kind }) => kind === "entity" || kind === "interface");
        const names = new Set(rows.map(({ name }) => name));
        const referred = rows.some(
          (row) =>
            "fields" in row && row.fields.some(({ type }) => !isList(type) && names.has(baseTypeName(type))),
        );
        const { features } = recognizeSubgraph(deriveSubgraph(model, { childSorting }));
        expect(features.includes("nested-order")).toBe(childSorting && referred);
      }),
      { numRuns: runs(1, 12), seed: 7 },
    );
  });

  test("are not recognized by authors' fields with the same names", () => {
    const schema = deriveFrom("type Stream @entity { id: ID! and: String or: Int a: Stream a__id: ID }", {
      boolFilters: false,
      childSorting: false,
    });
    expect(recognizeSubgraph(schema).features).not.toContain("and-or");
    expect(recognizeSubgraph(schema).features).not.toContain("nested-order");
  });
});

function withTypes(schema: ApiSchema, change: (types: readonly ApiType[]) => ApiType[]): ApiSchema {
  return { ...schema, types: change(schema.types) };
}
