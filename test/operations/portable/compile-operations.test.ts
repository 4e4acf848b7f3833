import { describe, expect, it } from "vitest";
import { compileOne, compileText, contextOf, textOf } from "./compile-text.ts";
import { SCHEMA } from "./schema.ts";

const CONTEXT = contextOf(SCHEMA, {
  multichain: { release: "3.8" },
  subgraph: { release: "0.45" },
  chainPath: { Page: "logs" },
  cursors: { Ship: "serial" },
});

/** The templates of ids. */
const IDS = { Ship: "{hull}-{chainId}", Port: "{name}-{chainId}", Captain: "{id}-{chainId}" };

const BY_ID = "[{ id: asc }]";
const SCOPE = "{ chainId: { _in: $chainIds } }";

/** The arguments of a list in the multichain text, without its chain; those of a list without any by default. */
const argumentsWith = (given: { where?: string; order_by?: string; limit?: string; offset?: string } = {}) =>
  Object.entries({ where: SCOPE, order_by: BY_ID, limit: "100", ...given })
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");

/** A condition in addition to the one of the chain. */
const scoped = (condition: string) => `{ _and: [${SCOPE}, ${condition}] }`;

/** Returns the compiled arguments of a list of ships, and the declared variables without that of the chain. */
function compileArguments(
  args: string,
  variables: string,
): { readonly declared: string; readonly written: string } {
  const wrap = (text: string) => (text === "" ? "" : `(${text})`);
  const operation = compileOne(`query Q${wrap(variables)} { ships${wrap(args)} { id } }`, CONTEXT);
  const text = textOf(operation, "multichain");
  const [, declared = "", written = ""] =
    /^query Q\((.*?),? ?\$chainIds: \[numeric!\]!\) \{ ships: Ship\((.*)\) \{ id \} \}$/.exec(text) ?? [];
  return { declared, written };
}

describe("fragments that are spread twice", () => {
  it.each([
    ["without conditions", "", "", ""],
    ["under one condition", "($a: Boolean!)", "", "@skip(if: $a)"],
    ["under two conditions", "($a: Boolean!, $b: Boolean!)", "@include(if: $b)", "@skip(if: $a)"],
  ])("are collected once %s, however deeply they are nested", (_, variables, one, other) => {
    const chain = Array.from(
      { length: 30 },
      (_, at) => `fragment F${at} on Ship { ...F${at + 1} ${one} ...F${at + 1} ${other} }`,
    );
    const text = `query Q${variables} { ships { id ...F0 } } ${chain.join(" ")} fragment F30 on Ship { home { id } }`;
    expect(compileOne(text, CONTEXT).facts.required).toEqual(["ships.home"]);
  });
});

describe("the arguments of a list", () => {
  type Want = Parameters<typeof argumentsWith>[0];

  it.each<[given: string, variables: string, want?: Want, declared?: string]>([
    ["", ""],
    ["first: 7, skip: 5000", "", { limit: "7", offset: "5000" }],
    ["first: null, skip: null, where: null", ""],
    ["orderBy: null, orderDirection: null", ""],
    ["first: $n", "$n: Int", { limit: "$n" }, "$n: Int = 100"],
    ["first: $n", "$n: Int = null", { limit: "$n" }, "$n: Int = 100"],
    ["first: $n", "$n: Int = 25", { limit: "$n" }, "$n: Int = 25"],
    ["first: $n", "$n: Int! = 25", { limit: "$n" }, "$n: Int! = 25"],
    ["first: $n", "$n: Int!", { limit: "$n" }, "$n: Int!"],
    ["skip: $n", "$n: Int", { offset: "$n" }, "$n: Int"],
    ["first: $n, skip: $n", "$n: Int", { limit: "$n", offset: "$n_skip" }, "$n: Int = 100, $n_skip: Int"],
    [
      "first: $n, skip: $n, where: { decks: $n }",
      "$n: Int!",
      { where: scoped("{ decks: { _eq: $n } }"), limit: "$n", offset: "$n" },
      "$n: Int!",
    ],
    ["orderDirection: desc", ""],
    ["orderDirection: $d", "$d: OrderDirection!"],
    ["orderBy: id, orderDirection: desc", "", { order_by: "[{ id: desc }]" }],
    ["orderBy: tonnage", "", { order_by: "[{ tonnage: asc }, { id: asc }]" }],
    [
      "orderBy: home__name, orderDirection: desc",
      "",
      { order_by: "[{ home: { name: desc } }, { id: desc }]" },
    ],
    [
      "orderBy: tonnage, orderDirection: $d",
      "$d: OrderDirection!",
      { order_by: "[{ tonnage: $d }, { id: $d }]" },
      "$d: order_by!",
    ],
    [
      "orderBy: tonnage, orderDirection: $d",
      "$d: OrderDirection",
      { order_by: "[{ tonnage: $d }, { id: $d }]" },
      "$d: order_by = asc",
    ],
    ["orderBy: $o", "$o: Ship_orderBy", { order_by: "$o" }, "$o: [Ship_order_by!]! = [{ id: asc }]"],
    [
      "orderBy: $o, orderDirection: $d",
      "$o: Ship_orderBy! = tonnage, $d: OrderDirection = desc",
      { order_by: "$o" },
      "$o: [Ship_order_by!]! = [{ tonnage: desc }, { id: desc }]",
    ],
    [
      "orderBy: $o, orderDirection: $d",
      "$o: Ship_orderBy!, $d: OrderDirection",
      { order_by: "$o" },
      "$o: [Ship_order_by!]!",
    ],
    ["where: $w", "$w: Ship_filter", { where: scoped("$w") }, "$w: Ship_bool_exp! = {}"],
    [
      "where: $w",
      '$w: Ship_filter = { name: null, hull: "0xAB", home_: { name_contains: "x" } }',
      { where: scoped("$w") },
      '$w: Ship_bool_exp! = { name: { _is_null: true }, hull: { _eq: "0xab" }, home: { name: { _like: "%x%" } } }',
    ],
    [
      "where: { and: [$w, { home_: $p }, { or: $l }] }",
      "$w: Ship_filter!, $p: Port_filter!, $l: [Ship_filter!]!",
      { where: scoped("{ _and: [$w, { home: $p }, { _or: $l }] }") },
      "$w: Ship_bool_exp!, $p: Port_bool_exp!, $l: [Ship_bool_exp!]!",
    ],
  ])(
    "are compiled to arguments that return the same rows: %s (%s)",
    (given, variables, want, declared = "") => {
      expect(compileArguments(given, variables)).toEqual({ written: argumentsWith(want), declared });
    },
  );
});

describe("conditions", () => {
  it.each<[given: string, want: string]>([
    ['name: "a"', '{ name: { _eq: "a" } }'],
    ["", "{}"],
    ["name: null", "{ name: { _is_null: true } }"],
    ["name_not: null", "{ name: { _is_null: false } }"],
    ['name_not: "a"', '{ name: { _neq: "a" } }'],
    ["decks_gt: 1, decks_lte: 3", "{ decks: { _gt: 1, _lte: 3 } }"],
    ["decks_gte: 1, crew_lt: 3", "{ decks: { _gte: 1 }, crew: { _lt: 3 } }"],
    ["name_in: []", "{ name: { _in: [] } }"],
    ['name_not_in: ["a"]', '{ name: { _nin: ["a"] } }'],
    ["name_not_in: []", "{ name: { _in: [] } }"],
    ['home: "x", home_not_in: ["y"]', '{ home_id: { _eq: "x", _nin: ["y"] } }'],
    ["home_: {}", "{ home: {} }"],
    [
      'logs_: { text: "x" }, home_: { name: "y" }',
      '{ logs: { text: { _eq: "x" } }, home: { name: { _eq: "y" } } }',
    ],
    ["and: []", "{ _and: [] }"],
    ["or: [{ decks: 1 }, { or: [{}] }]", "{ _or: [{ decks: { _eq: 1 } }, { _or: [{}] }] }"],
    ['name_contains: "a_\\\\%b"', '{ name: { _like: "%a_\\\\%b%" } }'],
    ['name_contains: "%a", name_not_contains: "a%"', '{ name: { _like: "%a", _nlike: "a%" } }'],
    ['name_starts_with: "%a"', '{ name: { _like: "%a%" } }'],
    ['name_not_ends_with: "a%"', '{ name: { _nlike: "%a%" } }'],
    ['name_contains_nocase: "%a"', '{ name: { _ilike: "%a" } }'],
    ['name_not_starts_with_nocase: "a"', '{ name: { _nilike: "a%" } }'],
    [
      'name_contains: "a", name_ends_with: "b"',
      '{ _and: [{ name: { _like: "%a%" } }, { name: { _like: "%b" } }] }',
    ],
    ['hull_contains: "0xAB"', '{ hull: { _regex: "^0x(..)*ab" } }'],
    ['captain_not_contains: "AB"', '{ captain_id: { _nregex: "^0x(..)*ab" } }'],
    ['hull: "ABcd", flag: "0x0xAB"', '{ hull: { _eq: "0xabcd" }, flag: { _eq: "0xab" } }'],
    ['captain: "ABCD", captain_in: ["0xEF"]', '{ captain_id: { _eq: "0xabcd", _in: ["0xef"] } }'],
    ["mood: WILD, before_in: [CALM]", '{ mood: { _eq: "WILD" }, before: { _in: ["CALM"] } }'],
    ["launched: null", "{ launched: { _is_null: true } }"],
    ['tonnage: 5, debt: "+07"', '{ tonnage: { _eq: 5 }, debt: { _eq: "+07" } }'],
    ["price: 1.50, price_in: [2]", '{ price: { _eq: "1.5", _in: [2] } }'],
    [
      'tags: ["a"], tags_not: ["b"], tags_contains: ["c"]',
      '{ tags: { _eq: ["a"], _neq: ["b"], _contains: ["c"] } }',
    ],
    ['cargo: [1, "+07", "-0"]', '{ cargo: { _eq: ["1", "7", "0"] } }'],
    ['seals: ["AB"]', '{ seals: { _eq: ["0xab"] } }'],
    [
      'tags_not_contains: ["a", "b"]',
      '{ _and: [{ tags: { _is_null: false } }, { _not: { _or: [{ tags: { _contains: ["a"] } }, { tags: { _contains: ["b"] } }] } }] }',
    ],
    ["amount_gt: 1", "{ amount: { _gt: 1 } }"],
  ])("are compiled to equivalent conditions: %s", (given, want) => {
    const { written } = compileArguments(`where: { ${given} }`, "");
    expect(written).toBe(argumentsWith({ where: scoped(want) }));
  });
});

/** Whole documents, with selections and variables. */
describe("documents", () => {
  const ALL = argumentsWith();
  const NESTED = `order_by: ${BY_ID}, limit: 100`;
  const CHAINS = "$chainIds: [numeric!]!";

  it.each<[given: string, multichain: string, subgraph: string]>([
    [
      "query Q($id: ID!) { ship(id: $id) { id chainId } }",
      "query Q($id: String!) { ship: Ship_by_pk(id: $id) { id chainId } }",
      "query Q($id: ID!, $block: Block_height) { ship(id: $id, block: $block) { id chainId } }",
    ],
    [
      'query Q { own: ship(id: 7) { chainId } captain(id: "ABCD") { chainId } }',
      'query Q { own: Ship_by_pk(id: "7") { chainId } captain: Captain_by_pk(id: "0xabcd") { chainId } }',
      'query Q($block: Block_height) { own: ship(id: 7, block: $block) { chainId } captain(id: "ABCD", block: $block) { chainId } }',
    ],
    [
      "query Q($id: ID! = 10) { ship(id: $id) { chainId } captain(id: $id) { chainId } }",
      'query Q($id: String! = "10", $id_bytes: String! = "0x10") { ship: Ship_by_pk(id: $id) { chainId } captain: Captain_by_pk(id: $id_bytes) { chainId } }',
      "query Q($id: ID! = 10, $block: Block_height) { ship(id: $id, block: $block) { chainId } captain(id: $id, block: $block) { chainId } }",
    ],
    [
      "query Q { ports { n: name ships { id } } }",
      `query Q(${CHAINS}) { ports: Port(${ALL}) { n: name ships(${NESTED}) { id } } }`,
      "query Q($block: Block_height) { ports(block: $block) { n: name ships { id } } }",
    ],
    [
      "query Q { logs { id } pages { id } }",
      `query Q(${CHAINS}) { logs: Log(where: { ship: ${SCOPE} }, ${NESTED}) { id } pages: Page(where: { logs: { ship: ${SCOPE} } }, ${NESTED}) { id } }`,
      "query Q($block: Block_height) { logs(block: $block) { id } pages(block: $block) { id } }",
    ],
    [
      "query Q($x: Boolean!) { ships { id ...F @include(if: $x) motto @skip(if: $x) } } fragment F on Ship { __typename name }",
      `query Q($x: Boolean!, ${CHAINS}) { ships: Ship(${ALL}) { id ... on Ship @include(if: $x) { ...F } motto @skip(if: $x) } } fragment F on Ship { __typename name }`,
      "query Q($x: Boolean!, $block: Block_height) { ships(block: $block) { id ... on Ship @include(if: $x) { ...F } motto @skip(if: $x) } } fragment F on Ship { __typename name }",
    ],
    [
      "query Q($x: Boolean!) { ships { id t: __typename @include(if: $x) } }",
      `query Q($x: Boolean!, ${CHAINS}) { ships: Ship(${ALL}) { id t: __typename @include(if: $x) } }`,
      "query Q($x: Boolean!, $block: Block_height) { ships(block: $block) { id ... on Ship @include(if: $x) { t: __typename } } }",
    ],
    [
      "query Q($x: Boolean!) { ...R @skip(if: $x) ... on Query { ships { id } } } fragment R on Query { ports { id } }",
      `query Q($x: Boolean!, ${CHAINS}) { ... on query_root @skip(if: $x) { ...R } ... on query_root { ships: Ship(${ALL}) { id } } } fragment R on query_root { ports: Port(${ALL}) { id } }`,
      "query Q($x: Boolean!, $block: Block_height) { ... on Query @skip(if: $x) { ...R } ... on Query { ships(block: $block) { id } } } fragment R on Query { ports(block: $block) { id } }",
    ],
    [
      'query Q($m: Mood = CALM, $h: [Bytes!] = ["AB"]) { ships(where: { mood: $m, hull_in: $h }) { id } }',
      `query Q($m: mood = "CALM", $h: [String!]! = ["0xab"], ${CHAINS}) { ships: Ship(${argumentsWith({ where: scoped("{ mood: { _eq: $m }, hull: { _in: $h } }") })}) { id } }`,
      'query Q($m: Mood = CALM, $h: [Bytes!]! = ["AB"], $block: Block_height) { ships(where: { mood: $m, hull_in: $h }, block: $block) { id } }',
    ],
    [
      'query Q($q: String! = "%a", $n: [BigInt!]! = [1]) { ships(where: { and: [{ name_contains: $q }, { name: $q }, { motto_starts_with: $q }, { cargo: $n }, { tonnage_in: $n }] }) { id } }',
      `query Q($q_like: String! = "%a", $q: String! = "%a", $q_start: String! = "%a%", $n_Strings: [String!]! = ["1"], $n: [numeric!]! = [1], ${CHAINS}) { ships: Ship(${argumentsWith({ where: scoped("{ _and: [{ name: { _like: $q_like } }, { name: { _eq: $q } }, { motto: { _like: $q_start } }, { cargo: { _eq: $n_Strings } }, { tonnage: { _in: $n } }] }") })}) { id } }`,
      'query Q($q: String! = "%a", $n: [BigInt!]! = [1], $block: Block_height) { ships(where: { and: [{ name_contains: $q }, { name: $q }, { motto_starts_with: $q }, { cargo: $n }, { tonnage_in: $n }] }, block: $block) { id } }',
    ],
    [
      "query Q($o: Ship_orderBy) { ships(orderBy: $o, orderDirection: desc) { daughters(orderBy: $o) { id } } }",
      `query Q($o: [Ship_order_by!]! = ${BY_ID}, $o_asc: [Ship_order_by!]! = ${BY_ID}, ${CHAINS}) { ships: Ship(${argumentsWith({ order_by: "$o" })}) { daughters(order_by: $o_asc, limit: 100) { id } } }`,
      "query Q($o: Ship_orderBy, $block: Block_height) { ships(orderBy: $o, orderDirection: desc, block: $block) { daughters(orderBy: $o) { id } } }",
    ],
  ])("are compiled for both styles: %s", (given, multichain, subgraph) => {
    const operation = compileOne(given, CONTEXT);
    expect(textOf(operation, "multichain")).toBe(multichain);
    expect(textOf(operation, "subgraph")).toBe(subgraph);
  });

  it("have the same variables for a fragment in every operation", () => {
    const { operations, fragments } = compileText(
      `
        query A($q: String!, $n: Int!) { ships(first: $n, where: { name: $q }) { ...F } }
        query B($q: String!, $n: Int = 3, $q_like: String!) { ships(where: { name_in: [$q, $q_like] }) { ...F } }
        fragment F on Ship { logs(first: $n, where: { text_contains: $q }) { id } }
      `,
      CONTEXT,
    );
    expect(operations.map((operation) => textOf(operation, "multichain"))).toEqual([
      expect.stringMatching(/^query A\(\$q: String!, \$q_like_: String!, \$n: Int!, \$chainIds/),
      expect.stringMatching(
        /^query B\(\$q: String!, \$q_like_: String!, \$n: Int = 3, \$q_like: String!, \$chainIds/,
      ),
    ]);
    expect(fragments.multichain).toHaveLength(1);
    expect(new Set(operations.flatMap(({ documents }) => documents.multichain.fragments)).size).toBe(1);
  });

  it("keep the places of the authored text", () => {
    const text = 'query Q {\n  ships(where: {\n    name_contains: "a"\n  }) { id }\n}';
    const { node } = compileOne(text, CONTEXT).documents.multichain;
    const [root] = node.selectionSet.selections;
    const lines = root?.kind === "Field" ? root.arguments?.map(({ loc }) => loc?.startToken.line) : [];
    expect([root?.loc?.startToken.line, lines]).toEqual([2, [2, 2, 2]]);
    const where = root?.kind === "Field" ? JSON.stringify(root.arguments?.[0]) : "";
    expect(where).toContain("%a%");
  });
});

describe("facts about an operation", () => {
  it.each<[selection: string, type: string, ids: readonly string[]]>([
    ["ship(id: $a) { chainId }", "ID!", ["a"]],
    ["ships(where: { id: $a }) { id }", "String!", ["a"]],
    ["ships(where: { id_in: $a }) { id }", "[String!]!", ["a"]],
    ["ships(where: { mother: $a }) { id }", "String!", ["a"]],
    // Also compared with text, an id without bytes, an id that is bytes, and an id without a template.
    ["ships(where: { mother: $a, name: $a }) { id }", "String!", []],
    ["ships(where: { home: $a }) { id }", "String!", []],
    ["captain(id: $a) { chainId }", "ID!", []],
    ["page(id: $a) { id }", "ID!", []],
  ])("include variables of ids that contain bytes: %s", (selection, type, ids) => {
    const context = contextOf(SCHEMA, { chainPath: { Page: "logs" }, ids: IDS });
    expect(compileOne(`query Q($a: ${type}) { ${selection} }`, context).facts.ids).toEqual(ids);
  });

  const wrap = (to: string, from: string, before: string, after = "", isWhole = false) => [
    { style: "multichain", to, from, before, after, isWhole, isBytes: !isWhole },
  ];

  const sort = (...orders: readonly string[]) =>
    orders.map((text) => {
      const [path, kind, direction] = text.split(" ");
      return { path, kind, direction };
    });
  const page = (cursor: string, direction: string, after: string | null = null) => {
    return { key: "ships", first: "f", cursor, after, direction };
  };
  const filter = (name: string, entity: string, isChild: boolean) => {
    return { from: name, to: name, entity, isChild, isList: false };
  };

  it.each<[given: string, want: object]>([
    ["($b: Bytes!, $c: [Bytes!]!) { ships(where: { hull: $b, flag_in: $c }) { id } }", { bytes: ["b", "c"] }],
    ["($id: ID!) { captain(id: $id) { id } }", { bytes: ["id"], one: ["captain"], isUnscoped: true }],
    ["($c: String!) { ships(where: { captain: $c }) { id } }", { bytes: ["c"] }],
    [
      "($id: ID!) { captain(id: $id) { chainId } ship(id: $id) { chainId } }",
      {
        bytes: [],
        one: ["captain", "ship"],
        chains: ["captain.chainId", "ship.chainId"],
        isUnscoped: false,
        wrap: wrap("id_bytes", "id", "0x"),
      },
    ],
    [
      "($q: String!) { ships(where: { name_contains: $q }) { id } }",
      { wrap: wrap("q_like", "q", "%", "%", true) },
    ],
    [
      "($b: Bytes!) { ships(where: { hull_contains: $b }) { id } }",
      { bytes: ["b"], wrap: wrap("b_bytes", "b", "^0x(..)*") },
    ],
    [
      "($n: [BigInt!]!, $p: BigDecimal!) { ships(where: { tonnage_not_in: $n, price: $p }) { id } }",
      { nonEmpty: ["n"] },
    ],
    [
      "($f: Int, $s: Int) { ships(first: $f) { logs(first: $f, skip: $s) { id } } }",
      { ranges: { first: ["f"], skip: ["s"] } },
    ],
    [
      "($w: Ship_filter, $c: Captain_filter!) { ships(where: $w) { id } a: ships(where: { captain_: $c }) { id } }",
      { filters: [filter("w", "Ship", false), filter("c", "Captain", true)] },
    ],
    [
      "($o: Ship_orderBy = tonnage, $d: OrderDirection) { ports { ships(orderBy: $o, orderDirection: $d) { id } } }",
      {
        orders: [
          {
            from: "o",
            to: "o",
            entity: "Ship",
            isNested: true,
            direction: { variable: "d" },
            defaults: { order: "tonnage", direction: null },
          },
        ],
      },
    ],
    [
      "{ a: ships { h: home { name } last { id } captain { id } logs { ship { id } } } }",
      { required: ["a.h", "a.logs.ship"], chains: [], list: null },
    ],
    ["{ logs { ship { c: chainId } } }", { chains: ["logs.ship.c"] }],
    ["{ log(id: 1) { ship { chainId } } }", { chains: ["log.ship.chainId"], isUnscoped: false }],
    ["{ page(id: 1) { logs { ship { chainId } } } }", { chains: [], isUnscoped: true }],
    [
      "($f: Int) { ships(first: $f, orderBy: tonnage, orderDirection: desc) { i: id tonnage } }",
      { list: { key: "ships", first: "f", skip: null, order: sort("tonnage number desc", "i text desc") } },
    ],
    [
      "{ ships(orderBy: home__name) { id h: home { n: name } } }",
      { list: { key: "ships", first: 100, skip: null, order: sort("h.n text asc", "id text asc") } },
    ],
    ["{ ships(orderBy: afloat, skip: 0) { id afloat } }", { list: expect.objectContaining({ skip: null }) }],
    ["{ ships(skip: 1) { id } }", { list: null, unmerged: "skip rows by a variable" }],
    ["{ ships(orderBy: tonnage) { id } }", { list: null, unmerged: "select tonnage" }],
    ["{ ships(orderBy: tonnage) { crew } }", { list: null, unmerged: "select tonnage and id" }],
    [
      "($d: OrderDirection) { ships(orderBy: crew, orderDirection: $d) { id crew } }",
      { list: null, unmerged: "order by a field instead of a variable" },
    ],
    ["{ ships { id } ports { id } }", { list: null, unmerged: null, page: null }],
    [
      '($a: BigInt! = "0", $f: Int!) { ships(first: $f, orderBy: serial, where: { and: [{ decks: 1 }, { serial_gt: $a }] }) { serial } }',
      { page: page("serial", "asc", "a"), list: null },
    ],
    [
      "($w: Ship_filter, $f: Int!) { ships(first: $f, orderBy: id, orderDirection: desc, where: $w) { id } }",
      { page: page("id", "desc") },
    ],
    ["($w: Ship_filter = {}, $f: Int!) { ships(first: $f, where: $w) { id } }", { page: page("id", "asc") }],
    ["{ ship(id: 1) { chainId } }", { chainIds: [], list: null }],
    ["{ ships { id } }", { chainIds: ["chainIds"] }],
  ])("are read from the operation: %s", (given, want) => {
    expect(compileOne(`query Q${given}`, CONTEXT).facts).toMatchObject(want);
  });

  it.each([
    // An added cursor would replace the default, or be added in two places.
    '($w: Ship_filter = { name: "a" }, $f: Int!) { ships(first: $f, where: $w) { id } }',
    "($w: Ship_filter, $f: Int!) { ships(first: $f, where: $w) { id home { ships(where: $w) { id } } } }",
    "($a: BigInt!, $f: Int!) { ships(first: $f, orderBy: serial, where: { serial_gt: $a }) { serial } }",
    '($a: BigInt! = "0") { ships(first: 9, orderBy: serial, where: { serial_gt: $a }) { serial } }',
    '($a: BigInt! = "0", $f: Int!) { ships(first: $f, orderBy: tonnage, where: { tonnage_gt: $a }) { tonnage } }',
    '($a: BigInt! = "0", $f: Int!) { ships(first: $f, orderBy: serial, where: { or: [{ serial_gt: $a }] }) { serial } }',
  ])("have no page: query Q%s", (rest) => {
    expect(compileOne(`query Q${rest}`, CONTEXT).facts.page).toBeNull();
  });

  it("include the variables of both styles for each authored variable", () => {
    const { variables } = compileOne(
      "query Q($o: Ship_orderBy, $d: OrderDirection, $q: String!) { ships(orderBy: $o, orderDirection: $d, where: { name_contains: $q }) { id } }",
      CONTEXT,
    );
    expect(variables).toEqual([
      { name: "o", type: "Ship_orderBy", becomes: { multichain: ["o"], subgraph: ["o"] }, declaredAs: null },
      { name: "d", type: "OrderDirection", becomes: { multichain: [], subgraph: ["d"] }, declaredAs: null },
      { name: "q", type: "String!", becomes: { multichain: ["q_like"], subgraph: ["q"] }, declaredAs: null },
    ]);
  });

  it("include the applied rules with their places", () => {
    const { rules } = compileOne(
      'query Q($n: String!) {\n  ships(where: { hull: "AB", tonnage_gt: $n }) { id }\n}',
      CONTEXT,
    );
    expect(
      rules
        .map(({ rule, line, column }) => `${rule} ${line}:${column}`)
        .sort()
        .join(", "),
    ).toBe("bytes-form 2:24, chain-scope 2:3, default-limit 2:3, id-order 2:3, variable-type 1:9");
  });
});
