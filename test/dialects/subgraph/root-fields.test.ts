import { describe, expect, test } from "vitest";
import { flattenSchema } from "../../../src/dialects/canonicalize.ts";
import { deriveFrom, shapeOf } from "./schema-shape.ts";

const WHEN = "block: Block_height, subgraphError: _SubgraphErrorPolicy_! = deny";

const SDL = `
  type _Schema_ @fulltext(
    name: "streamSearch" language: en algorithm: rank
    include: [{ entity: "Stream" fields: [{ name: "label" }] }, { entity: "Asset" fields: [] }]
  )
  interface Party { id: ID! }
  type Stream @entity { id: Bytes! label: String asset: Asset! }
  type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! amount: Int! }
  type Stats @aggregation(intervals: ["hour"], source: "Data") {
    id: Int8! timestamp: Timestamp! total: Int! @aggregate(fn: "sum", arg: "amount")
  }
  type Asset implements Party @entity { id: ID! }
`;

describe("Query", () => {
  test("has fields per entity, interface, aggregation and search, then _meta and _logs", () => {
    expect(shapeOf(deriveFrom(SDL, { release: "0.44" }), "Query")).toEqual([
      `stream(id: ID!, ${WHEN}): Stream`,
      `streams(skip: Int = 0, first: Int = 100, orderBy: Stream_orderBy, orderDirection: OrderDirection, where: Stream_filter, ${WHEN}): [Stream!]!`,
      `data(id: ID!, ${WHEN}): Data`,
      `datas(skip: Int = 0, first: Int = 100, orderBy: Data_orderBy, orderDirection: OrderDirection, where: Data_filter, ${WHEN}): [Data!]!`,
      `asset(id: ID!, ${WHEN}): Asset`,
      `assets(skip: Int = 0, first: Int = 100, orderBy: Asset_orderBy, orderDirection: OrderDirection, where: Asset_filter, ${WHEN}): [Asset!]!`,
      `party(id: ID!, ${WHEN}): Party`,
      `parties(skip: Int = 0, first: Int = 100, orderBy: Party_orderBy, orderDirection: OrderDirection, where: Party_filter, ${WHEN}): [Party!]!`,
      `stats_collection(skip: Int = 0, first: Int = 100, interval: Aggregation_interval!, orderBy: Stats_orderBy, orderDirection: OrderDirection, current: Aggregation_current, where: Stats_filter, ${WHEN}): [Stats!]!`,
      "streamSearch(text: String!, first: Int = 100, skip: Int = 0, block: Block_height, where: Stream_filter, subgraphError: _SubgraphErrorPolicy_! = deny): [Stream!]!",
      "_meta(block: Block_height): _Meta_",
      "_logs(level: LogLevel, from: String, to: String, search: String, first: Int = 100, skip: Int = 0, orderDirection: OrderDirection = desc): [_Log_!]!",
    ]);
  });

  test("has graph-node's descriptions", () => {
    const members = flattenSchema(deriveFrom(SDL, { release: "0.44" }));
    const described = members.flatMap(({ coordinate, description }) =>
      coordinate.startsWith("Query.") && description ? [coordinate.slice("Query.".length)] : [],
    );
    // The committed snapshots have the texts of the arguments that all fields share.
    const isShared = (name: string) => /\((block|subgraphError):\)$/.test(name);
    expect(described.filter((name) => !isShared(name)).join(" ")).toBe(
      "_logs _logs(first:) _logs(from:) _logs(level:) _logs(orderDirection:) _logs(search:) _logs(skip:) _logs(to:) _meta stats_collection",
    );
    const roots = "stream streams data datas asset assets party parties stats_collection streamSearch".split(
      " ",
    );
    const shared = roots.flatMap((root) => [`${root}(block:)`, `${root}(subgraphError:)`]);
    expect(described.filter(isShared)).toEqual(shared.sort());
    const stats = members.find(({ coordinate }) => coordinate === "Query.stats_collection");
    expect(stats?.description).toBe("Collection of aggregated `Stats` values");
  });

  test("sorts a type with the name of an earlier field to that field's position since 0.35", () => {
    const sdl = `
      interface First { id: ID! }
      type Stream @entity { id: ID! token: Int b: Int }
      type Asset @entity { id: ID! }
      type b @entity { id: ID! }
      type digest @entity { id: ID! }
    `;
    const singulars = (release: "0.34" | "0.35") =>
      shapeOf(deriveFrom(sdl, { release }), "Query")
        .filter((line) => line.includes("(id: ID!"))
        .map((line) => line.slice(0, line.indexOf("(")));
    expect(singulars("0.34")).toEqual(["stream", "asset", "b", "digest", "first"]);
    // graph-node interns the name `digest` at its start.
    expect(singulars("0.35")).toEqual(["digest", "stream", "b", "asset", "first"]);
  });

  test("interns the names of intervals before the fields of an aggregation", () => {
    const sdl = `
      type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! }
      type A @aggregation(intervals: ["hour"], source: "Data") { id: Int8! zed: Int! }
      type Mid @entity { id: ID! }
      type zed @entity { id: ID! }
      type A_hour @entity { id: ID! }
    `;
    const singulars = shapeOf(deriveFrom(sdl), "Query")
      .filter((line) => line.includes("(id: ID!"))
      .map((line) => line.slice(0, line.indexOf("(")));
    expect(singulars).toEqual(["data", "aHour", "zed", "mid"]);
  });

  test("keeps all fields that share a name", () => {
    const schema = deriveFrom("type LPToken @entity { id: ID! } type Lptoken @entity { id: Bytes! }");
    expect(shapeOf(schema, "Query").map((line) => line.split("(")[0])).toEqual([
      ...["lptoken", "lptokens", "lptoken", "lptokens", "_meta"],
    ]);
  });
});
