import { describe, expect, it } from "vitest";
import { diffSchemas } from "../../../src/compare/diff-schemas.ts";
import { assessOperations, joinImpacts } from "../../../src/compare/impact/assess-operations.ts";
import { canonicalize } from "../../../src/dialects/canonicalize.ts";
import { styles } from "../../../src/dialects/index.ts";
import type { Change } from "../../../src/dialects/members.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { OperationImpact } from "../../../src/report/finding.ts";
import { type Edits, edit, operationOf, schemaOf } from "./fixtures.ts";

const ENTITIES = `
  enum Kind { A B }
  type Asset @entity { id: String! symbol: String! name: String! }
  type Stream @entity { id: String! asset: Asset! kind: Kind! amount: BigInt! }`;

const OPERATIONS = [
  operationOf([
    "assets.graphql",
    "query Assets($where: Asset_filter) {\n  assets(where: $where, first: 5) {\n    id\n    symbol\n  }\n}",
  ]),
  operationOf([
    "streams.graphql",
    "query Streams($where: Stream_filter) {\n  streams(where: $where) {\n    kind\n  }\n}",
  ]),
];

describe("joinImpacts", () => {
  it.each<[name: string, edits: Edits, want: Record<string, readonly string[]>]>([
    [
      "a removed field",
      [["symbol: String!", ""]],
      {
        "Asset.symbol": [
          "Assets broken assets.graphql:4:5",
          // One impact for all twenty members of the filter.
          "Assets at-risk assets.graphql:1:14",
          "Streams at-risk streams.graphql:1:15",
        ],
      },
    ],
    [
      "a new member of an enum",
      [["{ A B }", "{ A B C }"]],
      { "Kind.C": ["Streams changes-type streams.graphql:3:5"] },
    ],
    [
      "two causes",
      [
        ["{ A B }", "{ A B C }"],
        ["name: String!", ""],
        ["symbol: String!", "symbol: String"],
      ],
      {
        "Asset.name": ["Assets at-risk assets.graphql:1:14", "Streams at-risk streams.graphql:1:15"],
        "Asset.symbol": ["Assets changes-type assets.graphql:4:5"],
        "Kind.C": ["Streams changes-type streams.graphql:3:5"],
      },
    ],
  ])("assigns impacts to their root causes: %s", (_, edits, want) => {
    const style = styles.subgraph;
    const derive = (entities: string) =>
      canonicalize(style.deriver.derive(parseEntities(entities, "entities.graphql")));
    const [before, after] = [derive(ENTITIES), derive(edit(ENTITIES, edits))];
    const causes = diffSchemas({ before, after }, style, { exhaustiveEnums: false }).causes;
    const { byCause, unexplained } = joinImpacts(
      assessOperations(OPERATIONS, { before, after }, { exhaustiveEnums: false }),
      causes,
    );
    const reported = [...byCause].map(([{ change }, impacts]): [string, string[]] => [
      change.coordinate,
      impacts.map(({ name, impact, file, line, column }) => `${name} ${impact} ${file}:${line}:${column}`),
    ]);
    expect(Object.fromEntries(reported)).toEqual(want);
    expect(unexplained).toEqual([]);
  });

  it("assigns a member to the cause of its type; impacts without a cause are unexplained", () => {
    const before = schemaOf("type Asset { id: Int } type Query { asset: Asset }");
    const after = schemaOf("type Other { id: Int } type Query { asset: Other }");
    const operation = operationOf(["a.graphql", "query A { asset { ...F } }\nfragment F on Asset { id }"]);
    const change = (coordinate: string): Change => ({
      kind: "type-removed",
      coordinate,
      before: "type",
      after: null,
    });
    const cause = { change: change("Asset"), derivedChanges: [] };
    const { byCause, unexplained } = joinImpacts(
      assessOperations([operation], { before, after }, { exhaustiveEnums: false }),
      [cause],
    );
    const places = (impacts: readonly OperationImpact[] = []) =>
      impacts.map(({ impact, line, column }) => [impact, line, column]);
    expect([...byCause.keys()]).toEqual([cause]);
    expect(places(byCause.get(cause))).toEqual([["broken", 2, 15]]);
    expect(places(unexplained)).toEqual([["changes-type", 1, 11]]);
  });
});
