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

const STATS_ARGUMENTS = "block: first: interval: skip: subgraphError: where:";
const LIST_ARGUMENTS = "block: first: orderBy: orderDirection: skip: subgraphError: where:";

/** The members of a type, a type with its members, and the arguments of a field, with the sign of a change. */
const fields = (type: string, names: string) => names.split(" ").map((name) => `${type}.${name}`);
const whole = (type: string, names: string) => [type, ...fields(type, names)];
const args = (field: string, names: string) => names.split(" ").map((name) => `${field}(${name})`);

/** The members that each release adds (+) to the one before it and removes (-). */
const CHANGES: Partial<Record<GraphNodeRelease, readonly string[]>> = {
  "0.35": [
    ...whole("+Aggregation_interval", "day hour"),
    ...["Query", "Subscription"].flatMap((root) => [
      `+${root}.stats_collection`,
      ...args(`+${root}.stats_collection`, STATS_ARGUMENTS),
    ]),
    ...whole("+Stats", "id timestamp total"),
    ...[
      "+Stats_filter",
      ...fields("+Stats_filter", "_change_block and or id id_gt id_gte id_in id_lt id_lte"),
    ],
    ...["", "_gt", "_gte", "_in", "_lt", "_lte"].map((operator) => `+Stats_filter.timestamp${operator}`),
    "+Timestamp",
    "+_Block_.parentHash",
  ],
  "0.38": [
    ...args("+Query.stats_collection", "orderBy: orderDirection:"),
    ...whole("+Stats_orderBy", "id timestamp total"),
    ...whole("-Subscription", "_meta _meta(block:) data datas stats_collection"),
    ...args("-Subscription.data", "block: id: subgraphError:"),
    ...args("-Subscription.datas", LIST_ARGUMENTS),
    ...args("-Subscription.stats_collection", STATS_ARGUMENTS),
    "-subscription",
  ],
  "0.42": [
    ...whole("+Aggregation_current", "exclude include"),
    ...fields("-Data_filter", "sizes_contains_nocase sizes_not_contains_nocase"),
    "+Query.stats_collection(current:)",
  ],
  "0.44": [
    ...whole("+LogLevel", "CRITICAL DEBUG ERROR INFO WARNING"),
    "+Query._logs",
    ...args("+Query._logs", "first: from: level: orderDirection: search: skip: to:"),
    ...whole("+_LogArgument_", "key value"),
    ...whole("+_LogMeta_", "column line module"),
    ...whole("+_Log_", "arguments id level meta subgraphId text timestamp"),
  ],
};

describe("changes between releases", () => {
  test.each(
    GRAPH_NODE_RELEASES.slice(1).map((release, index) => [GRAPH_NODE_RELEASES[index], release] as const),
  )("%s to %s", (before, after) => {
    const found = changes(deriveFrom(SDL, { release: before }), deriveFrom(SDL, { release: after }));
    expect(found).toEqual([...(CHANGES[after] ?? [])].sort());
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
      """a point in time""" scalar Date
      """either""" union Thing = Stream | Asset
      type Asset @entity { id: ID! } type Stream @entity { id: ID! }
    `;
    const shown = (release: GraphNodeRelease) =>
      deriveFrom(sdl, { release }).types.filter(({ name }) => name === "Date" || name === "Thing");
    expect(shown("0.34")).toEqual([
      { kind: "SCALAR", name: "Date", description: "a point in time\n" },
      { kind: "UNION", name: "Thing", description: "either\n", possibleTypes: ["Stream", "Asset"] },
    ]);
    expect(shown("0.35")).toEqual([]);

    const { idle } = readSubgraph(deriveFrom(sdl, { release: "0.34" }));
    expect(idle).toEqual([
      { kind: "scalar", name: "Date", description: "a point in time" },
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
    expect(texts("0.40").join(" ")).toBe(
      "Int Int8 Kind Kind.A Stream Stream.id Stream.id(x:) Timestamp _Meta_.block",
    );
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
  ].sort();
}
