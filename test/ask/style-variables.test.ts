import { parse, print } from "graphql";
import { expect, it } from "vitest";
import { mapVariables } from "../../packages/client/src/variables/map-variables.ts";
import { buildStyleOperation } from "../../src/ask/find-in-surface.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const ADDRESS = "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac";

/** A value of each kind of type that an operation of a style can declare a variable of. */
const VALUES: readonly (readonly [types: string, value: unknown])[] = [
  ["ID Bytes String timestamptz StreamCategory Stream_orderBy OrderDirection", ADDRESS],
  ["Boolean", false],
  ["Int Int8 Timestamp", 9_007_199_254_740_991],
  ["Float float8", 1e-7],
  ["BigInt numeric BigDecimal", "123456789012345678901234567890.5"],
  ["jsonb", { a: [1] }],
  ["[ID!] [Bytes!] [BigInt!] [StreamCategory!]", ["1", "2"]],
  ["Stream_filter Stream_bool_exp", { id: { _eq: "a" } }],
  ["[Stream_filter!] [Stream_order_by!]", [{ id: "asc" }]],
];
const CASES = VALUES.flatMap(([types, value]) =>
  types
    .split(" ")
    .flatMap((type) => [`${type}!`, type, `${type} = null`].map((one) => [one, value] as const)),
);

const PAGE = {
  ...({ key: "rows", column: "serial", after: "after", first: "first" } as const),
  ...({ direction: "asc", afterType: "BigInt" } as const),
};

it.each(
  (["multichain", "subgraph"] as const).flatMap((style) => [[style, null] as const, [style, PAGE] as const]),
)("a variable of an operation in %s style is sent unchanged, with pages %j", (style, page) => {
  for (const [type, value] of CASES) {
    const pages = page === null ? "" : ", $first: Int!, $after: BigInt! = 0";
    const text = `query Q($v: ${type}${pages}) { rows(a: $v) { id } }`;
    const [node] = parse(text).definitions;
    if (node?.kind !== "OperationDefinition") throw new TypeError(text);
    const ofPages = page === null ? {} : { first: 10, after: "5" };
    const source = { name: "Q", protocol: "p", style, node, fragments: [], not: {}, page };
    const send = (given: Readonly<Record<string, unknown>>) => {
      const built = buildStyleOperation(source, { ...given, ...ofPages });
      expect(built.operation[style]).toContain(print(node));
      return mapVariables(built.operation, style, built.given as never, ["1"]);
    };
    expect([type, send({ v: value })]).toEqual([type, { v: value, ...ofPages }]);
    expect([type, send({})]).toEqual([type, ofPages]);
  }
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
    const ask = async (...args: string[]) => {
      const all = ["ask", "Paged", ...given, ...args, "--format", "json"];
      const { code, out, err } = await run(project.root, all, { stopped: new Promise(() => {}) });
      expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
      return JSON.parse(out) as readonly unknown[];
    };
    const some = await ask();
    const all = await ask("--pages");
    expect(some.length).toBeGreaterThan(0);
    expect(all.slice(0, some.length)).toEqual(some);
  },
);
