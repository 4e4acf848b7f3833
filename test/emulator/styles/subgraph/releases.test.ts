import { describe, expect, test } from "vitest";
import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "../../../../src/dialects/subgraph/release.ts";
import { type Answer, bands, messagesOf } from "./support.ts";

const FIRST = GRAPH_NODE_RELEASES[0];
const panic = "panic processing query: index out of bounds: the len is 0 but the index is 0";
const mixed = /^Cannot mix column filters with 'or' operator at the same level\./;

const input = '{ __type(name: "Block_height") { inputFields { isDeprecated } } }';
const undeprecated = { data: { __type: { inputFields: Array(3).fill({ isDeprecated: false }) } } };
const unfilled = "Null value resolved for non-null field `isDeprecated`";
const wrongLogs = (argument: string, reason: string) =>
  `Invalid value provided for argument \`${argument}\`: String("${reason}")`;
const noField = (field: string) => `Type \`Query\` has no field \`${field}\``;

function firstMessage(answer: Answer): string | undefined {
  return messagesOf(answer)[0];
}

describe("answers that depend on the release", () => {
  const ids = ["B4", "b1", "b2", "b3"].map((id) => ({ id }));
  const rows: readonly [query: string, release: GraphNodeRelease, want: unknown][] = [
    ['{ bands(where: { name: "x", or: [] }) { id } }', FIRST, "Filter must by an object"],
    ['{ bands(where: { name: "x", or: [] }) { id } }', "0.39", "Filter must by an object"],
    ['{ bands(where: { name: "x", or: [] }) { id } }', "0.40", mixed],
    ['{ bands(where: { name: "x", or: [] }) { id } }', "0.40.2", mixed],
    ['{ bands(where: { name: "x", and: [] }) { id } }', "0.44", "Filter must by an object"],
    ["{ bands(where: { id_in: [] }) { id } }", "0.38", { data: { bands: [] } }],
    ["{ bands(where: { id_in: [] }) { id } }", "0.39", panic],
    ["{ bands(where: { id_not_in: [] }) { id } }", "0.39", panic],
    ["{ cities(where: { bands_: { id_in: [] } }) { id } }", "0.39", panic],
    ["{ bands(where: { id_in: [] }) { id } }", "0.40", { data: { bands: [] } }],
    ["{ bands(where: { tags_contains: [] }) { id } }", "0.39", { data: { bands: ids.slice(1) } }],
    [input, FIRST, unfilled],
    [input, "0.42", unfilled],
    [input, "0.43", undeprecated],
    [input, "0.44", undeprecated],
    [
      '{ __type(name: "Genre") { enumValues { isDeprecated } } }',
      FIRST,
      {
        data: { __type: { enumValues: Array(3).fill({ isDeprecated: false }) } },
      },
    ],
    [
      "{ __schema { directives { isRepeatable } } }",
      "0.44",
      "Null value resolved for non-null field `isRepeatable`",
    ],
    ["{ _logs { id } }", "0.43", noField("_logs")],
    ["{ _logs { id } }", "0.44", { data: { _logs: [] } }],
    ["{ logs: _logs(first: 1000, skip: 10000) { id } }", "0.44", { data: { logs: [] } }],
    ["{ _logs(first: 1001) { id } }", "0.44", wrongLogs("first", "first must not exceed 1000")],
    ["{ _logs(skip: -1) { id } }", "0.44", wrongLogs("skip", "skip must be non-negative")],
    [
      '{ _logs(from: "2024") { id } }',
      "0.44",
      wrongLogs("from", "Invalid timestamp: must be in ISO 8601 format (e.g., 2024-01-15T10:30:00Z)"),
    ],
    [
      '{ _logs(search: "") { id } }',
      "0.44",
      wrongLogs("search", "Invalid search text: search text cannot be empty"),
    ],
    [
      "{ _logs { id } bands { id } }",
      "0.44",
      "The _logs query cannot be combined with other entity queries in the same request",
    ],
    ["{ _logs { id } }", "0.45", "Not supported: the `_logs` query is not enabled on this indexer"],
    ["{ _meta { block { parentHash } } }", "0.34", "Type `_Block_` has no field `parentHash`"],
    [
      "{ __schema { subscriptionType { name } } }",
      "0.37",
      { data: { __schema: { subscriptionType: { name: "Subscription" } } } },
    ],
    [
      "{ __schema { subscriptionType { name } } }",
      "0.38",
      { data: { __schema: { subscriptionType: null } } },
    ],
    [
      "{ bands(where: { codes_contains_nocase: [] }) { id } }",
      "0.42",
      'Invalid value provided for argument `where`: Object({"codes_contains_nocase": List([])})',
    ],
  ];
  test.each(rows)("%s on %s", (query, release, want) => {
    const answer = bands({ release })(query);
    if (typeof want === "string") expect(firstMessage(answer)).toBe(want);
    else if (want instanceof RegExp) expect(firstMessage(answer)).toMatch(want);
    else expect(answer).toEqual(want);
  });
  test("a panic drops the data of its block only", () => {
    expect(
      bands({ release: "0.39" })(
        '{ a: band(id: "b1", block: { number: 7 }) { id } b: bands(where: { id_in: [] }) { id } }',
      ),
    ).toEqual({ data: { a: { id: "b1" } }, errors: [{ message: panic }] });
  });
});

describe("features that an operator disables", () => {
  test("boolean filters", () => {
    const ask = bands({ settings: { boolFilters: false } });
    expect(firstMessage(ask("{ bands(where: { or: [] }) { id } }"))).toBe(
      'Invalid value provided for argument `where`: Object({"or": List([])})',
    );
  });
  test("ordering by the field of a reference", () => {
    const ask = bands({ settings: { childSorting: false } });
    expect(firstMessage(ask("{ bands(orderBy: home__name) { id } }"))).toBe(
      'Invalid value provided for argument `orderBy`: Enum("home__name")',
    );
  });
});
