import { describe, expect, it } from "vitest";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { generateFrom } from "../support/generate-from.ts";

const SDL = `
  """What can be read."""
  type Query {
    """The first one."""
    one(
      """How many are passed over."""
      skip: Int = 0
      where: Filter
    ): Stream!
    "All of them."
    all(first: Int): [Stream!]
    node: Node
    thing: Thing
    grid(n: [[Int]], m: [[Int!]!]!): Int
  }
  interface Node { "What it is called by." id: ID! }
  interface Owned { "Whose it is." owner: String! }
  "A stream."
  type Stream implements Node & Owned {
    id: ID!
    owner: String!
    "The deposit less what was withdrawn."
    intactAmount: String @deprecated(reason: "ask for the rest")
    old: Int @deprecated
    next: Stream
    kind: Kind!
    plain: Int
  }
  type Asset implements Node { "The address." id: ID! "Its sign." symbol: String! }
  union Thing = Stream | Asset
  "A kind."
  enum Kind { "With steps." STEPS SMOOTH @deprecated(reason: "none left") }
  "What to look for."
  input Filter { "Whose." owner: String steps: Kind = STEPS not: Filter "A range." range: Range }
  input Range { "From here." from: Int to: Int @deprecated(reason: "has no end") }
`;

/** A module on one line. */
const oneLine = (module: string) => module.replaceAll(/\s*\n\s*(?:\*(?!\/) ?)?/g, " ").replaceAll(/ +/g, " ");

describe("the types of operations", () => {
  it("document a field, a nullable one and a deprecated one", async () => {
    const { types } = await generateFrom({
      sdl: SDL,
      operations: "query Q { one { intactAmount old plain } }",
    });
    expect(types).toContain(`
export type QQueryVariables = { [key: string]: never };

export type QRow = {
  /**
   * The deposit less what was withdrawn.
   *
   * @deprecated ask for the rest
   */
  intactAmount: string | null;
  /** @deprecated No longer supported */
  old: number | null;
  plain: number | null;
};

/** Result: \`one: Stream!\`. */
export type QQuery = {
  /** The first one. */
  one: QRow;
};`);
  });

  it.each<[name: string, operations: string, ...want: string[]]>([
    [
      "aliases, a list, and fields within fields",
      "query Q { streams: all { rest: intactAmount next { next { key: id } } } }",
      "QRow = { /** The deposit less what was withdrawn. @deprecated ask for the rest */ rest: string | null;",
      "next: { next: { /** What it is called by. */ key: string; } | null; } | null; };",
      "/** Result: `streams: [Stream!]`. */ export type QQuery = { /** All of them. */ streams: Array<QRow> | null; };",
    ],
    [
      "a field of an interface, whose objects may have no own description",
      "query Q { node { __typename id ... on Asset { symbol } } }",
      '{ __typename: "Stream"; /** What it is called by. */ id: string; }',
      '{ __typename: "Asset"; /** The address. */ id: string; /** Its sign. */ symbol: string; }',
      "/** Result: `node: Node`. */ export type QQuery = { node: QRow | null; };",
    ],
    [
      "objects of a union that have the same key for different fields",
      "query Q { thing { ... on Stream { name: owner } ... on Asset { name: symbol } } }",
      "QRow = | { /** Whose it is. */ name: string; } | { /** Its sign. */ name: string; };",
    ],
    [
      "a fragment, with its comment",
      "query Q { one { ...F } }\n# Who has what.\nfragment F on Stream { owner next { kind } }",
      "/** Who has what. The fields of `fragment F on Stream`. */ export type FFragment = {",
      "FFragment = { /** Whose it is. */ owner: string; next: { kind: Kind; } | null; };",
    ],
    [
      "a fragment on an interface",
      "query Q { node { ...F } } fragment F on Node { id }",
      "/** The fields of `fragment F on Node`. */ export type FFragment =",
      "FFragment = | { /** What it is called by. */ id: string; } | { /** The address. */ id: string; };",
    ],
    [
      "conditional fields",
      "query Q($yes: Boolean!) { one { owner @include(if: $yes) ... @skip(if: $yes) { id } } }",
      "{ /** - `if`: Included when true. - `if`: Skipped when true. */ yes: boolean; };",
      "QRow = { /** Whose it is. */ owner?: string; /** What it is called by. */ id?: string; };",
    ],
    [
      "variables in arguments and input fields, also in lists and objects",
      "query Q($n: Int, $o: String, $f: Int, $t: Int, $k: Kind) { one(skip: $n, where: { not: { owner: $o, steps: $k, range: { from: $f, to: $t } } }) { id } }",
      "{ /** How many are passed over. */ n?: number | null | undefined; /** Whose. */ o?: string | null | undefined;",
      "/** From here. */ f?: number | null | undefined; /** @deprecated has no end */ t?: number | null | undefined;",
      "undefined; k?: Kind | null | undefined; };",
    ],
    [
      "lists of lists, which also accept a single value",
      "query Q($n: [[Int]], $m: [[Int!]!]! = [[1]]) { grid(n: $n, m: $m) }",
      "n?: Array<Array<number | null | undefined> | number | null | undefined> | Array<number | null | undefined> | number | null | undefined;",
      "m?: Array<Array<number> | number> | Array<number> | number | undefined;",
    ],
    [
      "input types and enums",
      "query Q($w: Filter) { one(where: $w) { id } }",
      '/** A kind. */ export type Kind = /** With steps. */ | "STEPS" /** @deprecated none left */ | "SMOOTH";',
      "/** What to look for. */ export type Filter = { /** Whose. */ owner?: string | null | undefined; steps?: Kind",
      "not?: Filter | null | undefined; /** A range. */ range?: Range | null | undefined; };",
      "export type Range = { /** From here. */ from?: number | null | undefined; /** @deprecated has no end */ to?:",
    ],
    [
      "introspection fields",
      'query Q { __type(name: "Stream") { name } }',
      "/** Request the type information of a single type. */ __type: { name: string | null; } | null;",
    ],
  ])("document %s", async (_, operations, ...want) => {
    const types = oneLine((await generateFrom({ sdl: SDL, operations })).types);
    for (const part of want) expect(types).toContain(part);
  });
});

it.each([
  [
    "include fields of a fragment in a conditional fragment",
    "query Q($no: Boolean!) { one { owner ...F @skip(if: $no) } } fragment F on Stream { ...G } fragment G on Stream { id }",
    "QRow = { owner: string; id?: string; };",
  ],
  [
    "include fields of a conditional second selection of an object",
    "query Q($yes: Boolean!) { one { next { id } next @include(if: $yes) { owner } } }",
    "QRow = { next: { id: string; owner?: string; } | null; };",
  ],
  [
    "do not include fields that are also selected unconditionally",
    "query Q($yes: Boolean!) { one { ...F @include(if: $yes) id } } fragment F on Stream { ...G } fragment G on Stream { id }",
    "QRow = FFragment; ",
  ],
  [
    "do not include fields of an object under the same condition",
    "query Q($yes: Boolean!) { one { next @include(if: $yes) { id ...F @include(if: $yes) } } } fragment F on Stream { ...G } fragment G on Stream { owner }",
    "QRow = { next?: (FFragment & { id: string; }) | null; };",
  ],
  [
    "do not include fields under a condition that is always true",
    "query Q { one { id ...F @include(if: true) } } fragment F on Stream { ...G } fragment G on Stream { owner }",
    "QRow = FFragment & { id: string; };",
  ],
])("optional members because of conditions %s", async (_, operations, want) => {
  const { types } = await generateFrom({ sdl: SDL, operations });
  expect(oneLine(types.replaceAll(/\/\*\*[\s\S]*?\*\//g, ""))).toContain(want);
});

describe("the description of an operation", () => {
  it.each<[name: string, text: string, want: string | null]>([
    ["a comment", "# Says it.\nquery Q { one { id } }", "Says it."],
    ["a comment of several lines", "# Says\n#   it.\n\tquery Q { one { id } }", "Says\n *   it."],
    ["a description", '"""Says it."""\nquery Q { one { id } }', "Says it."],
    ["a description after a comment", '# no\n"Says it."\nquery Q { one { id } }', "Says it."],
    ["no comment that is separated by a blank line", "# A licence.\n\nquery Q { one { id } }", null],
    ["no comment at the end of a line", "query P { one { id } } # no\nquery Q { one { id } }", null],
    ["no directives of tools", '#import "./f.graphql"\n# eslint-disable\nquery Q { one { id } }', null],
    ["no empty comment", "#\nquery Q { one { id } }", null],
  ])("is read from %s", async (_, operations, want) => {
    const { types, documents, strings } = await generateFrom({ sdl: SDL, operations });
    const result = "Result: `one: Stream!`.";
    const comment = want === null ? `/** ${result} */\n` : `/**\n * ${want}\n *\n * ${result}\n */\n`;
    expect(types).toContain(`\n${comment}export type QQuery = {`);
    for (const text of [documents, strings]) {
      const above = text.slice(0, text.indexOf("export const QDocument")).split("\n").at(-2);
      expect(above?.endsWith("*/") ? above : null).toBe(want === null ? null : (above ?? ""));
      if (want !== null) expect(text).toContain(want);
    }
    // Descriptions are not sent to servers.
    expect(documents).not.toContain("description:");
    expect(strings).not.toContain('"""');
  });
});

describe("a description", () => {
  it.each([
    ["that closes the comment", "a */ b", "/** a *\\/ b */"],
    ["with lines of all kinds", "a\nb\u2028c\u2029d", "/**\n   * a\n   * b\n   * c\n   * d\n   */"],
    ["that looks like a tag", "@deprecated no", "/** \\@deprecated no */"],
    [
      "that contains a tag within a line",
      "Sent to @internal\t@see, a@b.c",
      "/** Sent to \\@internal\t\\@see, a@b.c */",
    ],
    ["that looks like a tag in a list", "* @deprecated no", "/** * \\@deprecated no */"],
    ["that looks like a tag on a later line", "a\n  @internal", "/**\n   * a\n   *   \\@internal\n   */"],
    ["with backticks and dollars", "`${a}` $& $scalar0", "/** `${a}` $& $scalar0 */"],
    ["of blanks only", "  ", "QRow = {\n  id: string;"],
    ["that is very long", "long ".repeat(5000), `/** ${"long ".repeat(5000)} */`],
  ])("%s stays in its comment", async (_, text, want) => {
    const literal = JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
    const sdl = `type Query { one: One! } type One { ${literal} id: ID! }`;
    const { types } = await generateFrom({ sdl, operations: "query Q { one { id } }" });
    expect(types).toContain(want);
    expect(types).toContain("\n  id: string;\n};\n");
  });

  it("of a deprecation reason stays in its comment", async () => {
    const sdl = 'type Query { a: Int @deprecated(reason: "b */\\n@c") }';
    const { types } = await generateFrom({ sdl, operations: "query Q { a }" });
    expect(types).toContain("  /**\n   * @deprecated b *\\/\n   * \\@c\n   */\n  a: number | null;");
  });
});

it.each([
  ["a template literal", "`0x${string}`"],
  ["an object", '{ a: 1; "b}": [string] }'],
  ["a type that only a compiler can check", "Money<'wei'>"],
  ["a union", '"a" | "b"'],
])("the types of scalars may be %s", async (_, type) => {
  const { types } = await generateFrom({
    sdl: "scalar Odd type Query { a(b: Odd!): Odd!, c: [Odd] }",
    operations: "query Q($b: Odd!) { a(b: $b) c }",
    scalars: { Odd: type },
  });
  expect(types).toContain(`  b: ${type};`);
  expect(types).toContain(`  a: ${type};\n  c: Array<${type} | null> | null;`);
});

it.each([
  ["are any text in variables and filters", {}, "string", "`0x${string}`"],
  ["have the configured type everywhere", { Bytes: "Hex<'0x'>" }, "Hex<'0x'>", "Hex<'0x'>"],
])("bytes %s", async (_, scalars, input, output) => {
  const { types } = await generateFrom({
    sdl: "scalar Bytes input Where { a_in: [Bytes!] } type Query { a(b: Bytes!, w: Where): Bytes! }",
    operations: "query Q($b: Bytes!, $w: Where) { a(b: $b, w: $w) }",
    scalars,
  });
  expect(types).toContain(`  b: ${input};`);
  expect(types).toContain(`  a_in?: Array<${input}> | null`);
  expect(types).toContain(`  a: ${output};`);
});

describe("a description that the platform does not serve", () => {
  const AUTHORED = parseEntities(
    `type Stream @entity { "Its key." id: String! "Who pays." sender: String! "The token." asset: Asset! actions: [Action!]! @derivedFrom(field: "stream") }
    type Asset @entity { id: String! symbol: String! }
    type Action @entity { id: String! "The stream it concerns." stream: Stream! }`,
    "entities.graphql",
  );
  const silent = renderSdl(canonicalize(styles.multichain.deriver.derive(AUTHORED)));
  const ROW = "id sender asset_id asset { symbol } actions { stream_id }";

  it.each<[name: string, sdl: string, models: EntityModel[], ...want: string[]]>([
    [
      "is taken from the entity models of the protocol",
      silent,
      [AUTHORED],
      "/** Who pays. */ s?: string",
      "/** limit the number of rows returned */ l?: number",
      "/** Its key. */ id: string; /** Who pays. */ sender: string; /** The token. */ asset_id: string;",
      "/** The token. */ asset: { symbol: string; }",
      "/** An array relationship */ actions: Array<{ /** The stream it concerns. */ stream_id: string; }>",
    ],
    [
      "is not taken from there if the platform serves one",
      silent.replace("sender: String!", '"The payer, here."\n  sender: String!'),
      [AUTHORED],
      "/** Its key. */ id: string; /** The payer, here. */ sender: string;",
      "/** The payer, here. */ s?: string",
    ],
    [
      "is absent without entity models",
      silent,
      [],
      "Row = { id: string; sender: string; asset_id: string;",
      "{ s?:",
    ],
  ])("%s", async (_, sdl, models, ...want) => {
    const { types } = await generateFrom({
      sdl,
      operations: `query Q($s: String, $l: Int) { Stream(limit: $l, where: { sender: { _eq: $s } }) { ${ROW} } }`,
      style: "multichain",
      models: [styles.multichain.schemas.read(parseSdl(sdl, "schema.graphql")), ...models],
    });
    for (const part of want) expect(oneLine(types)).toContain(part);
  });
});
