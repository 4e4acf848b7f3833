import { describe, expect, it } from "vitest";
import type { PortableContext } from "../../../src/operations/portable/read-entities.ts";
import { PORTABLE } from "../../../src/report/codes/portable.ts";
import { readExplanations } from "../../../src/report/explanations.ts";
import { compileText, contextOf } from "./compile-text.ts";
import { SCHEMA } from "./schema.ts";

const CONTEXT = contextOf(SCHEMA, { multichain: { release: "3.8" }, subgraph: { release: "0.45" } });
const UNLIKE_IDS = contextOf(SCHEMA, {
  ids: { Port: { subgraph: "{number}", multichain: "{chainId}-{number}" } },
});

/** Fields and entities that differ between multichain and subgraphs, or are missing on multichain. */
const OTHER = contextOf(
  `
    interface Named { id: ID! name: String! }
    type Tag implements Named @entity { id: ID! chainId: BigInt! name: String! }
    type Box @entity {
      id: ID! chainId: BigInt! gone: Int count: BigInt! width: Int! wide: Int8 lid: Lid
      parts: [Part!]! copies: [Copy!]! @derivedFrom(field: "box") first: Part @derivedFrom(field: "box") named: Named
    }
    type Lid @entity { id: ID! chainId: BigInt! }
    type Part @entity { id: ID! chainId: BigInt! box: Box! }
    type Copy @entity { id: ID! box: Box! }
    type Lost @entity { id: ID! }
    type _Schema_ @fulltext(
      name: "search", language: en, algorithm: rank,
      include: [{ entity: "Tag", fields: [{ name: "name" }] }]
    )
  `,
  {
    multichain: {
      release: "3.8",
      entities: `
        type Tag @entity { id: ID! chainId: BigInt! name: String! }
        type Box @entity {
          id: ID! chainId: BigInt! count: Int! width: Int wide: BigInt
          parts: [Part!]! @derivedFrom(field: "box") copies: [Copy!]! @derivedFrom(field: "crate")
        }
        type Part @entity { id: ID! chainId: BigInt! box: Box! }
        type Copy @entity { id: ID! crate: Box! }
      `,
    },
    subgraph: { release: "0.45" },
  },
);

const ONE_STYLE: PortableContext = {
  ...CONTEXT,
  definition: { ...CONTEXT.definition, styles: ["multichain"] },
};

const SHIPS = (args: string, variables = "") => `query Q${variables} { ships${args} { id } }`;
const WHERE = (filter: string, variables = "") => SHIPS(`(where: { ${filter} })`, variables);

/** Each with `«` and `»` around the rejected part. */
const CASES: readonly (readonly [code: keyof typeof PORTABLE, text: string, context?: PortableContext])[] = [
  ["portable/not-in-multichain", "query Q { boxes { id «gone» } }", OTHER],
  ["portable/not-in-multichain", "query Q { boxes { id «lid» { id } } }", OTHER],
  ["portable/not-in-multichain", "query Q { boxes(where: { «gone»: 1 }) { id } }", OTHER],
  ["portable/not-in-multichain", "query Q { boxes(where: { «lid_»: {} }) { id } }", OTHER],
  ["portable/not-in-multichain", "query Q { boxes(orderBy: «gone») { id } }", OTHER],
  ["portable/not-in-multichain", "query Q { «losts» { id } }", OTHER],
  ["portable/not-in-multichain", "query Q { «lost»(id: 1) { id } }", OTHER],
  ["portable/type-differs", "query Q { boxes { id «count» } }", OTHER],
  ["portable/type-differs", "query Q { boxes { id «width» } }", OTHER],
  ["portable/type-differs", "query Q { boxes { id «parts» { id } } }", OTHER],
  ["portable/type-differs", "query Q { boxes(where: { «parts_»: {} }) { id } }", OTHER],
  ["portable/type-differs", "query Q { boxes { id «copies» { id } } }", OTHER],
  ["portable/not-in-multichain", "query Q { boxes { id «first» { id } } }", OTHER],
  ["portable/scalar", "query Q { ships { id «launched» } }"],
  ["portable/decimal", "query Q { ships { id «price» a: price } }"],
  ["portable/scalar", WHERE('«launched_gt»: "1"')],
  ["portable/scalar", WHERE("«launched»: $t", "($t: Timestamp!)")],
  ["portable/root", "query Q { «_meta» { deployment } }"],
  ["portable/root", "query Q { «__schema» { queryType { name } } }"],
  ["portable/root", "query Q { «_logs» { id } }"],
  ["portable/root", 'query Q { «search»(text: "x") { id } }', OTHER],
  ["portable/root-typename", "query Q { «__typename» ships { id } }"],
  ["portable/interface", "query Q { «nameds» { id } }", OTHER],
  ["portable/interface", "query Q { boxes { id «named» { id } } }", OTHER],
  ["portable/interface", "query Q { tags { id ... on «Named» { name } } }", OTHER],
  ["portable/interface", "query Q { boxes(where: { «named»: null }) { id } }", OTHER],
  ["portable/argument", SHIPS("(block: «{ number: 1 }»)"), ONE_STYLE],
  ["portable/past-block", SHIPS("(block: «{ number: 1 }»)")],
  ["portable/past-block", SHIPS("(block: «$b»)", "($b: Block_height)")],
  ["portable/subgraph-error", SHIPS("(«subgraphError»: allow)")],
  ["portable/progress", "query Q { ships { id } «_meta» { block { number } } }"],
  ["portable/first-range", SHIPS("(first: «0»)")],
  ["portable/first-range", SHIPS("(first: «1001»)")],
  ["portable/first-range", SHIPS("(first: «99999999999»)")],
  ["portable/first-range", SHIPS("(first: $f)", "($f: Int = «1001»)")],
  ["portable/first-range", "query Q { ships { id logs(first: «1001») { id } } }"],
  ["portable/skip-range", SHIPS("(skip: «5001»)")],
  ["portable/skip-range", SHIPS("(skip: «-1»)")],
  ["portable/skip-range", SHIPS("(skip: $s)", "($s: Int! = «5001»)")],
  ["portable/direction-without-order", SHIPS("(«orderDirection»: desc)")],
  ["portable/order", SHIPS("(orderBy: «mood»)")],
  ["portable/order", SHIPS("(orderBy: «tags»)")],
  ["portable/order", SHIPS("(orderBy: «logs»)")],
  ["portable/order", SHIPS("(orderBy: «home»)")],
  ["portable/order", SHIPS("(orderBy: «home__id»)")],
  ["portable/order", SHIPS("(orderBy: «deep__water»)")],
  ["portable/order", SHIPS("(orderBy: $o)", "($o: Ship_orderBy = «mood»)")],
  ["portable/order", "query Q { ports { ships(orderBy: «captain__age») { id } } }"],
  ["portable/order", "query Q { boxes(orderBy: «first__id») { id } }", OTHER],
  ["portable/mixed-filter", WHERE('name: "a", «or»: [{ name: "b" }]')],
  ["portable/mixed-filter", WHERE("home_: { «and»: [], chainId: 1 }")],
  ["portable/nested-child-filter", WHERE('home_: { «ships_»: { name: "a" } }')],
  ["portable/null-filter", WHERE("«name_gt»: null")],
  ["portable/null-filter", WHERE("«name_in»: null")],
  ["portable/null-filter", WHERE("«name_contains»: null")],
  ["portable/null-filter", WHERE("«home_»: null")],
  ["portable/null-filter", WHERE("«or»: null")],
  ["portable/null-filter", WHERE("or: [«null»]")],
  ["portable/empty-not-in", WHERE("name_not_in: $n", "($n: [String!] = «[]»)")],
  ["portable/pattern", WHERE('name_ends_with: «"a\\\\"»')],
  ["portable/pattern", WHERE('name_contains: «"%a\\\\"»')],
  ["portable/pattern", WHERE("name_ends_with: $q", '($q: String! = «"a\\\\"»)')],
  ["portable/pattern", WHERE('«captain_starts_with»: "0xab"')],
  ["portable/pattern", WHERE('«captain_contains_nocase»: "0xab"')],
  ["portable/bad-number", WHERE('tonnage: «"7.5"»')],
  ["portable/bad-number", WHERE("tonnage: «7.5»")],
  ["portable/bad-number", WHERE('tonnage_in: [«" 7"»]')],
  ["portable/bad-number", WHERE("tonnage: «9223372036854775808»")],
  ["portable/bad-number", WHERE("tonnage: «true»")],
  ["portable/bad-number", WHERE('price: «"NaN"»')],
  ["portable/bad-number", WHERE("price: «1e0»")],
  ["portable/bad-number", WHERE('cargo_contains: [«"1e1"»]')],
  ["portable/bad-number", WHERE("tonnage: $t", '($t: BigInt = «"7_0"»)')],
  ["portable/bad-number", "query Q { ship(id: «9223372036854775808») { chainId } }"],
  ["portable/list-filter", WHERE('«tags_contains_nocase»: ["a"]')],
  ["portable/list-filter", WHERE("«tags_not_contains»: $t", "($t: [String!]!)")],
  ["portable/list-filter", WHERE('«tags»: "a"')],
  ["portable/list-filter", WHERE('«name_in»: "a"')],
  ["portable/list-filter", WHERE("«and»: {}")],
  ["portable/list-filter", 'query Q { boxes(where: { «parts»: ["a"] }) { id } }', OTHER],
  ["portable/change-block", WHERE("«_change_block»: { number_gte: 1 }")],
  ["portable/id-form", WHERE('«home_starts_with»: "a"'), UNLIKE_IDS],
  ["portable/bad-bytes", WHERE('hull: «"0xabc"»')],
  ["portable/bad-bytes", WHERE('hull_in: [«"0xzz"»]')],
  ["portable/bad-bytes", WHERE('captain: «"0X12"»')],
  ["portable/bad-bytes", WHERE('hull_contains: «" ab"»')],
  ["portable/bad-bytes", 'query Q { captain(id: «"abc"») { chainId } }'],
  ["portable/nullable-variable", WHERE("last_: { id: «$n» }", "($n: ID = null)"), UNLIKE_IDS],
  ["portable/nullable-variable", WHERE("home: «$p»", "($p: String)"), UNLIKE_IDS],
  [
    "portable/nullable-variable",
    "query Q($n: String) { ports(orderBy: name) { ...F } } fragment F on Port { ships(where: { home: «$n» }) { id } }",
    UNLIKE_IDS,
  ],
  ["portable/variable-type", "query Q($n: Int8!) { boxes(where: { wide: «$n» }) { id } }", OTHER],
  ["portable/variable-type", WHERE("name_in: $n", '($n: [String!] = «"a"»)')],
  ["portable/unused-variable", SHIPS("", "(«$n»: Int)")],
  [
    "portable/reserved-name",
    "query Q(«$block»: Int) { ports(first: $block) { id } ...F } fragment F on Query { ships { id } }",
  ],
  [
    "portable/reserved-name",
    "query Q(«$block»: Int!) { ports(block: { number: $block }) { id } ...F } fragment F on Query { ships { id } }",
  ],
  ["portable/reserved-name", WHERE("chainId_in: $chainIds", "(«$chainIds»: [BigInt!]!)")],
  ["portable/reserved-name", SHIPS("(first: $chainIdsInt)", "(«$chainIdsInt»: Int)")],
  ["portable/reserved-name", "query Q { «lockflow»: ships { id } }"],
  ["portable/reserved-name", "query Q { «_meta»: ships { id } }"],
  ["portable/directive", "query Q «@cached»(ttl: 5) { ships { id } }"],
  ["portable/directive", "query Q { ships { id name «@defer» } }"],
  ["portable/directive", "query Q($x: Boolean!) { ships { id name @skip(if: $x) «@skip»(if: $x) } }"],
  ["portable/directive", "query Q($x: Int «@old») { ships(first: $x) { id } }"],
  ["portable/all-conditional", "«query» Q($x: Boolean!) { ships @skip(if: $x) { id } }"],
  ["portable/all-conditional", "query Q($x: Boolean!) { «ships» { id @skip(if: $x) } }"],
  [
    "portable/all-conditional",
    "query Q($x: Boolean!) { ships { id «home» { ...F @include(if: $x) } } } fragment F on Port { id }",
  ],
  ["portable/all-conditional", "query Q { «ships» { id @include(if: false) } }"],
  [
    "portable/all-conditional",
    "query Q($x: Boolean!, $y: Boolean!) { ships { id «home» @include(if: $x) { id } home @include(if: $y) { name @skip(if: $x) } } }",
  ],
  ["portable/no-chain-path", "query Q { «lonelies» { id } }"],
  ["portable/no-chain-path", "query Q { «pages» { id } }"],
  ["portable/ambiguous-field", WHERE("«amount_in»: 1")],
  ["portable/ambiguous-field", WHERE("«amount_in_gt»: 1")],
  ["portable/operation", "«subscription» Q { ships { id } }"],
  ["portable/unscoped-lookup", 'query Q { «ship»(id: "a") { id } }'],
  ["portable/internal", SHIPS("").replace("ships", "«ships»"), withoutLimit(CONTEXT)],
];

describe("an operation that is not portable", () => {
  const cases = CASES.map(([code, marked, context = CONTEXT]) => ({ code, marked, context }));

  it.each(cases)("is rejected with the place of the cause: $code $marked", ({ code, marked, context }) => {
    const { findings, operations } = compileText(marked.replace(/[«»]/g, ""), context);
    const column = marked.indexOf("«") + 1;
    const found = findings.map(
      (finding) => `${finding.code} ${finding.place?.line}:${finding.place?.column}`,
    );
    const isInfo = PORTABLE[code].severity === "cosmetic";
    expect(found.filter((one) => isInfo || !one.startsWith("portable/unscoped-lookup"))).toEqual([
      `${code} 1:${column}`,
    ]);
    expect(operations).toHaveLength(isInfo ? 1 : 0);
    const [{ message, fix, severity, subject } = { message: "", fix: null, severity: "", subject: "" }] =
      findings;
    expect(message).toMatch(/^\S.*\.$/s);
    expect(fix).toMatch(/^\S/);
    expect([severity, subject]).toEqual([PORTABLE[code].severity, expect.stringMatching(/^[QF]$/)]);
  });

  it("has a case and an explanation for each code", () => {
    const codes = Object.keys(PORTABLE).sort();
    expect([...new Set(CASES.map(([code]) => code))].sort()).toEqual(codes);
    const explained = [...readExplanations().keys()].filter((code) => code.startsWith("portable/"));
    expect(explained.sort()).toEqual(codes);
  });

  it("has all findings at once, sorted by place, including places in fragments", () => {
    const text = [
      "query Q($n: String) {",
      "  ships(first: 0, orderBy: mood, where: { name_gt: null }) { launched ...F }",
      "}",
      "fragment F on Ship { a: launched }",
    ].join("\n");
    const { findings } = compileText(text, CONTEXT);
    expect(
      findings.map(({ code, place, subject }) => `${code} ${place?.line}:${place?.column} ${subject}`),
    ).toEqual([
      "portable/unused-variable 1:9 Q",
      "portable/first-range 2:16 Q",
      "portable/order 2:28 Q",
      "portable/null-filter 2:43 Q",
      "portable/scalar 2:62 Q",
      "portable/scalar 4:22 F",
    ]);
  });

  it("has a fix with the rewritten filter if filters are mixed", () => {
    const { findings } = compileText(WHERE('name: "a", decks: 1, or: [{ decks: 2 }]'), CONTEXT);
    expect(findings[0]?.fix).toBe('write { and: [{ name: "a", decks: 1 }, { or: [{decks: 2}] }] }');
  });

  it("has only operation/invalid findings if it is invalid against the snapshot", () => {
    const { findings, operations } = compileText(
      "query Q { ships(where: { nope: 1 }) { id nope } }",
      CONTEXT,
    );
    expect([operations, findings.map(({ code }) => code)]).toEqual([
      [],
      ["operation/invalid", "operation/invalid"],
    ]);
  });

  it("has one finding for a variable of a wrong type, however often it is used", () => {
    const { findings } = compileText(
      "query Q($n: Int!) { ships(where: { name: $n, motto: $n }) { id } }",
      CONTEXT,
    );
    expect(findings.map(({ code, place }) => [code, place?.column])).toEqual([["operation/invalid", 9]]);
  });

  it("has a finding per operation if the cause is in a shared fragment", () => {
    const { findings, operations } = compileText(
      "query A($n: String) { ports(orderBy: name) { ...F } } query B($n: String) { ports(orderBy: name) { ...F } } fragment F on Port { ships(where: { home: $n }) { id } }",
      UNLIKE_IDS,
    );
    expect([operations, findings.map(({ code, subject }) => `${code} ${subject}`)]).toEqual([
      [],
      ["portable/nullable-variable A", "portable/nullable-variable B"],
    ]);
  });

  it("has one finding per unknown fragment or field, and none that follow from it", () => {
    const { findings } = compileText("query Q { ships { ...Nope } ports { id ships } }", CONTEXT);
    expect(findings.map(({ code }) => code)).toEqual(["operation/invalid", "operation/invalid"]);
  });

  it("is rejected if its fragments are circular", () => {
    const text =
      "query Q { ships { ...F } } fragment F on Ship { id mother { ...G } } fragment G on Ship { daughters { id ...F } }";
    const { findings, operations } = compileText(text, CONTEXT);
    expect([operations, findings.map(({ code }) => code)]).toEqual([[], ["operation/invalid"]]);
  });

  it("does not prevent other operations from being compiled", () => {
    const { operations } = compileText("query A { ships { launched } } query B { ships { id } }", CONTEXT);
    expect(operations.map(({ name }) => name)).toEqual(["B"]);
  });
});

/** A multichain schema without an argument that every release has, so that compiled operations are invalid. */
function withoutLimit({ definition, schemas }: PortableContext): PortableContext {
  const { subgraph } = schemas;
  const { multichain } = contextOf(SCHEMA, { multichain: { release: "3.8" } }).schemas;
  const query = multichain.graphql.getQueryType()?.getFields();
  const root = query?.["Ship"];
  if (root !== undefined) root.args = root.args.filter(({ name }) => name !== "limit");
  return { definition, schemas: { multichain, subgraph } };
}
