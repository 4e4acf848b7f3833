import { describe, expect, it } from "vitest";
import type { FailOn } from "../../src/compare/decide-outcome.ts";
import { DEFAULT_REQUIREMENT, decideOutcome } from "../../src/compare/decide-outcome.ts";
import { findDifferences } from "../../src/compare/find-differences.ts";
import { assessOperations } from "../../src/compare/impact/assess-operations.ts";
import { fingerprint } from "../../src/compare/join-findings.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { type Edits, edit, operationOf, schemaOf } from "./impact/fixtures.ts";

const ENTITIES = `
  enum Kind { Linear Dynamic }
  type Asset @entity { id: String! symbol: String! name: String! }
  type Stream @entity { id: String! asset: Asset! kind: Kind! amount: BigInt! }`;

type Case = {
  readonly style: StyleName;
  readonly operation: string;
  readonly edits?: Edits;
  readonly options?: readonly [before: DeriveOptions, after: DeriveOptions];
  readonly exhaustiveEnums?: boolean;
};

/** Returns the findings and exit codes for one operation after a change of the entities or of the platform. */
function judge({ style: name, operation, edits = [], options, exhaustiveEnums = false }: Case) {
  const style = styles[name];
  const derive = (entities: string, side: DeriveOptions | undefined) =>
    canonicalize(style.deriver.derive(parseEntities(entities, "entities.graphql"), side));
  const { findings } = findDifferences({
    before: derive(ENTITIES, options?.[0]),
    after: derive(edit(ENTITIES, edits), options?.[1]),
    style,
    where: { protocol: "lockup", style: name, deployments: [] },
    operations: [operationOf(["a.graphql", operation])],
    locate: () => null,
    fix: null,
    exhaustiveEnums,
  });
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

const READS = "query Streams { streams { kind } }";
const GONE: Edits = [["Linear Dynamic", "Linear"]];

describe("an enum value is judged by its use in the operation", () => {
  it("is risky if the operation only selects it", () => {
    expect(judge({ style: "subgraph", operation: READS, edits: GONE })).toMatchObject({
      causes: ["breaking drift/enum-value-removed Kind.Dynamic"],
      effects: ["changes-type (risky) Stream.kind is never Dynamic now (Kind)."],
      exits: { default: 0, breaking: 1, risky: 1 },
    });
  });

  it("puts the operation at risk if callers may send it", () => {
    const operation = "query Streams($kind: Kind) { streams(where: { kind: $kind }) { id } }";
    expect(judge({ style: "subgraph", operation, edits: GONE })).toMatchObject({
      effects: ["at-risk (risky) $kind: Kind has no Dynamic any more."],
      exits: { default: 0, breaking: 1, risky: 1 },
    });
  });

  it.each([
    "query Streams { streams(where: { kind: Dynamic }) { id } }",
    "query Streams($kind: Kind = Dynamic) { streams(where: { kind: $kind }) { id } }",
    "query Streams($where: Stream_filter = { asset_: {}, kind: Dynamic }) { streams(where: $where) { id } }",
  ])("breaks an operation that always sends it: %s", (operation) => {
    expect(judge({ style: "subgraph", operation, edits: GONE }).exits.default).toBe(1);
  });

  it("a new value breaks the operation with exhaustiveEnums", () => {
    const edits: Edits = [["Linear Dynamic", "Linear Dynamic Tranched"]];
    const exitOf = (exhaustiveEnums: boolean) =>
      judge({ style: "subgraph", operation: READS, edits, exhaustiveEnums }).exits.default;
    expect([exitOf(false), exitOf(true)]).toEqual([0, 1]);
  });
});

describe("a removed member of a variable's type is risky at any depth", () => {
  const operation = "query Streams($where: Stream_bool_exp) { Stream(where: $where) { id } }";

  it.each<[name: string, style: StyleName, operation: string, edits: Edits, message: string]>([
    [
      "a direct member",
      "multichain",
      operation,
      [["amount: BigInt!", ""]],
      "$where: Stream_bool_exp has no amount any more.",
    ],
    [
      "a member of a nested filter",
      "multichain",
      operation,
      [["symbol: String!", ""]],
      "$where.asset: Asset_bool_exp has no symbol any more.",
    ],
    [
      "a member of a nested filter of a subgraph",
      "subgraph",
      "query Streams($where: Stream_filter) { streams(where: $where) { id } }",
      [["name: String!", ""]],
      "$where.asset_: Asset_filter has no name any more. And 19 more like it.",
    ],
  ])("%s", (_, style, text, edits, message) => {
    const { effects, exits } = judge({ style, operation: text, edits });
    expect(effects).toEqual([`at-risk (risky) ${message}`]);
    expect(exits).toEqual({ default: 0, breaking: 1, risky: 1 });
  });

  it("the message has the path to the member, also with cyclic types", () => {
    const inner = "query Assets($order: [Stream_order_by!]) { Stream(order_by: $order) { id } }";
    expect(judge({ style: "multichain", operation: inner, edits: [["name: String!", ""]] }).effects).toEqual([
      "at-risk (risky) $order.asset: Asset_order_by has no name any more.",
    ]);
  });
});

describe("a long path to a removed member", () => {
  it("is shortened in the middle", () => {
    const types = ["A", "B", "C", "D", "E", "F", "G"];
    const sdl = (last: string) =>
      `${types.map((name, index) => `input ${name} { to${name}: ${types[index + 1] ?? "Last"} }`).join("\n")}
      input Last { kept: Int ${last} } type Query { a(a: A): Int }`;
    const operation = operationOf(["a.graphql", "query Q($a: A) { a(a: $a) }"]);
    const [assessment] = assessOperations(
      [operation],
      { before: schemaOf(sdl("lost: Int")), after: schemaOf(sdl("")) },
      {
        exhaustiveEnums: false,
      },
    );
    expect(assessment?.effects.map(({ message }) => message)).toEqual([
      "$a.toA.toB.….toF.toG: Last has no lost any more.",
    ]);
  });
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
      edits: [["type Asset", "type Extra @entity { id: String! note: String } type Asset"]],
    });
    const extra = findings.find(({ coordinate }) => coordinate === "Extra");
    expect(extra?.derivedCoordinates).toEqual(expect.arrayContaining(["Extra.note", "Extra_filter.note_gt"]));
    expect(extra?.derivedCoordinates?.length).toBe(extra?.derived);
    expect(extra?.worstDerived).toBeUndefined();
  });
});
