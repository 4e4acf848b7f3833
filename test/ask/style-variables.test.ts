import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { mapVariables } from "../../packages/client/src/variables/map-variables.ts";
import { buildStyleOperation } from "../../src/ask/find-in-surface.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const ADDRESS = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";

/** A value of each kind of type that an operation of a style can declare a variable of. */
const VALUES: readonly (readonly [type: string, value: unknown])[] = [
  ["ID", "a-1"],
  ["String", "a"],
  ["Bytes", ADDRESS],
  ["Boolean", false],
  ["Int", 7],
  ["Int8", 9_007_199_254_740_991],
  ["Float", 0.5],
  ["float8", 1e-7],
  ["BigInt", "123456789012345678901234567890"],
  ["numeric", "12"],
  ["BigDecimal", "1.5"],
  ["Timestamp", 1_700_000_000_000_000],
  ["timestamptz", "2025-01-01T00:00:00Z"],
  ["jsonb", { a: [1] }],
  ["StreamCategory", "LockupLinear"],
  ["Stream_orderBy", "id"],
  ["OrderDirection", "desc"],
  ["[ID!]", ["a", "b"]],
  ["[Bytes!]", [ADDRESS]],
  ["[BigInt!]", ["1", "2"]],
  ["[StreamCategory!]", ["LockupLinear"]],
  ["Stream_filter", { id: "a" }],
  ["[Stream_filter!]", [{ id: "a" }]],
  ["Stream_bool_exp", { id: { _eq: "a" } }],
  ["[Stream_order_by!]", [{ id: "asc" }]],
];

const PAGE = {
  key: "rows",
  column: "serial",
  after: "after",
  first: "first",
  direction: "asc",
  afterType: "BigInt",
} as const;

describe.each<StyleName>(["multichain", "subgraph"])("a variable of an operation in %s style", (style) => {
  describe.each([
    ["without pages", null],
    ["with pages", PAGE],
  ])("%s", (_, page) => {
    const cases = VALUES.flatMap(([type, value]) => [
      [`${type}!`, value] as const,
      [type, value] as const,
      [`${type} = null`, value] as const,
    ]);
    it.each(cases)("is sent unchanged: %s", (type, value) => {
      const pages = page === null ? "" : ", $first: Int!, $after: BigInt! = 0";
      const text = `query Q($v: ${type}${pages}) { rows(a: $v) { id } }`;
      const [node] = parse(text).definitions;
      if (node?.kind !== "OperationDefinition") throw new TypeError(text);
      const source = { name: "Q", protocol: "p", style, text, roots: ["rows"], not: {}, page };
      const build = (variables: Readonly<Record<string, unknown>>) => {
        const own = { ...variables, ...(page !== null && { first: 10, after: "5" }) };
        const { operation, given } = buildStyleOperation(
          { ...source, variables: node.variableDefinitions ?? [] },
          own,
        );
        expect(operation[style]).toContain(text);
        return mapVariables(operation, style, given as never, ["1"]);
      };
      const ofPages = page === null ? {} : { first: 10, after: "5" };
      expect(build({ v: value })).toEqual({ v: value, ...ofPages });
      expect(build({})).toEqual(ofPages);
    });
  });
});

it.runIf(IS_THOROUGH).each([
  [
    "subgraph",
    "streams(where: { sender_not: $s, category_in: $c, subgraphId_gt: $after }, first: $first, orderBy: subgraphId)",
    "$s: Bytes!, $c: [StreamCategory!]!, $after: BigInt! = 0",
  ],
  [
    "multichain",
    "Stream(where: { sender: { _neq: $s }, category: { _in: $c }, chainId: { _in: $chainIds }, subgraphId: { _gt: $after } }, limit: $first, order_by: [{ subgraphId: asc }])",
    "$s: String!, $c: [streamcategory!]!, $chainIds: [numeric!]!, $after: numeric! = 0",
  ],
])(
  "an operation in %s style is sent with its required variables, with and without --pages",
  async (style, root, declared) => {
    const project = tempProject({
      "lockflow.config.json": '{ "protocols": ["lockup"] }',
      [`operations/lockup/${style}/paged.graphql`]: `query Paged(${declared}, $first: Int!) { rows: ${root} { id chainId subgraphId } }`,
    });
    const schemas = "generated/schemas/lockup";
    copyFromRepository(project.root, schemas);
    const ask = async (...args: string[]) => {
      const given = [
        "--chain",
        "base",
        "--var",
        `s=${ADDRESS}`,
        "--var",
        "c=LockupLinear",
        "--var",
        "first=40",
      ];
      const { code, out, err } = await run(
        project.root,
        ["ask", "Paged", ...given, ...args, "--format", "json"],
        {
          stopped: new Promise(() => {}),
        },
      );
      expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
      return JSON.parse(out) as readonly unknown[];
    };
    const some = await ask();
    const all = await ask("--pages");
    expect(some.length).toBeGreaterThan(0);
    expect(all.slice(0, some.length)).toEqual(some);
  },
);
