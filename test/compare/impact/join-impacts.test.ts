import { describe, expect, it } from "vitest";
import { assessOperations, joinImpacts } from "../../../src/compare/impact/assess-operations.ts";
import type { OperationImpact } from "../../../src/report/finding.ts";
import { causesOf, derive } from "../fixtures.ts";
import { assess, type Edits, edit, operationOf } from "./fixtures.ts";

const ENTITIES = `
  enum Kind { A B }
  type Asset @entity { id: String! symbol: String! name: String! }
  type Stream @entity { id: String! asset: Asset! kind: Kind! amount: BigInt! }`;

const OPERATIONS = [
  "query Assets($where: Asset_filter) {\n  assets(where: $where, first: 5) {\n    id\n    symbol\n  }\n}",
  "query Streams($where: Stream_filter) {\n  streams(where: $where) {\n    kind\n  }\n}",
].map((text) => operationOf(["a.graphql", text]));

describe("joinImpacts", () => {
  it.each<[name: string, edits: Edits, want: Record<string, readonly string[]>]>([
    [
      "a removed field",
      ["symbol: String! →"],
      // One impact for all twenty members of the filter.
      { "Asset.symbol": ["Assets broken 4:5", "Assets at-risk 1:14", "Streams at-risk 1:15"] },
    ],
    ["a new member of an enum", ["{ A B } → { A B C }"], { "Kind.C": ["Streams changes-type 3:5"] }],
    [
      "two causes",
      ["{ A B } → { A B C }", "name: String! →", "symbol: String! → symbol: String"],
      {
        "Asset.name": ["Assets at-risk 1:14", "Streams at-risk 1:15"],
        "Asset.symbol": ["Assets changes-type 4:5"],
        "Kind.C": ["Streams changes-type 3:5"],
      },
    ],
  ])("assigns impacts to their root causes: %s", (_, edits, want) => {
    const sides = {
      before: derive("subgraph", ENTITIES),
      after: derive("subgraph", edit(ENTITIES, edits)),
    };
    const { byCause, unexplained } = joinImpacts(
      assessOperations(OPERATIONS, sides, { exhaustiveEnums: false }),
      causesOf("subgraph", sides.before, sides.after),
    );
    const reported = [...byCause].map(([{ change }, impacts]): [string, string[]] => [
      change.coordinate,
      impacts.map(({ name, impact, line, column }) => `${name} ${impact} ${line}:${column}`),
    ]);
    expect(Object.fromEntries(reported)).toEqual(want);
    expect(unexplained).toEqual([]);
  });

  it("assigns a member to the cause of its type; impacts without a cause are unexplained", () => {
    const before = "type Asset { id: Int } type Query { asset: Asset }";
    const operation = operationOf(["a.graphql", "query A { asset { ...F } }\nfragment F on Asset { id }"]);
    const change = { kind: "type-removed", coordinate: "Asset", before: "type", after: null } as const;
    const cause = { change, derivedChanges: [] };
    const { byCause, unexplained } = joinImpacts(
      assess([operation], [before, before.replaceAll("Asset", "Other")]),
      [cause],
    );
    const places = (impacts: readonly OperationImpact[] = []) =>
      impacts.map(({ impact, line, column }) => `${impact} ${line}:${column}`);
    expect([...byCause.keys()]).toEqual([cause]);
    expect(places(byCause.get(cause))).toEqual(["broken 2:15"]);
    expect(places(unexplained)).toEqual(["changes-type 1:11"]);
  });
});
