import { describe, expect, it } from "vitest";
import type { Row } from "../../../emulator/styles/read-view.ts";
import { mapVariables } from "../../../packages/client/src/variables/map-variables.ts";
import { STYLE_NAMES } from "../../../src/dialects/surface.ts";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { bothForms, nameOf, requestOf } from "./both-forms.ts";
import { type ContextOptions, compileText } from "./compile-text.ts";

const SCHEMA = `
  type Token @entity { id: Bytes! chainId: BigInt! symbol: String! pools: [Pool!]! @derivedFrom(field: "token0") }
  type Pool @entity { id: ID! chainId: BigInt! token0: Token! token1: Token fee: BigInt! factory: Factory! swaps: [Swap!]! @derivedFrom(field: "pool") }
  type Factory @entity { id: ID! chainId: BigInt! count: BigInt! }
  type Swap @entity { id: String! chainId: BigInt! pool: Pool! hash: Bytes! index: BigInt! }
  type Note @entity { id: ID! chainId: BigInt! text: String! token: Token }
`;

const CONTEXT: ContextOptions = {
  ids: {
    Token: { subgraph: "{address}", multichain: "{chainId}-{address}" },
    Pool: { subgraph: "pool-{number}", multichain: "{number}@{chainId}" },
    Factory: { subgraph: "1", multichain: "factory_{chainId}" },
    Swap: { subgraph: "{hash}#{index}", multichain: "{chainId}_{hash}_{index}" },
  },
};

const CHAINS = [1, 8453];
const ADDRESSES = ["0xab01", "0xab02", "0xcd03", "0x0004"];
/** The same ids on every chain, except one that is only on chain 1. */
const TOKENS = (chain: number) => (chain === 1 ? ADDRESSES : ADDRESSES.slice(0, 3));

type Write = { readonly token: (id: string) => string } & Readonly<
  Record<"pool" | "factory" | "swap", (...parts: readonly string[]) => string>
>;

const SUBGRAPH: Write = {
  token: (id) => id,
  pool: (number) => `pool-${number}`,
  factory: () => "1",
  swap: (hash, index) => `${hash}#${index}`,
};
const multichain = (chain: number): Write => ({
  token: (id) => `${chain}-${id}`,
  pool: (number) => `${number}@${chain}`,
  factory: () => `factory_${chain}`,
  swap: (hash, index) => `${chain}_${hash}_${index}`,
});

function rowsOf(chain: number, write: Write): [string, Row[]][] {
  const chainId = String(chain);
  const tokens = TOKENS(chain);
  return [
    [
      "Token",
      tokens.map((id, at) => ({ id: write.token(id), chainId, symbol: ["DAI", "USDC"][at % 2] ?? "" })),
    ],
    [
      "Pool",
      [1, 2, 10, 11].map((number, at) => ({
        id: write.pool(String(number)),
        chainId,
        fee: String(at),
        factory: write.factory(),
        token0: write.token(tokens[at % 2] ?? ""),
        token1: at === 0 ? null : write.token(tokens[2] ?? ""),
      })),
    ],
    ["Factory", [{ id: write.factory(), chainId, count: "4" }]],
    [
      "Swap",
      [0, 1, 2].map((index) => ({
        id: write.swap("0xee", String(index)),
        chainId,
        hash: "0xee",
        index: String(index),
        pool: write.pool("10"),
      })),
    ],
    ["Note", [{ id: `note-${chain}`, chainId, text: "0xab01", token: write.token("0xab01") }]],
  ];
}

function joinRows(of: readonly [string, Row[]][][]): Map<string, Row[]> {
  const tables = new Map<string, Row[]>();
  for (const [entity, rows] of of.flat()) tables.set(entity, [...(tables.get(entity) ?? []), ...rows]);
  return tables;
}

const ALL = serveBoth(SCHEMA, joinRows(CHAINS.map((chain) => rowsOf(chain, multichain(chain))))).multichain;
const EACH = CHAINS.map((chain) => ({
  chain,
  ask: serveBoth(SCHEMA, joinRows([rowsOf(chain, SUBGRAPH)])).subgraph,
}));

type Given = Readonly<Record<string, unknown>>;

const A = "0xab01";
/** Every place where an id can be used. */
const OPERATIONS: readonly (readonly [text: string, ...given: Given[]])[] = [
  [
    "query Lookup($id: ID!) { token(id: $id) { id chainId symbol } }",
    { id: A },
    { id: "0xAB02" },
    { id: "0xff" },
  ],
  ['query LookupFixed { token(id: "0xAB01") { id symbol } factory(id: "1") { id count } }', {}],
  ['query LookupDefault($id: ID! = "0xAB01") { token(id: $id) { id } }', {}, { id: "0xcd03" }],
  [
    "query LookupOther($id: ID!) { pool(id: $id) { id fee factory { id } } }",
    { id: "pool-2" },
    { id: "pool-9" },
  ],
  ["query Equal($x: Bytes!) { tokens(where: { id: $x }) { id } }", { x: "0xAB01" }, { x: "0xff" }],
  ["query NotEqual($x: Bytes!) { tokens(where: { id_not: $x }) { id } }", { x: A }],
  ["query In($x: [Bytes!]!) { tokens(where: { id_in: $x }) { id } }", { x: [A, "0xff"] }, { x: [] }],
  ["query NotIn($x: [Bytes!]!) { tokens(where: { id_not_in: $x }) { id } }", { x: [A] }],
  ['query InFixed($x: Bytes!) { tokens(where: { id_in: ["0xAB01", $x] }) { id } }', { x: "0xcd03" }],
  ['query InDefault($x: [Bytes!]! = ["0xAB01"]) { tokens(where: { id_in: $x }) { id } }', {}],
  ["query Reference($x: String!) { pools(where: { token0: $x }, orderBy: fee) { id } }", { x: "0xAB01" }],
  ["query ReferenceNot($x: String!) { pools(where: { token1_not: $x }, orderBy: fee) { id } }", { x: A }],
  [
    "query ReferenceIn($x: [String!]!) { pools(where: { token0_in: $x }, orderBy: fee) { id } }",
    { x: [A, "0xab02"] },
  ],
  ["query ReferenceNull { pools(where: { token1: null }, orderBy: fee) { id token1 { id } } }", {}],
  ['query ReferenceFixed { pools(where: { factory: "1", token0_not: "0xAB01" }, orderBy: fee) { id } }', {}],
  ["query OfReference($x: Bytes!) { pools(where: { token0_: { id: $x } }, orderBy: fee) { id } }", { x: A }],
  ["query OfList($x: ID!) { tokens(where: { pools_: { id: $x } }) { id } }", { x: "pool-10" }],
  [
    "query Strict($x: String!) { swaps(where: { id: $x }, orderBy: index) { id pool { id token0 { id } } } }",
    { x: "0xee#1" },
    { x: "0xEE#2" },
  ],
  [
    "query Nested { tokens { name: id pools(orderBy: fee) { key: id id swaps(orderBy: index) { id pool { id } } } } }",
    {},
  ],
  [
    "query Fragments($x: String!) { ...Pools } fragment Pools on Query { pools(where: { token0: $x }, orderBy: fee) { ...P } } fragment P on Pool { id token0 { id } }",
    { x: A },
  ],
  [
    "query Mixed($x: String!) { notes(where: { or: [{ text: $x }, { token: $x }] }) { id text token { id } } }",
    { x: "0xab02" },
    { x: A },
  ],
  ["query MixedPattern($x: String!) { notes(where: { text_contains: $x, token: $x }) { id } }", { x: A }],
  [
    "query Two($x: ID!) { pool(id: $x) { id } pools(where: { id_not: $x }, orderBy: fee) { id } }",
    { x: "pool-1" },
  ],
  [
    'query After($x: Bytes! = "0x", $first: Int! = 2) { tokens(where: { id_gt: $x }, first: $first, orderBy: id) { id } }',
    {},
    { x: A },
    { x: "0xab" },
  ],
  [
    "query Before($x: Bytes!) { tokens(where: { id_lte: $x }, orderBy: id, orderDirection: desc) { id } }",
    { x: "0xab02" },
  ],
  [
    "query Filter($where: Pool_filter) { pools(where: $where, orderBy: fee) { id } }",
    {},
    { where: { token0: "0xAB01", id_not: "pool-1" } },
    { where: { or: [{ token0_in: [A] }, { token1: null }] } },
    { where: { token0_: { id_gt: A, symbol: "USDC" } } },
    { where: { swaps_: { id_not_in: ["0xee#0"] } } },
    { where: { token1_not_in: ["0xff"], factory: "1" } },
  ],
  [
    "query PartOf($or: [Token_filter!]!) { tokens(where: { or: $or }) { id } }",
    { or: [{ id: A }, { id_in: ["0xcd03"] }] },
  ],
  [
    "query Order($where: Token_filter, $by: Token_orderBy) { tokens(where: $where, orderBy: $by) { id } }",
    { by: "symbol", where: { id_gte: "0xab02" } },
    { by: "id" },
  ],
  [
    "query Include($with: Boolean!) { tokens { id @include(if: $with) symbol } }",
    { with: true },
    { with: false },
  ],
];

const { context, built, generated } = bothForms({
  entities: SCHEMA,
  operations: OPERATIONS.map(([text]) => text).join("\n"),
  context: CONTEXT,
});

describe("ids that the styles write differently", () => {
  it.each(OPERATIONS.map(([text, ...given]) => [nameOf(text), given] as const))(
    "are the same in both answers: %s",
    async (name, given) => {
      let hasRows = false;
      for (const operation of [await generated(name), built(name)]) {
        for (const one of given) {
          for (const { chain, ask } of EACH) {
            const want = ask(requestOf(operation, "subgraph", one, chain));
            const got = ALL(requestOf(operation, "multichain", one, chain));
            expect(want.errors).toBeUndefined();
            expect(got.errors).toBeUndefined();
            expect(operation.answer?.(got.data ?? {}, chain) ?? null).toBe(null);
            expect(got).toEqual(want);
            hasRows ||= /"(id|symbol)":/.test(JSON.stringify(want.data));
          }
        }
      }
      // Without rows, the comparison could not fail.
      expect(hasRows).toBe(true);
    },
  );

  it.each<[name: string, given: Given, message: string]>([
    ["Strict", { x: "0xee" }, 'x must be an id of Swap ({hash}#{index}); got "0xee".'],
    ["Strict", { x: "1_0xee_0" }, 'x must be an id of Swap ({hash}#{index}); got "1_0xee_0".'],
    ["Filter", { where: { swaps_: { id: "x" } } }, 'where must be an id of Swap ({hash}#{index}); got "x".'],
    [
      "Filter",
      { where: { id_gt: "pool-1" } },
      "where must be a filter that both styles support: ids of Pool differ.",
    ],
    ["Filter", { where: { token0_contains: "ab" } }, "ids of Token differ."],
  ])("are rejected in another form, in either style: %s %j", async (name, given, message) => {
    const operation = await generated(name);
    for (const style of STYLE_NAMES) {
      expect(() => mapVariables(operation, style, given, [1])).toThrow(
        expect.objectContaining({ code: "invalid-variables", message: expect.stringContaining(message) }),
      );
    }
  });

  it("can be sent for one chain only", async () => {
    const operation = await generated("Equal");
    expect(() => mapVariables(operation, "multichain", { x: A }, [1, 8453])).toThrow(
      "chainIds must be a list of one chain id.",
    );
  });

  it("are reported in an answer if they do not match the configuration", async () => {
    const operation = await generated("Equal");
    expect(operation.answer?.({ tokens: [{ id: A }] }, 1)).toBe(
      "returned an id of Token that the configuration does not describe: 0xab01",
    );
  });

  it.each([
    ['query Q { tokens(where: { id_contains: "ab" }) { id } }', "`id_contains` compares ids of Token"],
    [
      'query Q { pools(where: { token0_starts_with: "0xab" }, orderBy: fee) { id } }',
      "`token0_starts_with` compares ids of Token",
    ],
    ['query Q { swaps(where: { id_gt: "0xee#1" }, orderBy: index) { id } }', "`id_gt` compares ids of Swap"],
    ['query Q { swap(id: "0xee") { id } }', '`"0xee"` is not an id of Swap, which is `{hash}#{index}`'],
    ['query Q($x: ID! = "0xee") { swap(id: $x) { id } }', '`"0xee"` is not an id of Swap'],
    [
      'query Q($w: Pool_filter = { token0: "0xab" }) { pools(where: $w, orderBy: fee) { id } }',
      "names no chain",
    ],
    ["query Q { swaps { id } }", "Swap cannot be ordered by `id`: its ids have another order in each style."],
    ["query Q { swaps(orderBy: id) { id } }", "Swap cannot be ordered by `id`"],
    ["query Q($o: Swap_orderBy) { swaps(orderBy: $o) { id } }", "Swap cannot be ordered by `id`"],
  ])("cannot be used where the result depends on their form: %s", (text, said) => {
    const { findings } = compileText(text, context);
    expect(findings.map(({ message }) => message).join("\n")).toContain(said);
    expect(findings).toContainEqual(expect.objectContaining({ severity: "breaking" }));
  });

  it("do not affect operations without such ids", async () => {
    const note = compileText("query Q($x: String!) { notes(where: { text: $x }) { id text } }", context);
    const [operation] = note.operations;
    expect(operation?.facts).toMatchObject({ idVariables: [], idAnswers: [], isAlone: false });
  });
});
