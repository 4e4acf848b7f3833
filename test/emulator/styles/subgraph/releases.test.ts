import { describe, expect, test } from "vitest";
import type { OperatorSettings } from "../../../../emulator/styles/served-style.ts";
import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "../../../../src/dialects/subgraph/release.ts";
import { bands, messagesOf } from "./support.ts";

const FIRST = GRAPH_NODE_RELEASES[0];
const panic = "panic processing query: index out of bounds: the len is 0 but the index is 0";
const mixed = /^Cannot mix column filters with 'or' operator at the same level\./;

const input = 'rows: __type(name: "Block_height") { inputFields { isDeprecated } }';
const undeprecated = { rows: { inputFields: Array(3).fill({ isDeprecated: false }) } };
const unfilled = "Null value resolved for non-null field `isDeprecated`";
const wrongLogs = (argument: string, reason: string) =>
  `Invalid value provided for argument \`${argument}\`: String("${reason}")`;
const unsupportedLogs = "the emulator does not support the arguments `from`, `to` and `search` of `_logs`";
describe("answers that depend on the release", () => {
  const ids = ["B4", "b1", "b2", "b3"].map((id) => ({ id }));
  const mixing = 'bands(where: { name: "x", or: [] }) { id }';
  const logs = "rows: _logs";
  const subscription = "rows: __schema { subscriptionType { name } }";
  test.each<[field: string, release: GraphNodeRelease, want: unknown]>([
    [mixing, FIRST, "Filter must by an object"],
    [mixing, "0.39", "Filter must by an object"],
    [mixing, "0.40", mixed],
    [mixing, "0.40.2", mixed],
    ['bands(where: { name: "x", and: [] }) { id }', "0.44", "Filter must by an object"],
    ["rows: bands(where: { id_in: [] }) { id }", "0.38", { rows: [] }],
    ["bands(where: { id_in: [] }) { id }", "0.39", panic],
    ["bands(where: { id_not_in: [] }) { id }", "0.39", panic],
    ["cities(where: { bands_: { id_in: [] } }) { id }", "0.39", panic],
    ["rows: bands(where: { id_in: [] }) { id }", "0.40", { rows: [] }],
    ["rows: bands(where: { tags_contains: [] }) { id }", "0.39", { rows: ids.slice(1) }],
    [input, FIRST, unfilled],
    [input, "0.42", unfilled],
    [input, "0.43", undeprecated],
    [input, "0.44", undeprecated],
    [
      'rows: __type(name: "Genre") { enumValues { isDeprecated } }',
      FIRST,
      { rows: { enumValues: Array(3).fill({ isDeprecated: false }) } },
    ],
    ["_logs { id }", "0.43", "Type `Query` has no field `_logs`"],
    [`${logs} { id }`, "0.44", { rows: [] }],
    [`${logs}(first: 1000, skip: 10000) { id }`, "0.44", { rows: [] }],
    [`${logs}(first: 1001) { id }`, "0.44", wrongLogs("first", "first must not exceed 1000")],
    [`${logs}(skip: -1) { id }`, "0.44", wrongLogs("skip", "skip must be non-negative")],
    [`${logs}(from: "2024") { id }`, "0.44", unsupportedLogs],
    [`${logs}(search: "") { id }`, "0.44", unsupportedLogs],
    ["_logs { id }", "0.45", "Not supported: the `_logs` query is not enabled on this indexer"],
    ["_meta { block { parentHash } }", "0.34", "Type `_Block_` has no field `parentHash`"],
    [subscription, "0.37", { rows: { subscriptionType: { name: "Subscription" } } }],
    [subscription, "0.38", { rows: { subscriptionType: null } }],
    [
      "bands(where: { codes_contains_nocase: [] }) { id }",
      "0.42",
      'Invalid value provided for argument `where`: Object({"codes_contains_nocase": List([])})',
    ],
  ])("%s on %s", (field, release, want) => {
    const answer = bands({ release })(`{ ${field} }`);
    if (typeof want === "string") expect(messagesOf(answer)[0]).toBe(want);
    else if (want instanceof RegExp) expect(messagesOf(answer)[0]).toMatch(want);
    else expect(answer).toEqual({ data: want });
  });
  test("a panic drops the data of its block only", () => {
    const query = '{ a: band(id: "b1", block: { number: 7 }) { id } b: bands(where: { id_in: [] }) { id } }';
    const want = { data: { a: { id: "b1" } }, errors: [{ message: panic }] };
    expect(bands({ release: "0.39" })(query)).toEqual(want);
  });
});

describe("features that an operator disables", () => {
  test.each<[OperatorSettings, string, string]>([
    [{ boolFilters: false }, "where: { or: [] }", 'Object({"or": List([])})'],
    [{ childSorting: false }, "orderBy: home__name", 'Enum("home__name")'],
  ])("%o: %s is invalid", (settings, args, shown) => {
    const message = `Invalid value provided for argument \`${args.split(":")[0]}\`: ${shown}`;
    expect(messagesOf(bands({ settings })(`{ bands(${args}) { id } }`))).toEqual([message]);
  });
});
