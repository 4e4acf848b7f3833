import { describe, expect, test } from "vitest";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { deriveFrom, shapeOf, typeOf } from "./schema-shape.ts";

const BLOCK =
  "The block at which the query should be executed. Can either be a `{ hash: Bytes }` value containing a block hash, a `{ number: Int }` containing the block number, or a `{ number_gte: Int }` containing the minimum block number. In the case of `number_gte`, the query will be executed on the latest block only if the subgraph has progressed to or past the minimum block number. Defaults to the latest block when omitted.";
const SUBGRAPH_ERROR =
  "Set to `allow` to receive data even if the subgraph has skipped over errors while syncing.";
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
    expect(describedMembers(deriveFrom(SDL, { release: "0.44" }))).toEqual({
      "stream(block:)": BLOCK,
      "stream(subgraphError:)": SUBGRAPH_ERROR,
      "streams(block:)": BLOCK,
      "streams(subgraphError:)": SUBGRAPH_ERROR,
      stats_collection: "Collection of aggregated `Stats` values",
      "stats_collection(block:)": BLOCK,
      "stats_collection(subgraphError:)": SUBGRAPH_ERROR,
      "streamSearch(block:)": BLOCK,
      "streamSearch(subgraphError:)": SUBGRAPH_ERROR,
      _meta: "Access to subgraph metadata",
      _logs:
        "Query execution logs emitted by the subgraph during indexing. Results are sorted by timestamp in descending order (newest first).",
      "_logs(level:)": "Filter logs by severity level. Only logs at this level will be returned.",
      "_logs(from:)":
        "Filter logs from this timestamp onwards (inclusive). Must be in RFC3339 format (e.g., '2024-01-15T10:30:00Z').",
      "_logs(to:)":
        "Filter logs until this timestamp (inclusive). Must be in RFC3339 format (e.g., '2024-01-15T23:59:59Z').",
      "_logs(search:)":
        "Search for logs containing this text in the message. Case-insensitive substring match. Maximum length: 1000 characters.",
      "_logs(first:)": "Maximum number of logs to return. Default: 100, Maximum: 1000.",
      "_logs(skip:)": "Number of logs to skip (for pagination). Default: 0, Maximum: 10000.",
      "_logs(orderDirection:)": "Sort direction for results. Default: desc (newest first).",
    });
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

function describedMembers(schema: ApiSchema): Record<string, string> {
  const query = typeOf(schema, "Query");
  if (query.kind !== "OBJECT") throw new Error("Query is not an object");
  const members: Record<string, string> = {};
  for (const field of query.fields) {
    // All entities and interfaces have the same descriptions as `stream`.
    if (/^(datas?|assets?|party|parties)$/.test(field.name)) continue;
    if (field.description !== null) members[field.name] = field.description;
    for (const arg of field.args) {
      if (arg.description !== null) members[`${field.name}(${arg.name}:)`] = arg.description;
    }
  }
  return members;
}
