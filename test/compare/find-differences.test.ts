import { describe, expect, it } from "vitest";
import type { FailOn } from "../../src/compare/decide-outcome.ts";
import { DEFAULT_REQUIREMENT, decideOutcome } from "../../src/compare/decide-outcome.ts";
import { fingerprint } from "../../src/compare/join-findings.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { derive, differences } from "./fixtures.ts";
import { assess, type Edits, edit, operationOf } from "./impact/fixtures.ts";

const ENTITIES = `
  enum Kind { Linear Dynamic }
  type Asset @entity { id: String! symbol: String! name: String! }
  type Stream @entity { id: String! asset: Asset! kind: Kind! amount: BigInt! }`;

type Case = {
  readonly style: StyleName;
  readonly operation: string;
  readonly edits?: string | Edits;
  readonly options?: readonly [before: DeriveOptions, after: DeriveOptions];
  readonly exhaustiveEnums?: boolean;
};

/** Returns the findings and exit codes for one operation after a change of the entities or of the platform. */
function judge({ style, operation, edits = [], options, exhaustiveEnums = false }: Case) {
  const sides = {
    before: derive(style, ENTITIES, options?.[0]),
    after: derive(style, edit(ENTITIES, edits), options?.[1]),
  };
  const where = { protocol: "lockup", style, deployments: [] };
  const findings = differences(style, sides, [operation], { where, exhaustiveEnums });
  const exit = (failOn: FailOn) =>
    decideOutcome({
      findings: findings.map((finding) => ({
        ...finding,
        fingerprint: fingerprint(finding),
        accepted: false,
        acceptance: null,
      })),
      endpoints: [],
      failOn,
      failOnHealth: false,
      require: DEFAULT_REQUIREMENT,
      categories: [],
      failure: null,
    }).outcome.exit;
  return {
    effects: findings.flatMap(({ operations }) =>
      operations.map(({ impact, severity, message }) => `${impact} (${severity}) ${message}`),
    ),
    findings,
    causes: findings.map(({ code, coordinate, severity }) => `${severity} ${code} ${coordinate}`),
    exits: { default: exit("operations"), breaking: exit("breaking"), risky: exit("risky") },
  };
}

const GONE = "Linear Dynamic → Linear";

describe("an enum value is judged by its use in the operation", () => {
  it.each<[name: string, operation: string, exit: number, ...effects: string[]]>([
    [
      "risky if the operation only selects it",
      "query Q { streams { kind } }",
      0,
      "changes-type (risky) Stream.kind is never Dynamic now (Kind).",
    ],
    [
      "at risk if callers may send it",
      "query Q($kind: Kind) { streams(where: { kind: $kind }) { id } }",
      0,
      "at-risk (risky) $kind: Kind has no Dynamic any more.",
    ],
    ...[
      "query Q { streams(where: { kind: Dynamic }) { id } }",
      "query Q($kind: Kind = Dynamic) { streams(where: { kind: $kind }) { id } }",
      "query Q($where: Stream_filter = { asset_: {}, kind: Dynamic }) { streams(where: $where) { id } }",
    ].map((text) => ["broken if the operation always sends it", text, 1] as [string, string, number]),
  ])("%s: %s", (_, operation, exit, ...effects) => {
    const judged = judge({ style: "subgraph", operation, edits: GONE });
    expect(judged.causes).toEqual(["breaking drift/enum-value-removed Kind.Dynamic"]);
    if (effects.length > 0) expect(judged.effects).toEqual(effects);
    expect(judged.exits).toEqual({ default: exit, breaking: 1, risky: 1 });
  });

  it("a new value breaks the operation with exhaustiveEnums", () => {
    const reads = { style: "subgraph", operation: "query Q { streams { kind } }" } as const;
    const edits = "Linear Dynamic¦ Tranched";
    const exitOf = (exhaustiveEnums: boolean) => judge({ ...reads, edits, exhaustiveEnums }).exits.default;
    expect([exitOf(false), exitOf(true)]).toEqual([0, 1]);
  });
});

it.each<[name: string, style: StyleName, operation: string, edit: string, message: string]>([
  [
    "a direct member",
    "multichain",
    "query Q($where: Stream_bool_exp) { Stream(where: $where) { id } }",
    "amount: BigInt! →",
    "$where: Stream_bool_exp has no amount any more.",
  ],
  [
    "a member of a nested filter",
    "multichain",
    "query Q($where: Stream_bool_exp) { Stream(where: $where) { id } }",
    "symbol: String! →",
    "$where.asset: Asset_bool_exp has no symbol any more.",
  ],
  [
    "a member of a nested order, of cyclic types",
    "multichain",
    "query Q($order: [Stream_order_by!]) { Stream(order_by: $order) { id } }",
    "name: String! →",
    "$order.asset: Asset_order_by has no name any more.",
  ],
  [
    "a member of a nested filter of a subgraph",
    "subgraph",
    "query Q($where: Stream_filter) { streams(where: $where) { id } }",
    "name: String! →",
    "$where.asset_: Asset_filter has no name any more. And 19 more like it.",
  ],
])(
  "a removed member of a variable's type is risky at any depth: %s",
  (_, style, operation, change, message) => {
    const { effects, exits } = judge({ style, operation, edits: change });
    expect(effects).toEqual([`at-risk (risky) ${message}`]);
    expect(exits).toEqual({ default: 0, breaking: 1, risky: 1 });
  },
);

it("a long path to a removed member is shortened in the middle", () => {
  const types = ["A", "B", "C", "D", "E", "F", "G", "Last"];
  const inputs = types.slice(0, -1).map((name, at) => `input ${name} { to${name}: ${types[at + 1]} }`);
  const sdl = (last: string) =>
    `${inputs.join("\n")} input Last { kept: Int ${last} } type Query { a(a: A): Int }`;
  const operation = operationOf(["a.graphql", "query Q($a: A) { a(a: $a) }"]);
  const [assessment] = assess([operation], [sdl("lost: Int"), sdl("")]);
  expect(assessment?.effects.map(({ message }) => message)).toEqual([
    "$a.toA.toB.….toF.toG: Last has no lost any more.",
  ]);
});

describe("removed internal columns of HyperIndex", () => {
  const options = [{ release: "2.28" }, { release: "2.29" }] as const;

  it("do not fail a run at any --fail-on level", () => {
    const operation = "query Streams($where: Stream_bool_exp) { Stream(where: $where) { id } }";
    const judged = judge({ style: "multichain", operation, options });
    expect(judged.causes).toContain("breaking drift/platform-feature-removed db_write_timestamp");
    expect(judged.effects.length).toBeGreaterThan(0);
    expect(judged.exits).toEqual({ default: 0, breaking: 0, risky: 0 });
  });

  it("fail a run if an operation selects them", () => {
    const operation = "query Streams { Stream { id db_write_timestamp } }";
    expect(judge({ style: "multichain", operation, options }).exits.default).toBe(1);
  });
});

describe("derived coordinates", () => {
  it("are complete and sorted; those that set the severity are listed separately", () => {
    const { findings } = judge({
      style: "multichain",
      operation: "query Streams { Stream { id } }",
      options: [{ release: "2.31" }, { release: "3.0" }],
    });
    const counters = findings.find(({ coordinate }) => coordinate === "counters as Float");
    expect(counters).toMatchObject({ code: "drift/platform-feature-added", severity: "breaking" });
    expect(counters?.worstDerived).toContainEqual({
      coordinate: "chain_metadata.num_events_processed",
      before: "Int",
      after: "Float",
    });
    expect(counters?.derivedCoordinates?.length).toBe(counters?.derived);
    expect(counters?.derivedCoordinates).toEqual([...(counters?.derivedCoordinates ?? [])].sort());
  });

  it("include the members of an added type", () => {
    const { findings } = judge({
      style: "subgraph",
      operation: "query Streams { streams { id } }",
      edits: "type Asset → type Extra @entity { id: String! note: String } type Asset",
    });
    const extra = findings.find(({ coordinate }) => coordinate === "Extra");
    expect(extra?.derivedCoordinates).toEqual(expect.arrayContaining(["Extra.note", "Extra_filter.note_gt"]));
    expect(extra?.derivedCoordinates?.length).toBe(extra?.derived);
    expect(extra?.worstDerived).toBeUndefined();
  });
});
