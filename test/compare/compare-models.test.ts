import { describe, expect, it } from "vitest";
import { compareModels, type ParitySide } from "../../src/compare/compare-models.ts";
import { parityFindings } from "../../src/compare/parity.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import { renderParityText } from "../../src/report/render-parity.ts";

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

const differing = (multichain: string, subgraph = BASE) =>
  compare(multichain, subgraph)
    .rows.filter((row) => row.verdict !== "equal" && row.verdict !== "mapped")
    .map((row) => [row.entity, row.field, row.multichain, row.subgraph, row.verdict]);

describe("compareModels", () => {
  it("pairs every field of the same entities", () => {
    const { rows, counts } = compare(BASE);
    expect(
      rows.map((row) => [`${row.entity}.${row.field}`, row.multichain, row.subgraph, row.verdict]),
    ).toEqual([
      ["Asset.null", "entity", "entity", "equal"],
      ["Asset.id", "String!", "String!", "equal"],
      ["Asset.streams", "[Stream!]!", "[Stream!]!", "equal"],
      ["Asset.symbol", "String!", "String!", "equal"],
      ["Stream.null", "entity", "entity", "equal"],
      ["Stream.amount", "numeric!", "BigInt!", "mapped"],
      ["Stream.asset", "Asset!", "Asset!", "equal"],
      ["Stream.count", "Int!", "Int!", "equal"],
      ["Stream.id", "String!", "String!", "equal"],
      ["Stream.kind", "kind!", "Kind!", "mapped"],
      ["Stream.note", "String", "String", "equal"],
      ["Stream.open", "Boolean!", "Boolean!", "equal"],
      ["Stream.sender", "String!", "Bytes!", "mapped"],
    ]);
    expect(counts).toEqual({
      equal: 8,
      mapped: 3,
      nullability: 0,
      conflict: 0,
      "only-multichain": 0,
      "only-subgraph": 0,
    });
  });

  it("maps bytea to Bytes", () => {
    const lists = BASE.replace("sender: Bytes!", "sender: Bytes! keys: [Bytes!]");
    const raw = side("multichain", lists, { release: "3.10", bytesType: "uint8array" });
    const { rows, counts } = compareModels(raw, side("subgraph", lists));
    expect(rows.filter(({ multichain }) => multichain?.includes("bytea"))).toMatchObject([
      { field: "keys", multichain: "[bytea!]", subgraph: "[Bytes!]", verdict: "mapped" },
      { field: "sender", multichain: "bytea!", subgraph: "Bytes!", verdict: "mapped" },
    ]);
    expect(counts).toMatchObject({ conflict: 0, "only-multichain": 0, "only-subgraph": 0 });
  });

  const cases: [name: string, multichain: string, want: unknown[]][] = [
    [
      "a field on the subgraph side only",
      BASE.replace("note: String", ""),
      [["Stream", "note", null, "String", "only-subgraph"]],
    ],
    [
      "a field on the multichain side only",
      BASE.replace("note: String", "note: String more: Int"),
      [["Stream", "more", "Int", null, "only-multichain"]],
    ],
    [
      "a different nullability",
      BASE.replace("amount: BigInt!", "amount: BigInt"),
      [["Stream", "amount", "numeric", "BigInt!", "nullability"]],
    ],
    [
      "a different nullability of a relation",
      BASE.replace("asset: Asset!", "asset: Asset"),
      [["Stream", "asset", "Asset", "Asset!", "nullability"]],
    ],
    [
      "a different type",
      BASE.replace("count: Int!", "count: String!"),
      [["Stream", "count", "String!", "Int!", "conflict"]],
    ],
    [
      "a list on one side only",
      BASE.replace("count: Int!", "count: [Int!]!"),
      [["Stream", "count", "[Int!]!", "Int!", "conflict"]],
    ],
    [
      "an enum on one side and text on the other",
      BASE.replace("note: String", "note: Kind"),
      [["Stream", "note", "kind", "String", "conflict"]],
    ],
    [
      "an entity on the multichain side only",
      `${BASE} type User @entity { id: String! }`,
      [
        ["User", null, "entity", null, "only-multichain"],
        ["User", "id", "String!", null, "only-multichain"],
      ],
    ],
  ];
  it.each(cases)("%s", (_, multichain, want) => {
    expect(differing(multichain)).toEqual(want);
  });
});

describe("differences that follow from the styles", () => {
  const { rows, opaqueEnums } = compare(BASE);
  const ruled = (entity: string, field: string) => {
    const row = rows.find((one) => one.entity === entity && one.field === field);
    return [row?.rule, row?.weaker];
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
      (one) => one.field === "asset",
    );
    expect([row?.verdict, row?.rule, row?.weaker]).toEqual(["nullability", null, "multichain"]);
  });

  it("include opaque enums, with the members that the other style lists", () => {
    expect(opaqueEnums).toEqual([
      { multichain: "kind", subgraph: "Kind", shownBy: "subgraph", members: ["A", "B"] },
    ]);
  });
});

describe("fields with different names", () => {
  it.each([
    [
      "the same type and a word in common",
      "sender: Bytes!",
      "senderAddress: Bytes!",
      [{ entity: "Stream", multichain: "senderAddress", subgraph: "sender" }],
    ],
    [
      "a mapped type and a word in common",
      "amount: BigInt!",
      "totalAmount: BigInt!",
      [{ entity: "Stream", multichain: "totalAmount", subgraph: "amount" }],
    ],
    [
      "a reference of the same type",
      "streams: [Stream!]!",
      "flows: [Stream!]!",
      [{ entity: "Asset", multichain: "flows", subgraph: "streams" }],
    ],
    ["the same type but no word in common", "sender: Bytes!", "payer: Bytes!", []],
    ["a different type", "count: Int!", "number: String!", []],
  ])("%s", (_, from, to, want) => {
    const parity = compare(BASE.replace(from, to));
    expect(parity.renames).toEqual(want);
    // Both rows stay for programs that read them.
    expect(parity.rows.filter((row) => row.verdict.startsWith("only-"))).toHaveLength(2);
    expect(
      parityFindings(parity, null)
        .map(({ code }) => code)
        .sort(),
    ).toEqual(want.length > 0 ? ["parity/renamed"] : ["parity/only-multichain", "parity/only-subgraph"]);
  });
});

describe("parityFindings", () => {
  it.each<[string, string, string[]]>([
    ["no differences", BASE, []],
    [
      "a conflict",
      BASE.replace("count: Int!", "count: String!"),
      ["parity/conflict breaking Stream.count String! Int! 0"],
    ],
    [
      "a different nullability",
      BASE.replace("amount: BigInt!", "amount: BigInt"),
      ["parity/nullability risky Stream.amount numeric BigInt! 0"],
    ],
    [
      "an entity of one style, reported once",
      `${BASE} type User @entity { id: String! name: String }`,
      ["parity/only-multichain additive User entity null 2"],
    ],
  ])("%s", (_, multichain, want) => {
    const findings = parityFindings(compare(multichain), null);
    expect(
      findings.map(
        (one) => `${one.code} ${one.severity} ${one.coordinate} ${one.before} ${one.after} ${one.derived}`,
      ),
    ).toEqual(want);
  });
});

describe("capabilities", () => {
  const rows = new Map(compare(BASE).capabilities.map((row) => [row.capability, row]));
  const portable = [...rows.values()].filter((row) => row.portable).map((row) => row.capability);

  it("are portable if both styles have them", () => {
    expect(portable).toEqual([
      "one by id",
      "filter: equal",
      "filter: order",
      "filter: in a list",
      "filter: null",
      "filter: text",
      "filter: relations",
      "filter: and",
      "filter: or",
      "order: one field",
      "order: field of a relation",
      "page",
      "page: of a list field",
      "progress and health",
    ]);
  });

  it("list the syntax of each style, and null for a style without it", () => {
    expect(rows.get("filter: not")).toEqual({
      capability: "filter: not",
      multichain: "_not",
      subgraph: null,
      portable: false,
    });
    expect(rows.get("time travel")).toMatchObject({ multichain: null, subgraph: "(block:)" });
    expect(rows.get("aggregates")).toMatchObject({ multichain: null, subgraph: null });
    expect(rows.get("live updates")).toMatchObject({ multichain: "subscription, …_stream", subgraph: null });
  });

  it("are read from the schema, not from the style", () => {
    const { deriver, schemas } = styles.subgraph;
    const schema = deriver.derive(parseEntities(BASE, "entities.graphql"), {
      boolFilters: false,
      childSorting: false,
    });
    expect(schemas.findCapabilities(schema)).toMatchObject({
      "filter: and": null,
      "filter: or": null,
      "order: field of a relation": null,
    });
    const open = styles.multichain.deriver.derive(parseEntities(BASE, "entities.graphql"), {
      aggregates: ["Stream"],
    });
    expect(styles.multichain.schemas.findCapabilities(open).aggregates).toBe("…_aggregate");
  });
});

describe("the parity report", () => {
  const parities = [
    {
      protocol: "lockup" as const,
      ...compare(`${BASE.replace("note: String", "")} type User @entity { id: String! }`),
    },
  ];

  it("counts equal fields and lists the others as rows", () => {
    expect(renderParityText(parities)).toBe(
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
});
