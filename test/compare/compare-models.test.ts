import { describe, expect, it } from "vitest";
import { compareModels, type ParitySide } from "../../src/compare/compare-models.ts";
import { renderParityJson, renderParityText } from "../../src/report/render-parity.ts";
import { parseEntities } from "../../src/schema/parse-entities.ts";
import { styles } from "../../src/styles/index.ts";

/** A side whose model is what the style's own API schema shows of `entities`. */
function side(style: "multichain" | "subgraph", entities: string): ParitySide {
  const { derive, read, scalars } = styles[style];
  return { model: read(derive(parseEntities(entities, "entities.graphql"))), scalars };
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

  const cases: [name: string, multichain: string, want: unknown[]][] = [
    [
      "a field on one side only",
      BASE.replace("note: String", ""),
      [["Stream", "note", null, "String", "only-subgraph"]],
    ],
    [
      "a field on the other side only",
      BASE.replace("note: String", "note: String more: Int"),
      [["Stream", "more", "Int", null, "only-multichain"]],
    ],
    [
      "another nullability",
      BASE.replace("amount: BigInt!", "amount: BigInt"),
      [["Stream", "amount", "numeric", "BigInt!", "nullability"]],
    ],
    [
      "another nullability of a relation",
      BASE.replace("asset: Asset!", "asset: Asset"),
      [["Stream", "asset", "Asset", "Asset!", "nullability"]],
    ],
    [
      "another family",
      BASE.replace("count: Int!", "count: String!"),
      [["Stream", "count", "String!", "Int!", "conflict"]],
    ],
    [
      "a list",
      BASE.replace("count: Int!", "count: [Int!]!"),
      [["Stream", "count", "[Int!]!", "Int!", "conflict"]],
    ],
    [
      "an enum where the other has text",
      BASE.replace("note: String", "note: Kind"),
      [["Stream", "note", "kind", "String", "conflict"]],
    ],
    [
      "an entity on one side only",
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

describe("the parity report", () => {
  const parities = [
    {
      protocol: "lockup" as const,
      ...compare(`${BASE.replace("note: String", "")} type User @entity { id: String! }`),
    },
  ];

  it("shows people what agrees as counts and what does not as rows", () => {
    expect(renderParityText(parities)).toBe(
      [
        "lockup: multichain against subgraph",
        "  2 entities in both: Asset, Stream",
        "  11 fields of theirs: 7 equal, 3 mapped (another scalar for the same value), 0 of another nullability, 0 in conflict, 0 only on multichain, 1 only on subgraph",
        "  mapped: numeric ↔ BigInt (1), kind ↔ Kind (1), String ↔ Bytes (1)",
        "",
        "  entity  field  multichain          subgraph  verdict",
        "  User           entity of 1 fields  –         only-multichain",
        "  Stream  note   –                   String    only-subgraph",
      ].join("\n"),
    );
  });

  it("gives programs every row", () => {
    const { version, protocols } = JSON.parse(renderParityJson(parities));
    expect(version).toBe(1);
    expect(protocols[0].protocol).toBe("lockup");
    expect(protocols[0].rows).toHaveLength(15);
  });
});
