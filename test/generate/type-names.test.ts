import { describe, expect, it } from "vitest";
import { type Given, generateFrom } from "../support/generate-from.ts";

const SDL = `
  type Query { streams(kind: Kind): [Stream!]! assets: [[Asset]] stream(w: Where): Stream thing: Thing! _meta: Meta count: Int }
  type Mutation { streams: [Stream] }
  type Stream { id: ID! asset: Asset kind: Kind }
  type Asset { id: ID! symbol: String }
  type Meta { block: Int }
  union Thing = Stream | Asset
  enum Kind { A B }
  enum QRow { A }
  enum string { A }
  input Where { odd: QRow name: string kind: Kind }
`;

/** The types that a module exports, without comments, on a line each. */
async function typesOf(operations: string, given: Partial<Given> = {}): Promise<string[]> {
  const { types } = await generateFrom({ sdl: SDL, operations, ...given });
  return types
    .replaceAll(/\/\*\*[\s\S]*?\*\/|\s+/g, " ")
    .replaceAll(/ +/g, " ")
    .split(/(?=export type |import type )/)
    .map((text) => text.trim().replace(/^export type /, ""));
}

it.each<[name: string, operations: string, ...want: string[]]>([
  [
    "one list",
    "query Q { streams { id } }",
    "QRow_ = { id: string; };",
    "QQuery = { streams: Array<QRow_>; };",
  ],
  [
    "a list with an alias",
    "query P { all: streams { id } }",
    "PRow = { id: string; };",
    "PQuery = { all: Array<PRow>; };",
  ],
  [
    "a list of lists, some of them null",
    "query P { assets { id } }",
    "PRow = { id: string; };",
    "PQuery = { assets: Array<Array<PRow | null> | null> | null; };",
  ],
  [
    "a list and other fields",
    "query P { streams { id } stream { kind } _meta { block } count }",
    "PRow = { id: string; };",
    "PQuery = { streams: Array<PRow>; stream: { kind: Kind | null; } | null; _meta: { block: number | null; } | null; count: number | null; };",
  ],
  [
    "several lists, one of them selected twice",
    "query P { new: streams { id } old: streams { kind } assets { id } }",
    "PNewRow = { id: string; };",
    "POldRow = { kind: Kind | null; };",
    "PAssetsRow = { id: string; };",
    "PQuery = { new: Array<PNewRow>; old: Array<POldRow>; assets: Array<Array<PAssetsRow | null> | null> | null; };",
  ],
  [
    "lists whose keys differ in the case of the first letter",
    "query P { streams { id } Streams: streams { kind } }",
    "PStreamsRow = { id: string; };",
    "PStreamsRow_ = { kind: Kind | null; };",
    "PQuery = { streams: Array<PStreamsRow>; Streams: Array<PStreamsRow_>; };",
  ],
  [
    "an operation with the name of another's list",
    "query P { streams { id } assets { id } } query PStreams { streams { kind } }",
    "PStreamsRow_ = { id: string; };",
    "PAssetsRow = { id: string; };",
    "PQuery = { streams: Array<PStreamsRow_>; assets: Array<Array<PAssetsRow | null> | null> | null; };",
    "PStreamsRow = { kind: Kind | null; };",
    "PStreamsQuery = { streams: Array<PStreamsRow>; };",
  ],
  [
    "one object, and no list",
    "query P { stream { id } _meta { block } }",
    "PRow = { id: string; };",
    "PQuery = { stream: PRow | null; _meta: { block: number | null; } | null; };",
  ],
  [
    "several objects, and no list",
    "query P { one: stream { id } other: stream { id } }",
    "POneRow = { id: string; };",
    "POtherRow = { id: string; };",
    "PQuery = { one: POneRow | null; other: POtherRow | null; };",
  ],
  [
    "objects of a union",
    "query P { thing { ... on Stream { id } ... on Asset { symbol } } }",
    "PRow = | { id: string; } | { symbol: string | null; };",
    "PQuery = { thing: PRow; };",
  ],
  ["only a number", "query P { count }", "PQuery = { count: number | null; };"],
  ["only _meta", "query P { _meta { block } }", "PQuery = { _meta: { block: number | null; } | null; };"],
  [
    "fields of a conditional fragment on the root",
    "query P($f: Boolean!) { ...R @include(if: $f) } fragment R on Query { streams { id } }",
    "PRow = { id: string; };",
    "PQuery = { streams?: Array<PRow>; };",
  ],
  [
    "a mutation",
    "mutation P { streams { id } }",
    "PRow = { id: string; };",
    "PMutation = { streams: Array<PRow | null> | null; };",
  ],
])("the rows of an operation have a name: %s", async (_, operations, ...want) => {
  const types = await typesOf(operations);
  expect(types.filter((text) => /^\w+(Row_?|Query|Mutation) =/.test(text))).toEqual(want);
});

describe("a type of the schema", () => {
  it("is renamed if it is a word of TypeScript, and rows are renamed if they have its name", async () => {
    const types = await typesOf("query Q($w: Where) { stream(w: $w) { id } }");
    expect(types).toContain('QRow = "A";');
    expect(types).toContain('string_ = "A";');
    expect(types).toContain(
      "Where = { odd?: QRow | null | undefined; name?: string_ | null | undefined; kind?: Kind | null | undefined; };",
    );
    expect(types).toContain("QRow_ = { id: string; };");
  });

  it("is renamed if it has the name of a global type in use", async () => {
    const types = await typesOf("query Q { e thing { ... on B { id } } }", {
      sdl: "type Query { e: PropertyKey thing: Thing! } enum PropertyKey { A } type A { id: ID } type B { id: ID } union Thing = A | B",
    });
    expect(types).toContain('PropertyKey_ = "A";');
    expect(types.join(" ")).toContain("Record<PropertyKey, undefined>");
  });

  it("is accepted as a list of itself, but null and undefined are not for required lists", async () => {
    const types = await typesOf("query Q($a: [Int]!, $b: [[Int]]!, $c: [Int]) { f(a: $a, b: $b, c: $c) }", {
      sdl: "type Query { f(a: [Int]!, b: [[Int]]!, c: [Int]): Int }",
    });
    const item = "number | null | undefined";
    const list = `Array<${item}>`;
    expect(types).toContain(
      `QQueryVariables = { a: ${list} | number; b: Array<${list} | ${item}> | ${list} | number; c?: ${list} | ${item}; };`,
    );
  });
});

describe("scalars of a configuration", () => {
  const sdl =
    "scalar Wei scalar Address type Query { a(w: Wei): Wei b: Address kind: Money c: [Wei!] } enum Money { A }";
  const operations = "query Q($w: Wei) { a(w: $w) b kind c }";

  it.each<[wei: string, line: string, want: string, address?: string]>([
    [
      "../../src/wei.js#Wei",
      'import type { Wei } from "../../src/wei.js";',
      "a: Wei | null; b: string | null;",
    ],
    [
      "wei#Money",
      'import type { Money as Money_ } from "wei";',
      "a: Money_ | null; b: Money_ | null;",
      "wei#Money",
    ],
    ["wei#Money as Amount", 'import type { Money as Amount } from "wei";', "a: Amount | null;"],
    ["wei#default", 'import type Wei from "wei";', "a: Wei | null;"],
    ["wei#Units#Wei", 'import type { Units } from "wei";', "a: Units.Wei | null;"],
    ["wei#QQuery", 'import type { QQuery as QQuery_ } from "wei";', "a: QQuery_ | null;"],
    ["wei#A", 'import type { A as A_ } from "wei";', "a: A_ | null; b: A | null;", "other#A"],
    ["string extends T ? 1 : 2", "", "a: (string extends T ? 1 : 2) | null;"],
  ])("are imported without name collisions: %s", async (wei, line, want, address = "string") => {
    const scalars = { Wei: wei, Address: address };
    const { types, strings } = await generateFrom({ sdl, operations, scalars });
    if (line !== "") expect(types.split("\n")).toContain(line);
    expect(strings).not.toContain("wei");
    expect((await typesOf(operations, { sdl, scalars })).join(" ")).toContain(want);
  });
});
