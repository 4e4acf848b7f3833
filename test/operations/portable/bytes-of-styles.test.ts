import { describe, expect, it } from "vitest";
import type { Row } from "../../../emulator/styles/read-view.ts";
import { mapVariables } from "../../../packages/client/src/variables/map-variables.ts";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { bothForms, nameOf, requestOf } from "./both-forms.ts";
import { compileOne, compileText, textOf } from "./compile-text.ts";

const SCHEMA = `
  type Safe @entity { id: ID! chainId: BigInt! hash: Bytes! tag: Bytes parts: [Bytes!]! note: String! keys: [Key!]! @derivedFrom(field: "safe") }
  type Key @entity { id: Bytes! chainId: BigInt! safe: Safe! code: Bytes! }
`;

const RAW = { release: "3.10", bytesType: "uint8array" } as const;

const ROWS: ReadonlyMap<string, readonly Row[]> = new Map([
  [
    "Safe",
    [
      { id: "s1", chainId: "1", hash: "0x00ff", tag: "0x", parts: ["0xaa", "0xbb"], note: "0x00ff" },
      { id: "s2", chainId: "1", hash: "0x0a", tag: null, parts: [], note: "x" },
      { id: "s3", chainId: "1", hash: "0xff00", tag: "0xbb", parts: ["0xbb"], note: "x" },
    ],
  ],
  [
    "Key",
    [
      { id: "0xcc", chainId: "1", safe: "s1", code: "0xaa" },
      { id: "0xdd", chainId: "1", safe: "s3", code: "0xcc" },
    ],
  ],
]);

const { multichain, subgraph } = serveBoth(
  SCHEMA,
  ROWS,
  { bytesType: RAW.bytesType },
  { multichain: RAW.release },
);

type Given = Readonly<Record<string, unknown>>;

/** Every place where bytes can be used. */
const OPERATIONS: readonly (readonly [text: string, ...given: Given[]])[] = [
  ["query Equal($x: Bytes!) { safes(where: { hash: $x }) { id hash } }", { x: "0x00FF" }, { x: "0xee" }],
  ['query Fixed { safes(where: { hash: "0x00FF", tag_not: "0xaa" }) { id hash tag } }', {}],
  ['query Default($x: Bytes! = "0x00FF") { safes(where: { hash: $x }) { id } }', {}, { x: "0x0a" }],
  ["query NotEqual($x: Bytes!) { safes(where: { tag_not: $x }) { id tag } }", { x: "0xbb" }],
  ["query Null { safes(where: { tag: null }) { id tag } }", {}],
  [
    "query In($x: [Bytes!]!) { safes(where: { hash_in: $x }) { hash } }",
    { x: ["0x0A", "0x00ff"] },
    { x: [] },
  ],
  ["query NotIn($x: [Bytes!]!) { safes(where: { hash_not_in: $x }) { hash } }", { x: ["0x0a"] }],
  ['query InFixed($x: Bytes!) { safes(where: { hash_in: ["0x0A", $x] }) { id } }', { x: "0xff00" }],
  ["query Greater($x: Bytes!) { safes(where: { hash_gt: $x }) { id } }", { x: "0x00ff" }, { x: "0x" }],
  ["query Order { safes(orderBy: hash, orderDirection: desc) { id hash } }", {}],
  ["query Has($x: [Bytes!]!) { safes(where: { parts_contains: $x }) { id parts } }", { x: ["0xBB"] }],
  ['query HasNot { safes(where: { parts_not_contains: ["0xAA"] }) { id parts } }', {}],
  ["query Same($x: [Bytes!]!) { safes(where: { parts: $x }) { id } }", { x: ["0xaa", "0xbb"] }],
  [
    "query Related($x: Bytes!) { safes(where: { keys_: { code: $x } }) { id keys { code safe { hash } } } }",
    { x: "0xAA" },
  ],
  ["query OfReference($x: Bytes!) { keys(where: { safe_: { hash_not: $x } }) { id } }", { x: "0x00ff" }],
  ["query Alias { safes { name: hash more: hash parts } }", {}],
  [
    "query Include($with: Boolean!) { safes { id hash @include(if: $with) } }",
    { with: true },
    { with: false },
  ],
  ["query Mixed($x: Bytes!) { keys(where: { or: [{ id: $x }, { code: $x }] }) { id code } }", { x: "0xCC" }],
  [
    "query Filter($where: Safe_filter) { safes(where: $where) { id hash } }",
    {},
    { where: { hash: "0x00FF" } },
    { where: { or: [{ hash_in: ["0x0a"] }, { tag: null }, { tag_gte: "0xBB" }] } },
    { where: { keys_: { code_not: "0xaa" } } },
    { where: { parts_contains: ["0xBB"] } },
    { where: { parts_not_contains: ["0xaa"] } },
  ],
];

const { context, built, generated } = bothForms({
  entities: SCHEMA,
  operations: OPERATIONS.map(([text]) => text).join("\n"),
  context: { multichain: RAW },
});

describe("bytes that the multichain indexer stores as bytes", () => {
  it.each(OPERATIONS.map(([text, ...given]) => [nameOf(text), given] as const))(
    "are the same in both answers: %s",
    async (name, given) => {
      let hasRows = false;
      for (const operation of [await generated(name), built(name)]) {
        for (const one of given) {
          const want = subgraph(requestOf(operation, "subgraph", one, 1));
          const got = multichain(requestOf(operation, "multichain", one, 1));
          expect(operation.answer?.(got.data ?? {}, 1) ?? null).toBe(null);
          expect(want.errors).toBeUndefined();
          expect(got).toEqual(want);
          hasRows ||= Object.values(want.data ?? {}).some((rows) => (rows as unknown[]).length > 0);
        }
      }
      expect(hasRows).toBe(true);
    },
  );

  it("have their own form of literals and their own type of variables", () => {
    const fixed = compileOne('query Q { safes(where: { hash: "0x00FF" }) { id } }', context);
    expect(textOf(fixed, "multichain")).toContain(String.raw`hash: { _eq: "\\x00ff" }`);
    expect(textOf(fixed, "subgraph")).toContain('hash: "0x00FF"');
    const given = compileOne("query Q($x: Bytes!) { safes(where: { hash: $x }) { id } }", context);
    expect(textOf(given, "multichain")).toContain("$x: bytea!");
    // Unlike ids, they need no chain.
    expect(given.facts.isAlone).toBe(false);
  });

  it("do not need a request per chain to order rows by id", () => {
    const { facts } = compileOne("query Q { safes(orderBy: id) { id chainId hash } }", context);
    expect(facts).toMatchObject({ isAlone: false, list: { key: "safes" } });
  });

  it("are reported if an answer has them as text", () => {
    expect(built("Equal").answer?.({ safes: [{ id: "s1", hash: "0x00ff" }] }, 1)).toBe(
      "returned bytes that the configuration does not describe: 0x00ff",
    );
  });

  it.each(["hash_contains", "hash_not_contains"])("cannot be searched: %s", (name) => {
    const { findings } = compileText(`query Q { safes(where: { ${name}: "0x00" }) { id } }`, context);
    const message = `\`${name}\` looks for bytes in a column of bytes, which multichain cannot.`;
    expect(findings).toMatchObject([{ code: "portable/pattern", severity: "breaking", message }]);
  });

  it.each([
    [{ hash_contains: "0x00" }, "where must be a filter that both styles support: bytes differ."],
    [{ hash: "0x0" }, "where.hash must be bytes in hex"],
  ])("are rejected in a filter: %j", async (where, message) => {
    const operation = await generated("Filter");
    for (const style of ["multichain", "subgraph"] as const) {
      expect(() => mapVariables(operation, style, { where }, [1])).toThrow(
        expect.objectContaining({ code: "invalid-variables", message: expect.stringContaining(message) }),
      );
    }
  });
});
