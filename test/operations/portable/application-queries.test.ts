import { describe, expect, it } from "vitest";
import { mapVariables } from "../../../packages/client/src/variables/map-variables.ts";
import { readNumbers } from "../../../packages/client/src/variables/read-numbers.ts";
import type { AnyPortableOperation } from "../../../src/generate/portable/portable-operation.ts";
import { buildPortableOperation } from "../../../src/generate/portable/portable-operation.ts";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { compileOne, compileText, contextOf, textOf } from "./compile-text.ts";
import { rowsOn } from "./rows.ts";
import { SCHEMA } from "./schema.ts";

const CONTEXT = contextOf(SCHEMA, {
  multichain: { release: "3.8" },
  subgraph: { release: "0.45" },
  chainPath: { Page: "logs" },
});

const { subgraph, multichain } = serveBoth(SCHEMA, rowsOn([1]));

type Variables = Readonly<Record<string, unknown>>;

function build(text: string): AnyPortableOperation {
  return buildPortableOperation(compileOne(text, CONTEXT), CONTEXT, {});
}

/** The answers of both styles to an operation, as the client reads them. */
function ask(text: string, given: Variables = {}): readonly [subgraph: unknown, multichain: unknown] {
  const operation = build(text);
  const read = ({ data, errors }: ReturnType<typeof subgraph>) => {
    const odd = data === undefined ? null : operation.normalize?.(data);
    return errors ?? odd ?? data;
  };
  const variables = (style: "subgraph" | "multichain") => mapVariables(operation, style, given, [1]);
  return [
    read(subgraph({ query: operation.subgraph, variables: variables("subgraph") })),
    read(multichain({ query: operation.multichain, variables: variables("multichain") })),
  ];
}

describe("the block of an operation", () => {
  const parts = (text: string) => {
    const compiled = compileOne(text, CONTEXT);
    const { at, pinned = false } = buildPortableOperation(compiled, CONTEXT, {});
    return { text: textOf(compiled, "subgraph"), at, pinned };
  };

  const ADDED = "query Q($block: Block_height) { ships(block: $block) { id } }";

  it.each<[text: string, at: string | undefined, subgraph?: string]>([
    ["query Q { ships { id } }", undefined, ADDED],
    ["query Q { ships(block: null) { id } }", undefined, ADDED],
    [ADDED, undefined],
    ["query Q($at: Block_height) { ships(block: $at) { id } ports(block: $at) { id } }", "$at"],
    ["query Q($at: Block_height!) { ...F } fragment F on Query { ships(block: $at) { id } }", "$at"],
    [
      "query Q($block: Int!) { ships(where: { decks: $block }) { id } }",
      "$block_",
      "query Q($block: Int!, $block_: Block_height) { ships(where: { decks: $block }, block: $block_) { id } }",
    ],
  ])("is an optional variable: %s", (text, at, subgraph = text) => {
    expect(parts(text)).toEqual({ text: subgraph, at, pinned: false });
  });

  it.each<[text: string, at: string | undefined, subgraph?: string]>([
    ["query Q { ships(block: { number: 1 }) { id } }", "{number: 1}"],
    [
      "query Q($block: Int!) { ships(block: { number: $block }) { id } ports(block: { number: $block }) { id } }",
      "{number: $block}",
    ],
    ["query Q($block: Block_height = { number: 1 }) { ships(block: $block) { id } }", undefined],
    ["query Q($a: Block_height, $b: Block_height) { ships(block: $a) { id } ports(block: $b) { id } }", ""],
    ["query Q { ships { id } before: ships(block: { number: 1 }) { id } }", ""],
    [
      "query Q { ...F ships(block: { number: 1 }) { id } } fragment F on Query { ports { id } }",
      "",
      "query Q($block: Block_height) { ...F ships(block: { number: 1 }) { id } } fragment F on Query { ports(block: $block) { id } }",
    ],
  ])("is part of the text, which only subgraphs support: %s", (text, at, subgraph = text) => {
    expect(parts(text)).toEqual({ text: subgraph, at, pinned: true });
    const given = text.includes("Int!") ? { block: 1 } : {};
    expect(() => mapVariables(build(text), "multichain", given, [1])).toThrow("requests a past block");
  });

  it.each([
    [{ number: 5 }, { number: 5 }],
    [{ number_gte: 0 }, { number_gte: 0 }],
    [{ hash: `0x${"AB".repeat(32)}`, number: undefined }, { hash: `0x${"ab".repeat(32)}` }],
    [null, undefined],
    [{}, null],
    [{ number: -1 }, null],
    [{ number: 1.5 }, null],
    [{ number: "5" }, null],
    [{ number: 5, hash: `0x${"ab".repeat(32)}` }, null],
    [{ hash: "0xab" }, null],
    [{ hash: { toString: () => `0x${"ab".repeat(32)}` } }, null],
    [{ constructor: 1 }, null],
    [5, null],
    [[{ number: 5 }], null],
  ])("is read from a variable or rejected: %j", (block, sent) => {
    const operation = build("query Q($block: Block_height) { ships(block: $block) { id } }");
    const map = (style: "subgraph" | "multichain") => mapVariables(operation, style, { block }, [1]);
    if (sent === null) expect(() => map("subgraph")).toThrow("block must be a block");
    else expect(map("subgraph")).toEqual(sent === undefined ? {} : { block: sent });
    if (sent) expect(() => map("multichain")).toThrow("requests a past block");
  });
});

describe("a selection or argument that only subgraphs support", () => {
  it("is not in the multichain text", () => {
    const operation = compileOne(
      "query Q($p: _SubgraphErrorPolicy_!, $unused: Int) { ships(subgraphError: $p, first: 1) { id } _meta { ...M } } fragment M on _Meta_ { block { number } }",
      CONTEXT,
    );
    expect(textOf(operation, "subgraph")).toBe(
      "query Q($p: _SubgraphErrorPolicy_!, $block: Block_height) { ships(subgraphError: $p, first: 1, block: $block) { id } }",
    );
    expect(textOf(operation, "multichain")).toBe(
      "query Q($chainIds: [numeric!]!) { ships: Ship(where: { chainId: { _in: $chainIds } }, order_by: [{ id: asc }], limit: 1) { id } }",
    );
    const built = buildPortableOperation(operation, CONTEXT, {});
    expect(mapVariables(built, "multichain", { p: "deny", unused: 1 }, [1])).toEqual({ chainIds: ["1"] });
    expect(mapVariables(built, "subgraph", { p: "deny" }, [1])).toEqual({ p: "deny" });
    expect(built.roots).toEqual(["ships"]);
  });

  it("is removed with its enclosing fragments", () => {
    const text = "query Q { ... on Query { _meta { deployment } } ships { id } a: _meta { block { hash } } }";
    expect(textOf(compileOne(text, CONTEXT), "subgraph")).toBe(
      "query Q($block: Block_height) { ships(block: $block) { id } }",
    );
    const { findings } = compileText(text, CONTEXT);
    expect(findings.map(({ code }) => code)).toEqual(["portable/progress"]);
  });
});

describe("numbers", () => {
  it("have the same form in both styles, also in lists of older releases", () => {
    const schema = `
      type Ship @entity {
        id: ID! chainId: BigInt! price: BigDecimal! last: BigDecimal cargo: [BigInt!]! fees: [BigDecimal!]!
        home: Ship fleet: [Ship!]! @derivedFrom(field: "home")
      }
    `;
    const row = {
      chainId: "1",
      price: "1.50",
      last: null,
      cargo: ["7", "-3"],
      fees: ["1.50", "1e3", "-0.0"],
    };
    const rows = new Map([
      [
        "Ship",
        [
          { ...row, id: "a", home: null },
          { ...row, id: "b", home: "a", price: "0.00", last: "100" },
        ],
      ],
    ]);
    const text =
      "query Q { ships { id price last cargo fleet { p: price } ...F } } fragment F on Ship { home { price } }";
    const want = { price: "1.5", last: null, cargo: ["7", "-3"] };
    for (const release of ["2.29", "3.8"]) {
      const context = contextOf(schema, { multichain: { release } });
      const fees = release === "3.8" ? text.replace("cargo", "cargo fees") : text;
      const operation = buildPortableOperation(compileOne(fees, context), context, {});
      const both = serveBoth(schema, rows, {}, { multichain: release });
      for (const style of ["subgraph", "multichain"] as const) {
        const variables = mapVariables(operation, style, {}, [1]);
        const { data } = both[style]({ query: operation[style], variables });
        expect(operation.normalize?.(data ?? {})).toBe(null);
        const listed = release === "3.8" ? { fees: ["1.5", "1000", "0"] } : {};
        expect(data).toEqual({
          ships: [
            { id: "a", ...want, ...listed, fleet: [{ p: "0" }], home: null },
            { id: "b", ...want, ...listed, price: "0", last: "100", fleet: [], home: { price: "1.5" } },
          ],
        });
      }
    }
  });

  it.each([
    [`${"1".repeat(34)}000`, true],
    [`0.000${"1".repeat(34)}`, true],
    [`${"1".repeat(20)}.${"1".repeat(14)}e5`, true],
    [`1${"0".repeat(40)}`, true],
    ["1".repeat(35), false],
    [`-0.1${"0".repeat(33)}1`, false],
    [`${"1".repeat(20)}.${"1".repeat(15)}`, false],
  ])("are rejected in filters if subgraphs would round them: %s", (value, isTaken) => {
    const literal = compileText(`query Q { ships(where: { price: "${value}" }) { id } }`, CONTEXT);
    expect(literal.operations).toHaveLength(isTaken ? 1 : 0);
    const variable = build("query Q($v: BigDecimal!) { ships(where: { price: $v }) { id } }");
    const map = () => mapVariables(variable, "multichain", { v: value }, [1]);
    if (isTaken) expect(map()).toMatchObject({ v: value });
    else expect(map).toThrow("v must be a decimal number of at most 34 digits");
  });

  it.each([
    [{ a: [{ n: [2 ** 53] }] }, "an invalid number for a.n: 9007199254740992"],
    [{ a: [{ n: [0.1] }] }, "an invalid number for a.n: 0.1"],
    [{ a: { n: "NaN" } }, "an invalid number for a.n: NaN"],
    [{ a: { n: "1e99999" } }, "an invalid number for a.n: 1e99999"],
    [{ a: { n: { toString: null } } }, "an invalid number for a.n: an object"],
    [{ a: "text" }, null],
    [{}, null],
  ])("are rejected if they are invalid or may have lost digits: %j", (data, problem) => {
    expect(readNumbers(data, ["a.n"])).toBe(problem);
  });
});

describe("a nullable variable", () => {
  const SHIPS = (where: string, declared: string) =>
    `query Q(${declared}) { ships(first: 1000, where: { ${where} }) { id } }`;

  it.each<[where: string, declared: string, ...given: Variables[]]>([
    ["name: $v", "$v: String", {}, { v: null }, { v: "a" }],
    ["name_not: $v", "$v: String", {}, { v: "a" }],
    ["name: $v, name_not: $w", "$v: String, $w: String", { v: "a" }, { w: "b" }, {}],
    ["motto: $v", "$v: String", {}, { v: "a" }],
    ["debt: $v", "$v: BigInt = null", {}, { v: 3n }],
    ["price_not: $v", "$v: BigDecimal", {}, { v: "1.50" }],
    ["flag: $v, hull_not: $v", "$v: Bytes", {}, { v: "0xABCD" }],
    ["before: $v", "$v: Mood", {}, { v: "CALM" }],
    ["insured: $v", "$v: Boolean", {}, { v: true }],
    ["aliases: $v", "$v: [String!]", {}, { v: [] }, { v: ["a"] }],
    ["captain: $v, home_not: $w", "$v: String, $w: String", {}, { v: "0xAB00010001" }],
    ["last_: { name: $v }", "$v: String", { v: "a" }, {}],
    ["or: [{ name: $v }, { name_not: $v }]", "$v: String", {}, { v: "a" }],
  ])("is compared with null if its value is null: %s", (where, declared, ...given) => {
    for (const variables of given) {
      const [left, right] = ask(SHIPS(where, declared), variables);
      expect(right).toEqual(left);
      expect(left).toHaveProperty("ships");
    }
  });

  it.each([
    ["name_gt: $v", "$v: String"],
    ["name_in: $v", "$v: [String!]"],
    ["name_in: [$v]", "$v: String"],
    ["tags: [$v]", "$v: String"],
    ["name_not_in: $v", "$v: [String!]"],
    ["name_contains: $v", "$v: String"],
    ["name_not_starts_with_nocase: $v", "$v: String"],
    ["hull_contains: $v", "$v: Bytes"],
    ["tags_contains: $v", "$v: [String!]"],
    ["and: $v", "$v: [Ship_filter]"],
    ["or: [$v]", "$v: Ship_filter"],
    ["home_: $v", "$v: Port_filter"],
    ["name: $v, name_lt: $v", "$v: String"],
  ])("is required if subgraphs fail without it: %s", (where, declared) => {
    const text = SHIPS(where, declared);
    expect(() => ask(text)).toThrow("v must be");
    // The authored text fails on a subgraph.
    expect(subgraph({ query: text, variables: {} }).errors).toHaveLength(1);
  });

  it("is accepted in a fragment, however the operations declare it", () => {
    const fragment = "fragment F on Port { ships(first: 1000, where: { name: $v }) { id } }";
    for (const [declared, given] of [
      ["String!", { v: "a" }],
      ["String", {}],
      ['String = "a"', {}],
    ] as const) {
      const [left, right] = ask(`query Q($v: ${declared}) { ports { id ...F } } ${fragment}`, given);
      expect(right).toEqual(left);
      expect(left).toHaveProperty("ports");
    }
  });
});

describe("a variable that is declared with another scalar", () => {
  it.each<[text: string, type: string, given: unknown, ...others: unknown[]]>([
    ["query Q($v: String!) { ship(id: $v) { id chainId } }", "ID!", "ship-1-3", "nothing"],
    ["query Q($v: ID) { captain(id: $v) { id chainId } }", "ID!", "0xAB00010001"],
    ["query Q($v: [ID]!) { ships(where: { id_in: $v }) { id } }", "[String!]!", ["ship-1-3"]],
    ["query Q($v: ID) { ships(where: { home: $v }) { id } }", "String", "port-1-0", undefined],
    ["query Q($v: String!) { ships(where: { hull: $v }) { id } }", "Bytes!", "0xABCD"],
    ["query Q($v: [String]!) { ships(where: { hull_in: $v }) { id } }", "[Bytes!]!", ["0xabcd"], []],
    ["query Q($v: Int!) { ships(where: { tonnage_gt: $v }) { id } }", "BigInt!", 5, -1],
    ["query Q($v: String!) { ships(where: { tonnage: $v }) { id } }", "BigInt!", "18446744073709551616", "5"],
    ["query Q($v: Float!) { ships(where: { price_lt: $v }) { id } }", "BigDecimal!", 1.5, 2],
    [
      'query Q($v: String = "desc") { ships(orderBy: decks, orderDirection: $v) { id } }',
      "OrderDirection",
      undefined,
      "asc",
    ],
    ["query Q($v: String) { ships(orderBy: $v) { id } }", "Ship_orderBy", "tonnage", undefined],
    ["query Q($v: [String!]!) { ships(where: { mood_in: $v }) { id } }", "[Mood!]!", ["CALM", "WILD"]],
  ])("gets the type of its places: %s", (text, type, ...given) => {
    const { variables } = compileOne(text, CONTEXT);
    expect(variables[0]?.type).toBe(type);
    for (const v of given) {
      const variables = v === undefined ? {} : { v };
      const [left, right] = ask(text, variables);
      expect(right).toEqual(left);
      // The authored text on a subgraph without validation.
      expect(left).toEqual(subgraph({ query: text, variables }).data);
    }
  });

  it.each([
    "query Q($v: BigInt!) { ships(where: { decks: $v }) { id } }",
    "query Q($v: String!) { ships(first: $v) { id } }",
    "query Q($v: String!) { ships(where: { afloat: $v }) { id } }",
    "query Q($v: String!) { ships(where: { name_in: $v }) { id } }",
    "query Q($v: [String!]!) { ship(id: $v) { id } }",
    "query Q($v: String!) { ship(id: $v) { id } ships(where: { name: $v, home: $v }) { id } }",
  ])("is rejected if subgraphs would not convert its values: %s", (text) => {
    const { operations, findings } = compileText(text, CONTEXT);
    expect(operations).toEqual([]);
    expect(findings.some(({ code }) => code === "operation/invalid")).toBe(true);
  });
});
