import { describe, expect, test } from "vitest";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { flattenSchema } from "../../../src/dialects/canonicalize.ts";
import { readSubgraph } from "../../../src/dialects/subgraph/read.ts";
import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "../../../src/dialects/subgraph/release.ts";
import { deriveFrom, shapeOf, typeOf } from "./schema-shape.ts";

const SDL = `
  type _Schema_ @fulltext(name: "find" language: en algorithm: rank include: [{ entity: "Data" fields: [] }])
  type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! amount: Int! names: [String!] sizes: [Int!] }
  type Stats @aggregation(intervals: ["hour"], source: "Data") {
    id: Int8! timestamp: Timestamp! total: Int! @aggregate(fn: "sum", arg: "amount")
  }
`;

/** The members that each release adds (+) to the one before it and removes (-). */
const CHANGES: Partial<Record<GraphNodeRelease, readonly string[]>> = {
  "0.35": [
    "+Aggregation_interval",
    "+Aggregation_interval.day",
    "+Aggregation_interval.hour",
    "+Query.stats_collection",
    ...["block", "first", "interval", "skip", "subgraphError", "where"].map(
      (arg) => `+Query.stats_collection(${arg}:)`,
    ),
    "+Stats",
    "+Stats.id",
    "+Stats.timestamp",
    "+Stats.total",
    "+Stats_filter",
    "+Stats_filter._change_block",
    "+Stats_filter.and",
    ...["id", "id_gt", "id_gte", "id_in", "id_lt", "id_lte", "or"].map((field) => `+Stats_filter.${field}`),
    ...["", "_gt", "_gte", "_in", "_lt", "_lte"].map((operator) => `+Stats_filter.timestamp${operator}`),
    "+Subscription.stats_collection",
    ...["block", "first", "interval", "skip", "subgraphError", "where"].map(
      (arg) => `+Subscription.stats_collection(${arg}:)`,
    ),
    "+Timestamp",
    "+_Block_.parentHash",
  ],
  "0.38": [
    "+Query.stats_collection(orderBy:)",
    "+Query.stats_collection(orderDirection:)",
    "+Stats_orderBy",
    "+Stats_orderBy.id",
    "+Stats_orderBy.timestamp",
    "+Stats_orderBy.total",
    "-Subscription",
    "-Subscription._meta",
    "-Subscription._meta(block:)",
    "-Subscription.data",
    ...["block", "id", "subgraphError"].map((arg) => `-Subscription.data(${arg}:)`),
    "-Subscription.datas",
    ...["block", "first", "orderBy", "orderDirection", "skip", "subgraphError", "where"].map(
      (arg) => `-Subscription.datas(${arg}:)`,
    ),
    "-Subscription.stats_collection",
    ...["block", "first", "interval", "skip", "subgraphError", "where"].map(
      (arg) => `-Subscription.stats_collection(${arg}:)`,
    ),
    "-subscription",
  ],
  "0.42": [
    "+Aggregation_current",
    "+Aggregation_current.exclude",
    "+Aggregation_current.include",
    "-Data_filter.sizes_contains_nocase",
    "-Data_filter.sizes_not_contains_nocase",
    "+Query.stats_collection(current:)",
  ],
  "0.44": [
    "+LogLevel",
    ...["CRITICAL", "DEBUG", "ERROR", "INFO", "WARNING"].map((level) => `+LogLevel.${level}`),
    "+Query._logs",
    ...["first", "from", "level", "orderDirection", "search", "skip", "to"].map(
      (arg) => `+Query._logs(${arg}:)`,
    ),
    "+_LogArgument_",
    "+_LogArgument_.key",
    "+_LogArgument_.value",
    "+_LogMeta_",
    ...["column", "line", "module"].map((field) => `+_LogMeta_.${field}`),
    "+_Log_",
    ...["arguments", "id", "level", "meta", "subgraphId", "text", "timestamp"].map(
      (field) => `+_Log_.${field}`,
    ),
  ],
};

describe("changes between releases", () => {
  test.each(
    GRAPH_NODE_RELEASES.slice(1).map((release, index) => [GRAPH_NODE_RELEASES[index], release] as const),
  )("%s to %s", (before, after) => {
    expect(changes(deriveFrom(SDL, { release: before }), deriveFrom(SDL, { release: after }))).toEqual(
      CHANGES[after] ?? [],
    );
  });

  test("Subscription mirrors Query except for searches before 0.38", () => {
    const schema = deriveFrom(SDL, { release: "0.37" });
    expect(schema.subscriptionType).toBe("Subscription");
    expect(shapeOf(schema, "Query").filter((line) => line.startsWith("find("))).toHaveLength(1);
    expect(shapeOf(schema, "Subscription")).toEqual(
      shapeOf(schema, "Query").filter((line) => !line.startsWith("find(")),
    );
    expect(deriveFrom(SDL, { release: "0.38" }).subscriptionType).toBeNull();
  });

  test("arguments of aggregations are in graph-node's order", () => {
    const names = (release: GraphNodeRelease) => {
      const query = typeOf(deriveFrom(SDL, { release }), "Query");
      if (query.kind !== "OBJECT") throw new Error("Query is not an object");
      const field = query.fields.find(({ name }) => name === "stats_collection");
      return field?.args.map((arg) => arg.name).slice(0, -2);
    };
    expect(names("0.37")).toEqual(["skip", "first", "interval", "where"]);
    expect(names("0.38")).toEqual(["skip", "first", "interval", "orderBy", "orderDirection", "where"]);
    expect(names("0.42")).toEqual([
      ...["skip", "first", "interval", "orderBy", "orderDirection", "current", "where"],
    ]);
  });

  test("two fields share a name before 0.35 if singular and plural are the same", () => {
    const roots = (release: GraphNodeRelease) =>
      shapeOf(deriveFrom("type Stats @entity { id: ID! }", { release }), "Query").map(
        (line) => line.split("(")[0],
      );
    expect(roots("0.34")).toEqual(["stats", "stats", "_meta"]);
    expect(roots("0.35")).toEqual(["stats", "stats_collection", "_meta"]);
  });

  test("scalars and unions of the authors are shown before 0.35", () => {
    const sdl = `
      "a point in time" scalar Date
      """either""" union Thing = Stream | Asset
      type Asset @entity { id: ID! } type Stream @entity { id: ID! }
    `;
    const shown = (release: GraphNodeRelease) =>
      deriveFrom(sdl, { release }).types.filter(({ name }) => name === "Date" || name === "Thing");
    expect(shown("0.34")).toEqual([
      { kind: "SCALAR", name: "Date", description: "a point in time" },
      { kind: "UNION", name: "Thing", description: "either\n", possibleTypes: ["Stream", "Asset"] },
    ]);
    expect(shown("0.35")).toEqual([]);

    const { idle } = readSubgraph(deriveFrom(sdl, { release: "0.34" }));
    expect(idle).toEqual([
      { kind: "scalar", name: "Date", description: "a point in time", quoted: true },
      { kind: "union", name: "Thing", description: "either", members: ["Asset", "Stream"] },
    ]);
    expect(readSubgraph(deriveFrom(sdl))).not.toHaveProperty("idle");
  });

  test("block descriptions end in a line feed before 0.40.2", () => {
    const sdl = `"""a kind""" enum Kind { """a""" A } """a stream""" type Stream @entity { """who""" id("""y""" x: Int): ID! }`;
    const texts = (release: GraphNodeRelease) =>
      flattenSchema(deriveFrom(sdl, { release }))
        .filter(({ description }) => description?.endsWith("\n"))
        .map(({ coordinate }) => coordinate);
    expect(texts("0.40")).toEqual([
      ...[
        "Int",
        "Int8",
        "Kind",
        "Kind.A",
        "Stream",
        "Stream.id",
        "Stream.id(x:)",
        "Timestamp",
        "_Meta_.block",
      ],
    ]);
    expect(texts("0.40.2")).toEqual([]);
    expect(typeOf(deriveFrom(sdl, { release: "0.40" }), "Stream").description).toBe("a stream\n");
  });

  test("0.40.2 is the default release", () => {
    expect(deriveFrom(SDL)).toEqual(deriveFrom(SDL, { release: "0.40.2" }));
    expect(deriveFrom(SDL)).not.toEqual(deriveFrom(SDL, { release: "0.40" }));
    expect(deriveFrom(SDL)).not.toEqual(deriveFrom(SDL, { release: "0.42" }));
  });
});

function changes(before: ApiSchema, after: ApiSchema): string[] {
  const members = (schema: ApiSchema) => new Set(flattenSchema(schema).map(({ coordinate }) => coordinate));
  const [old, now] = [members(before), members(after)];
  return [
    ...[...old].filter((coordinate) => !now.has(coordinate)).map((coordinate) => `-${coordinate}`),
    ...[...now].filter((coordinate) => !old.has(coordinate)).map((coordinate) => `+${coordinate}`),
  ].sort((a, b) => (a.slice(1) < b.slice(1) ? -1 : 1));
}
