import { describe, expect, it } from "vitest";
import type { CompiledOperation } from "../../../src/operations/portable/compiled-operation.ts";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { compileOne, contextOf, textOf } from "./compile-text.ts";
import { CHAINS, rowsOn } from "./rows.ts";
import { SCHEMA } from "./schema.ts";

const CONTEXT = contextOf(SCHEMA, {
  multichain: { release: "3.8" },
  subgraph: { release: "0.45" },
  chainPath: { Page: "logs" },
});

/** One multichain indexer of all chains, and a subgraph of each chain. */
const ALL = serveBoth(SCHEMA, rowsOn(CHAINS)).multichain;
const EACH = CHAINS.map((chain) => ({ chain, ask: serveBoth(SCHEMA, rowsOn([chain])).subgraph }));

type Variables = Readonly<Record<string, unknown>>;

const SHIPS = (rest: string) => `query Q { ships${rest} { id } }`;
const WHERE = (filter: string, first = 1000) => SHIPS(`(first: ${first}, where: { ${filter} })`);

const OPERATIONS: readonly (readonly [text: string, ...variables: Variables[]])[] = [
  [SHIPS("")],
  [SHIPS("(first: 7, skip: 5)")],
  [SHIPS("(first: null, skip: null, where: null, orderBy: null, orderDirection: null)")],
  [SHIPS("(where: {})")],
  [SHIPS("(orderBy: tonnage)")],
  [SHIPS("(orderBy: tonnage, orderDirection: desc)")],
  [SHIPS("(orderBy: debt, orderDirection: desc, first: 90)")],
  [SHIPS("(orderBy: debt, orderDirection: asc, first: 120)")],
  [SHIPS("(orderBy: afloat, orderDirection: desc)")],
  [SHIPS("(orderBy: id, orderDirection: desc)")],
  [SHIPS("(orderBy: home__name, orderDirection: desc)")],
  [SHIPS("(orderBy: last__name)")],
  [SHIPS("(orderBy: captain__age, orderDirection: desc)")],
  [SHIPS("(orderDirection: desc)")],
  [SHIPS("(orderBy: launched, orderDirection: desc)")],
  [SHIPS("(orderBy: amount_in, orderDirection: desc)")],
  [
    "query Q($first: Int, $skip: Int) { ships(first: $first, skip: $skip) { id } }",
    {},
    { first: 3, skip: 2 },
  ],
  ["query Q($first: Int = 5) { ships(first: $first) { id } }", {}, { first: 6 }],
  ["query Q($n: Int) { ships(first: $n, skip: $n) { id } }", {}, { n: 9 }],
  [
    "query Q($d: OrderDirection) { ships(orderBy: crew, orderDirection: $d) { id } }",
    {},
    { d: "asc" },
    { d: "desc" },
  ],
  [
    "query Q { ports(orderBy: name) { id ships { id } visitors(first: 3, skip: 1, orderBy: tonnage) { id } } }",
  ],
  ["query Q { ports { ships(where: { mood: WILD }) { id } } }"],
  ["query Q { logs { id ship { id chainId } page { id } } }"],
  ["query Q { pages { id logs(orderBy: text, orderDirection: desc) { id } } }"],
  [WHERE('name: "a"')],
  [WHERE("name: null")],
  [WHERE("name_not: null")],
  [WHERE('name_not: "a"')],
  [WHERE('name_in: ["a", "b"]')],
  [WHERE("name_in: []")],
  [WHERE('name_not_in: ["a", "b"]')],
  [WHERE("name_not_in: []")],
  ...(IS_THOROUGH ? ["a", "%a", "a%", "_", "a_", "B", ""] : ["%a", "B"]).flatMap((text) =>
    [
      ...["contains", "not_contains", "contains_nocase", "not_contains_nocase"],
      ...["starts_with", "not_starts_with", "starts_with_nocase", "not_starts_with_nocase"],
      ...["ends_with", "not_ends_with", "ends_with_nocase", "not_ends_with_nocase"],
    ].map((operator) => [WHERE(`name_${operator}: "${text}"`)] as const),
  ),
  [
    "query Q($q: String!) { ships(where: { or: [{ name_contains: $q }, { motto_starts_with: $q }, { name: $q }] }) { id } }",
    { q: "a" },
    { q: "%a" },
    { q: "_" },
  ],
  ['query Q($q: String! = "%a") { ships(where: { name_not_contains: $q, motto_ends_with: $q }) { id } }', {}],
  [WHERE('name_contains: "a", name_starts_with: "a", name_not: "a", name_gt: "A"')],
  [WHERE('tonnage_gt: 5, tonnage_lte: "18446744073709551616", tonnage_not: 7')],
  [WHERE('tonnage: "+7"')],
  [WHERE('tonnage_in: ["007", 5]')],
  [WHERE("price: 1.5")],
  [WHERE('price_in: ["1e3", 0.1]')],
  [WHERE("price_gt: 1.0, price_lt: 1.0e20")],
  [WHERE("decks_gte: 2, crew: null, afloat: true")],
  [WHERE("insured_not: true")],
  [WHERE("mood: CALM, before_not: WILD")],
  [WHERE("mood_in: [CALM, BRISK], before_not_in: [WILD]")],
  ["query Q($m: Mood! = CALM) { ships(where: { mood: $m }) { id } }", {}, { m: "BRISK" }],
  ["query Q($m: [Mood!] = [CALM, WILD]) { ships(where: { mood_in: $m }) { id } }", {}, { m: ["BRISK"] }],
  [WHERE("chainId: 1")],
  [WHERE("launched: null")],
  [WHERE('hull: "0xABCD"')],
  [WHERE('hull_in: ["ABCD", "0x0x1abc"], flag_not: "0xabcd"')],
  ...["abcd", "0xAB", "1a", ""].flatMap((digits) => [
    [WHERE(`hull_contains: "${digits}"`)] as const,
    [WHERE(`flag_not_contains: "${digits}"`)] as const,
  ]),
  [
    "query Q($b: Bytes!) { ships(where: { or: [{ hull: $b }, { flag_contains: $b }] }) { id } }",
    { b: "0xABCD" },
    { b: "0x" },
  ],
  [WHERE('captain: "0xAB00010001", captain_not_in: ["0xdead"]')],
  [WHERE("captain: null")],
  [WHERE('captain_contains: "AB00"')],
  [WHERE('home: "port-1-0"')],
  [WHERE('home_contains: "-0", last_not: null')],
  [WHERE('home_: { name_contains: "a" }')],
  [WHERE("last_: {}")],
  [WHERE("captain_: { and: [{ age_gt: 0 }, { or: [{ name: null }, { age: 2 }] }] }")],
  [WHERE("daughters_: { decks: 1 }")],
  [WHERE("logs_: {}")],
  [WHERE('tags: ["a", "b"]')],
  [WHERE('tags_not: ["a", "b"], aliases_not: ["c"]')],
  [WHERE('tags_contains: ["b", "a"]')],
  [WHERE("tags_contains: []")],
  [WHERE("aliases: null")],
  [WHERE('aliases_not_contains: ["a", "c"]')],
  [WHERE("aliases_not_contains: []")],
  [WHERE('cargo: ["007", "+1"]')],
  [WHERE("cargo_contains: [1]")],
  [WHERE('debts_not_contains: [1, "-003"]')],
  [WHERE('seals_contains: ["AB"]')],
  [WHERE("berths: [1, 2]")],
  [
    "query Q($t: [String!]!, $n: [BigInt!]!) { ships(where: { or: [{ tags: $t }, { cargo: $n }, { tonnage_in: $n }] }) { id } }",
    { t: ["a"], n: ["1"] },
    { t: [], n: ["7", "1"] },
  ],
  [WHERE("and: []")],
  [WHERE("or: []")],
  [WHERE('or: [{ and: [{ name: "a" }, { decks: 1 }] }, { or: [{ mood: WILD }] }, {}]')],
  [WHERE("and: [{ amount: 1 }, { decks_gt: 0, amount_not: 2 }]")],
  ['query Q { ship(id: "ship-1-3") { id chainId home { id } } }'],
  ['query Q { ship(id: "nothing") { id chainId } }'],
  ['query Q { captain(id: "AB00010001") { id chainId ships { id } } }'],
  ["query Q($id: ID!) { captain(id: $id) { id chainId } }", { id: "0xAB00010001" }],
  ['query Q($id: ID = "ship-1-3") { ship(id: $id) { id chainId } }', {}, { id: "ship-1-4" }],
  [
    "query Q($x: Boolean = true) { ships(first: 2) { id name @skip(if: $x) motto @include(if: $x) } }",
    {},
    { x: false },
  ],
  [
    "query Q($x: Boolean! = false) { a: ships(first: 1) { id } ...R @skip(if: $x) ... on Query @include(if: $x) { b: ports { id } } } fragment R on Query { ...S @skip(if: $x) } fragment S on Query { c: ports { id name } }",
    {},
    { x: true },
  ],
  [
    "query Q { ports { id ...F ships(first: 1) { id } } } fragment F on Port { ships(first: 1) { motto home { ...G } } } fragment G on Port { name }",
  ],
  [
    "query Q($n: Int! = 3) { ports { ...F } ships(first: $n, where: { decks: $n }) { id } } fragment F on Port { id ships(first: $n, skip: $n, where: { decks_lt: $n }) { id } }",
    {},
    { n: 2 },
  ],
  [
    "query Q($x: Boolean!) { ships(first: 2) { id ...F @include(if: $x) ... @skip(if: $x) { name } } } fragment F on Ship { motto home { id } }",
    { x: true },
    { x: false },
  ],
  [
    "query Q($x: Boolean!, $y: Boolean!) { ships(first: 2) { id home @include(if: $x) { id } ...F @include(if: $y) } } fragment F on Ship { home { name } }",
    { x: true, y: false },
    { x: false, y: true },
    { x: true, y: true },
    { x: false, y: false },
  ],
  [
    "query Q($x: Boolean!, $n: Int) { ...R @skip(if: $x) ships { id } } fragment R on Query { ports(first: $n) { id } }",
    { x: true },
    { x: false, n: 2 },
  ],
  ["query Q { a: ships(first: 2) { __typename b: id } ports { c: ships(first: 1) { id } } }"],
  [
    "query Q { ships { hull flag afloat mood before tags aliases berths cargo debts seals tonnage debt crew } }",
  ],
  ['query Q($w: Ship_filter = { name_contains: "a", hull: "0xABCD" }) { ships(where: $w) { id } }', {}],
  [
    "query Q($o: Ship_orderBy = tonnage, $d: OrderDirection = desc) { ships(orderBy: $o, orderDirection: $d) { id } }",
    {},
  ],
  [
    "query Q($o: Ship_orderBy, $d: OrderDirection = desc) { ships(orderBy: $o, orderDirection: $d) { id } }",
    {},
  ],
];

describe("the documents of a portable operation", () => {
  const empty: string[] = [];

  it.each(OPERATIONS.map(([text, ...variables]) => [text, variables] as const))(
    "return the same rows on each chain: %s",
    (text, variables) => {
      const operation = compileOne(text, CONTEXT);
      const answers = (variables.length === 0 ? [{}] : variables).flatMap((given) =>
        EACH.map(({ chain, ask }) => {
          const subgraph = ask({ query: textOf(operation, "subgraph"), variables: given });
          const multichain = ALL({
            query: textOf(operation, "multichain"),
            variables: toMultichain(operation, given, chain),
          });
          expect(withoutOtherChains(operation, multichain, chain)).toEqual(subgraph);
          expect(subgraph.errors).toBeUndefined();
          return JSON.stringify(subgraph.data);
        }),
      );
      if (answers.every((answer) => !/"[^"]*":\[?\{/.test(answer))) empty.push(text);
    },
  );

  it("return rows in most of the tests", () => {
    expect(empty.length).toBeLessThan(OPERATIONS.length / 4);
  });
});

/** Maps variables to multichain by the facts; does not support filters and orders. */
function toMultichain({ facts, variables }: CompiledOperation, given: Variables, chain: number): Variables {
  const bytes = new Set(facts.bytes);
  const formed = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      bytes.has(name) && typeof value === "string" ? `0x${digitsOf(value)}` : value,
    ]),
  );
  const copies = facts.wrap.flatMap(({ to, from, before, after, isWhole, isBytes }) => {
    const value = formed[from];
    if (value === undefined) return [];
    if (typeof value !== "string" || (before === "" && after === "")) return [[to, value] as const];
    const text = isBytes ? digitsOf(value) : value;
    const isPattern = isWhole && (text.startsWith("%") || text.endsWith("%"));
    return [[to, isPattern ? text : `${before}${text}${after}`] as const];
  });
  const all: Variables = { ...formed, ...Object.fromEntries(copies) };
  const declared = variables.flatMap(({ becomes }) => becomes.multichain);
  const sent = declared.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  return {
    ...Object.fromEntries(sent),
    ...Object.fromEntries(facts.chainIds.map((name) => [name, [String(chain)]])),
  };
}

function digitsOf(value: string): string {
  return value.toLowerCase().replace(/^0x/, "");
}

/** Replaces a row of another chain, looked up by its id, by null. */
function withoutOtherChains(
  { facts }: CompiledOperation,
  answer: { readonly data?: Readonly<Record<string, unknown>> },
  chain: number,
): unknown {
  if (answer.data === undefined) return answer;
  const data = { ...answer.data };
  for (const key of facts.one) {
    const row = data[key] as { readonly chainId?: string } | null;
    if (row !== null && row.chainId !== String(chain)) data[key] = null;
  }
  return { ...answer, data };
}
