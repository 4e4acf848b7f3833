import { describe, expect, it } from "vitest";
import { compareModels, type ParitySide } from "../../src/compare/compare-models.ts";
import { parityFindings } from "../../src/compare/parity.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { ParityRename, ParityRow } from "../../src/report/outcome.ts";
import { renderParityText } from "../../src/report/render-parity.ts";
import { edit } from "./impact/fixtures.ts";

/** One side of a comparison: the API schema that a style derives from `entities`, and the model read from it. */
function side(name: "multichain" | "subgraph", entities: string, options?: DeriveOptions): ParitySide {
  const style = styles[name];
  const schema = style.deriver.derive(parseEntities(entities, "entities.graphql"), options);
  return { model: style.schemas.read(schema), schema, style };
}

const BASE = `
  enum Kind { A B }
  type Asset @entity { id: String! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity {
    id: String! asset: Asset! kind: Kind! amount: BigInt! note: String sender: Bytes! open: Boolean! count: Int!
  }`;

const compare = (multichain: string, subgraph = BASE) =>
  compareModels(side("multichain", multichain), side("subgraph", subgraph));

const show = ({ entity, field, multichain, subgraph, verdict }: ParityRow) =>
  `${entity}.${field} ${multichain} ${subgraph} ${verdict}`;

describe("compareModels", () => {
  it("pairs every field of the same entities", () => {
    const { rows, counts } = compare(BASE);
    expect(rows.map(show)).toEqual([
      "Asset.null entity entity equal",
      "Asset.id String! String! equal",
      "Asset.streams [Stream!]! [Stream!]! equal",
      "Asset.symbol String! String! equal",
      "Stream.null entity entity equal",
      "Stream.amount numeric! BigInt! mapped",
      "Stream.asset Asset! Asset! equal",
      "Stream.count Int! Int! equal",
      "Stream.id String! String! equal",
      "Stream.kind kind! Kind! mapped",
      "Stream.note String String equal",
      "Stream.open Boolean! Boolean! equal",
      "Stream.sender String! Bytes! mapped",
    ]);
    const none = { nullability: 0, conflict: 0, "only-multichain": 0, "only-subgraph": 0 };
    expect(counts).toEqual({ equal: 8, mapped: 3, ...none });
  });

  it("maps bytea to Bytes", () => {
    const lists = BASE.replace("sender: Bytes!", "sender: Bytes! keys: [Bytes!]");
    const raw = side("multichain", lists, { release: "3.10", bytesType: "uint8array" });
    const { rows, counts } = compareModels(raw, side("subgraph", lists));
    expect(rows.filter(({ multichain }) => multichain?.includes("bytea")).map(show)).toEqual([
      "Stream.keys [bytea!] [Bytes!] mapped",
      "Stream.sender bytea! Bytes! mapped",
    ]);
    expect(counts).toMatchObject({ conflict: 0, "only-multichain": 0, "only-subgraph": 0 });
  });

  it.each<[name: string, change: string, ...want: string[]]>([
    ["a field of subgraph only", "note: String →", "Stream.note null String only-subgraph"],
    ["a field of multichain only", "note: → more: Int note:", "Stream.more Int null only-multichain"],
    ["a nullability", "amount: BigInt! → amount: BigInt", "Stream.amount numeric BigInt! nullability"],
    ["a relation's nullability", "asset: Asset! → asset: Asset", "Stream.asset Asset Asset! nullability"],
    ["a type", "count: Int! → count: String!", "Stream.count String! Int! conflict"],
    ["a list on one side only", "count: Int! → count: [Int!]!", "Stream.count [Int!]! Int! conflict"],
    ["an enum and text", "note: String → note: Kind", "Stream.note kind String conflict"],
    [
      "an entity of multichain only",
      "type Asset → type User @entity { id: String! } type Asset",
      "User.null entity null only-multichain",
      "User.id String! null only-multichain",
    ],
  ])("finds a difference: %s", (_, change, ...want) => {
    const { rows } = compare(edit(BASE, change));
    expect(rows.map(show).filter((row) => !/ (equal|mapped)$/.test(row))).toEqual(want);
  });
});

describe("differences that follow from the styles", () => {
  const { rows, opaqueEnums } = compare(BASE);
  const ruled = (entity: string, field: string) => {
    const match = rows.find((row) => row.entity === entity && row.field === field);
    return [match?.rule, match?.weaker];
  };

  it("name their rule and the style that may return null", () => {
    expect(ruled("Stream", "asset")).toEqual(["parity/relation-nullability", "multichain"]);
    expect(ruled("Stream", "kind")).toEqual(["parity/opaque-enum", null]);
    expect(ruled("Stream", "amount")).toEqual(["parity/scalar", null]);
    expect(ruled("Stream", "note")).toEqual([null, null]);
    expect(ruled("Asset", "streams")).toEqual([null, null]);
  });

  it("do not include a reference whose column is nullable", () => {
    const row = compare(BASE.replace("asset: Asset!", "asset: Asset")).rows.find(
      (row) => row.field === "asset",
    );
    expect([row?.verdict, row?.rule, row?.weaker]).toEqual(["nullability", null, "multichain"]);
  });

  it("include opaque enums, with the members that the other style lists", () => {
    expect(opaqueEnums).toEqual([
      { multichain: "kind", subgraph: "Kind", shownBy: "subgraph", members: ["A", "B"] },
    ]);
  });
});

it.each<[name: string, change: string, ...want: ParityRename[]]>([
  [
    "the same type and a word in common",
    "sender: Bytes! → senderAddress: Bytes!",
    { entity: "Stream", multichain: "senderAddress", subgraph: "sender" },
  ],
  [
    "a mapped type and a word in common",
    "amount: BigInt! → totalAmount: BigInt!",
    { entity: "Stream", multichain: "totalAmount", subgraph: "amount" },
  ],
  [
    "a reference of the same type",
    "streams: [Stream!]! → flows: [Stream!]!",
    { entity: "Asset", multichain: "flows", subgraph: "streams" },
  ],
  ["the same type but no word in common", "sender: Bytes! → payer: Bytes!"],
  ["a different type", "count: Int! → number: String!"],
])("fields with different names: %s", (_, change, ...want) => {
  const parity = compare(edit(BASE, change));
  expect(parity.renames).toEqual(want);
  // Both rows stay for programs that read them.
  expect(parity.rows.filter((row) => row.verdict.startsWith("only-"))).toHaveLength(2);
  const codes = parityFindings(parity, null).map(({ code }) => code);
  expect(codes.sort()).toEqual(
    want.length > 0 ? ["parity/renamed"] : ["parity/only-multichain", "parity/only-subgraph"],
  );
});

it.each<[name: string, change: string, ...want: string[]]>([
  ["no differences", ""],
  ["a conflict", "count: Int! → count: String!", "parity/conflict breaking Stream.count String! Int! 0"],
  [
    "a different nullability",
    "amount: BigInt! → amount: BigInt",
    "parity/nullability risky Stream.amount numeric BigInt! 0",
  ],
  [
    "an entity of one style, reported once",
    "type Asset → type User @entity { id: String! name: String } type Asset",
    "parity/only-multichain additive User entity null 2",
  ],
])("parityFindings returns %s", (_, change, ...want) => {
  const findings = parityFindings(compare(edit(BASE, change)), null);
  expect(
    findings.map(({ code, severity, coordinate, before, after, derived }) =>
      [code, severity, coordinate, before, `${after}`, derived].join(" "),
    ),
  ).toEqual(want);
});

describe("capabilities", () => {
  const rows = new Map(compare(BASE).capabilities.map((row) => [row.capability, row]));
  const portable = [...rows.values()].filter((row) => row.portable).map((row) => row.capability);

  it("are portable if both styles have them", () => {
    expect(portable).toEqual([
      "one by id",
      ...["equal", "order", "in a list", "null", "text", "relations", "and", "or"].map(
        (of) => `filter: ${of}`,
      ),
      "order: one field",
      "order: field of a relation",
      "page",
      "page: of a list field",
      "progress and health",
    ]);
  });

  it.each([
    ["filter: not", "_not", null],
    ["time travel", null, "(block:)"],
    ["aggregates", null, null],
    ["live updates", "subscription, …_stream", null],
  ] as const)(
    "list the syntax of each style, and null for a style without it: %s",
    (capability, multichain, subgraph) => {
      expect(rows.get(capability)).toEqual({ capability, multichain, subgraph, portable: false });
    },
  );

  it("are read from the schema, not from the style", () => {
    const plain = side("subgraph", BASE, { boolFilters: false, childSorting: false });
    expect(plain.style.schemas.findCapabilities(plain.schema)).toMatchObject({
      "filter: and": null,
      "filter: or": null,
      "order: field of a relation": null,
    });
    const open = side("multichain", BASE, { aggregates: ["Stream"] });
    expect(open.style.schemas.findCapabilities(open.schema).aggregates).toBe("…_aggregate");
  });
});

it("the parity report counts equal fields and lists the others as rows", () => {
  const multichain = edit(BASE, [
    "note: String →",
    "type Asset → type User @entity { id: String! } type Asset",
  ]);
  expect(renderParityText([{ protocol: "lockup", ...compare(multichain) }])).toBe(
    [
      "lockup: multichain against subgraph",
      "  2 entities in both: Asset, Stream",
      "  their 11 fields: 7 equal, 3 mapped (a different scalar for the same value), 1 only on subgraph",
      "  mapped: numeric ↔ BigInt (1), kind ↔ Kind (1), String ↔ Bytes (1)",
      "",
      "  entity  field  multichain          subgraph  verdict",
      "  User           entity of 1 fields  –         only-multichain",
      "  Stream  note   –                   String    only-subgraph",
    ].join("\n"),
  );
});
