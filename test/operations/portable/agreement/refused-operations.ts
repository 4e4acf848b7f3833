/** A rejected operation, and the nearest operation in the multichain dialect. */
export type RefusedOperation = {
  readonly code: string;
  /** Part of the message, if a code has several reasons. */
  readonly reason: string;
  /** The authored operation. */
  readonly operation: string;
  /** What a translation would send to the multichain indexer. */
  readonly written: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The variables that are sent to multichain instead. */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** The answers: the ids of rows, all data, or `error`. */
  readonly subgraph: string;
  readonly multichain: string;
  /** Why answers may differ although these are equal. */
  readonly open?: string;
};

/** The entities of the subgraph. */
export const PIN_ENTITIES = `
  enum Mood { WILD CALM BRISK }
  interface Named { id: ID! name: String! }
  type Tag implements Named @entity { id: ID! chainId: BigInt! name: String! }
  type Captain @entity { id: Bytes! chainId: BigInt! name: String! age: Int! }
  type Port @entity {
    id: ID! chainId: BigInt! name: String! rank: Int!
    ships: [Ship!]! @derivedFrom(field: "home")
  }
  type Ship @entity {
    id: ID! chainId: BigInt! name: String mood: Mood! tons: BigInt! price: BigDecimal! hull: Bytes! tags: [String!]!
    seen: Timestamp! home: Port! captain: Captain width: Int! berth: String! wide: Int8 gone: Int lid: Lid named: Named
    amount: BigInt! amount_in: BigInt! deep__water: Int! parts: [Part!]!
    boxes: [Box!]! @derivedFrom(field: "ship")
  }
  type Part @entity { id: ID! chainId: BigInt! }
  type Lid @entity { id: ID! chainId: BigInt! }
  type Box @entity { id: ID! chainId: BigInt! ship: Ship! label: Label @derivedFrom(field: "box") }
  type Label @entity { id: ID! chainId: BigInt! box: Box! text: String! }
  type Lonely @entity { id: ID! name: String! }
`;

/** The entities of the multichain indexer, which has no interfaces. Some fields differ or are missing. */
export const PIN_MULTICHAIN_ENTITIES = PIN_ENTITIES.replace(/ +interface .*\n/, "")
  .replace(" implements Named", "")
  .replace(/ +type Lid .*\n/, "")
  .replace(" gone: Int lid: Lid named: Named", "")
  .replace("width: Int!", "width: BigInt!")
  .replace("berth: String!", "berth: BigInt!")
  .replace("wide: Int8", "wide: BigInt")
  .replace(" parts: [Part!]!", "")
  .replace("label: Label @derived", "label: [Label!]! @derived")
  .replace("id: Bytes!", "id: String!");

const ALL = "order_by: { id: asc }";

/** An operation in both dialects, and the variables of each. */
type Pair = Pick<RefusedOperation, "operation" | "written" | "variables" | "sent">;

const pair = (operation: string, written: string): Pair => ({
  operation: `query Q${operation}`,
  written: `query Q${written}`,
});

const filter = (given: string, written: string, declared = "", writtenDeclared = declared) =>
  pair(
    `${declared} { ships(where: { ${given} }) { id } }`,
    `${writtenDeclared} { ships: Ship(where: { ${written} }, ${ALL}) { id } }`,
  );

const selection = (given: string) =>
  pair(`{ ships { id ${given} } }`, `{ ships: Ship(${ALL}) { id ${given} } }`);

const list = (args: string, written: string) =>
  pair(`{ ships(${args}) { id } }`, `{ ships: Ship(${written}) { id } }`);

const order = (given: string, written: string) =>
  list(`orderBy: ${given}`, `order_by: [${written}, { id: asc }]`);

/** The three ships, each with the same further value. */
const ships = (value: string) =>
  `{"ships":[${["s1", "s2", "s3"].map((id) => `{"id":"${id}",${value}}`).join()}]}`;
const NAMED = '{"ships":[{"id":"s1","name":"a"},{"id":"s2","name":"abc"},{"id":"s3","name":null}]}';

/** At least one of every code, and of every reason of it: the answers of a subgraph and of multichain. */
const REFUSED: Readonly<
  Record<string, readonly (readonly [pair: Pair, subgraph: string, multichain: string, reason?: string])[]>
> = {
  "portable/not-in-multichain": [
    [selection("gone"), ships('"gone":null'), "error"],
    [filter("gone: 1", "gone: { _eq: 1 }"), "none", "error"],
  ],
  "portable/type-differs": [[selection("width"), ships('"width":7'), ships('"width":"7"')]],
  "portable/scalar": [
    [
      selection("seen"),
      ships('"seen":"1700000000000000"'),
      ships('"seen":"2023-11-14T22:13:20+00:00"'),
      "Timestamp",
    ],
    [
      filter('seen_gt: "1700000000000000"', 'seen: { _gt: "1700000000000000" }'),
      "none",
      "error",
      "Timestamp",
    ],
  ],
  "portable/root": [
    [
      pair("{ _meta { deployment } }", "{ _meta { deployment } }"),
      '{"_meta":{"deployment":"QmTest"}}',
      "error",
    ],
  ],
  "portable/root-typename": [
    [
      pair("{ __typename ships { id } }", `{ __typename ships: Ship(${ALL}) { id } }`),
      '{"ships":[{"id":"s1"},{"id":"s2"},{"id":"s3"}],"__typename":"Query"}',
      '{"__typename":"query_root","ships":[{"id":"s1"},{"id":"s2"},{"id":"s3"}]}',
    ],
  ],
  "portable/interface": [[pair("{ nameds { id } }", "{ nameds: Named { id } }"), "t1", "error"]],
  "portable/first-range": [
    [list("first: 1001", `${ALL}, limit: 1001`), "error", "s1 s2 s3"],
    [list("first: 0", `${ALL}, limit: 0`), "error", "none"],
  ],
  "portable/skip-range": [
    [list("skip: -1", `${ALL}, offset: -1`), "error", "error"],
    [list("skip: 5001", `${ALL}, offset: 5001`), "error", "none"],
  ],
  "portable/order": [
    [order("mood", "{ mood: asc }"), "error", "s1 s2 s3", "an enum"],
    [order("tags", "{ tags: asc }"), "error", "s3 s2 s1", "is a list"],
    [order("home", "{ home: { id: asc } }"), "error", "s1 s3 s2", "is a reference"],
    [order("deep__water", "{ deep__water: asc }"), "error", "s1 s2 s3", "as a field of another entity"],
    [order("named__name", "{ named: { name: asc } }"), "s1 s2 s3", "error", "is an interface"],
    [order("berth", "{ berth: asc }"), "s2 s1 s3", "s1 s3 s2", "in one style"],
    [
      pair(
        "{ ports { id ships(orderBy: captain__age) { id } } }",
        `{ ports: Port(${ALL}) { id ships(order_by: [{ captain: { age: asc } }, { id: asc }]) { id } } }`,
      ),
      "error",
      '{"ports":[{"id":"p1","ships":[{"id":"s1"},{"id":"s3"}]},{"id":"p2","ships":[{"id":"s2"}]}]}',
      "a nested list cannot",
    ],
    [
      pair(
        "{ boxes(orderBy: label__text) { id } }",
        "{ boxes: Box(order_by: [{ label: { text: asc } }, { id: asc }]) { id } }",
      ),
      "b1",
      "error",
      "stored in the other entity",
    ],
  ],
  "portable/mixed-filter": [
    [
      filter(
        'name: "a", or: [{ mood: CALM }, { mood: BRISK }]',
        'name: { _eq: "a" }, _or: [{ mood: { _eq: "CALM" } }, { mood: { _eq: "BRISK" } }]',
      ),
      "error",
      "none",
    ],
  ],
  "portable/nested-child-filter": [
    [filter('home_: { ships_: { name: "a" } }', 'home: { ships: { name: { _eq: "a" } } }'), "error", "s1 s3"],
  ],
  "portable/null-filter": [
    [filter("name_gt: null", "name: { _gt: null }"), "error", "error"],
    [filter("home_: null", "home: null"), "error", "error"],
    [filter("or: null", "_or: null"), "error", "error"],
  ],
  "portable/empty-not-in": [
    [
      filter("name_not_in: $n", "name: { _nin: $n }", "($n: [String!] = [])", "($n: [String!]! = [])"),
      "none",
      "s1 s2 s3",
    ],
  ],
  "portable/pattern": [
    [filter('hull_starts_with: "0xab"', 'hull: { _like: "0xab%" }'), "error", "s1 s2 s3", "text in bytes"],
    [
      filter(
        'name_starts_with: "a", name_ends_with: "b\\\\"',
        'name: { _like: "a%" }, _and: [{ name: { _like: "%b\\\\" } }]',
      ),
      "error",
      "error",
      "backslash",
    ],
  ],
  "portable/bad-number": [
    [filter('tons_lt: "7.5"', 'tons: { _lt: "7.5" }'), "error", "s2"],
    [filter('tons: " 7"', 'tons: { _eq: " 7" }'), "error", "s2"],
    [filter("tons_lt: 9223372036854775808", "tons: { _lt: 9223372036854775808 }"), "error", "s1 s2"],
  ],
  "portable/list-filter": [
    [filter('tags_contains_nocase: ["A"]', 'tags: { _contains: ["A"] }'), "s1 s2 s3", "s3", "ignores case"],
    [
      {
        ...filter("tags_not_contains: $t", "_not: { tags: { _contains: $t } }", "($t: [String!]!)"),
        variables: { t: ["a", "b"] },
      },
      "s3",
      "s2 s3",
      "takes no variable",
    ],
    [filter('name_in: "a"', 'name: { _in: "a" }'), "error", "s1", "takes a list"],
    [filter('parts: ["part"]', 'parts: { _eq: ["part"] }'), "none", "error", "stored list"],
  ],
  "portable/change-block": [
    [filter("_change_block: { number_gte: 1 }", "_change_block: { _gte: 1 }"), "s1 s2 s3", "error"],
  ],
  "portable/bad-bytes": [
    [filter('hull: "0xabc"', 'hull: { _eq: "0xabc" }'), "error", "none", "half a byte"],
    [filter('hull: "0xzz"', 'hull: { _eq: "0xzz" }'), "error", "none", "hexadecimal"],
    [filter("hull: 7", "hull: { _eq: 7 }"), "error", "error", "not a string"],
  ],
  "portable/variable-type": [
    [
      {
        ...filter("wide: $n", "wide: { _eq: $n }", "($n: Int8!)", "($n: numeric!)"),
        variables: { n: "9223372036854775808" },
      },
      "error",
      "none",
      "no like",
    ],
    [
      filter("name_in: $n", "name: { _in: $n }", '($n: [String!] = "a")', '($n: [String!]! = "a")'),
      "error",
      "s1",
      "not a list",
    ],
  ],
  "portable/reserved-name": [
    [
      pair(
        "{ lockflow: ships { id } }",
        `{ lockflow: Ship(${ALL}) { id } lockflow: chain_metadata { chain_id } }`,
      ),
      "s1 s2 s3",
      "error",
      "root key",
    ],
    [
      {
        ...filter(
          "tons_in: $chainIds",
          "chainId: { _in: $chainIds }, tons: { _in: $chainIds }",
          "($chainIds: [BigInt!]!)",
          "($chainIds: [numeric!]!)",
        ),
        variables: { chainIds: ["7"] },
        sent: { chainIds: ["1"] },
      },
      "s2",
      "none",
      "$chainIds",
    ],
  ],
  "portable/directive": [
    [selection("name @defer"), NAMED, "error", "not allowed here"],
    [selection("name @include(if: true) @include(if: true)"), NAMED, "error", "twice"],
  ],
  "portable/all-conditional": [
    [
      pair("{ ships { id @skip(if: true) } }", `{ ships: Ship(${ALL}) { id @skip(if: true) } }`),
      "error",
      '{"ships":[{},{},{}]}',
    ],
  ],
  "portable/no-chain-path": [
    [pair("{ lonelies { id } }", `{ lonelies: Lonely(${ALL}) { id } }`), "x1", "x1 x1@10"],
  ],
  "portable/ambiguous-field": [[filter('amount_in: "1"', 'amount_in: { _eq: "1" }'), "error", "s1 s2 s3"]],
};

export const REFUSED_OPERATIONS: readonly RefusedOperation[] = [
  ...Object.entries(REFUSED).flatMap(([code, rows]) =>
    rows.map(([operations, subgraph, multichain, reason = ""]): RefusedOperation => {
      return { code, reason, ...operations, subgraph, multichain };
    }),
  ),
  {
    code: "portable/order",
    reason: "no defined order",
    subgraph: "s2 s3 s1",
    multichain: "s2 s3 s1",
    ...pair(
      "{ ships(orderBy: home__id, orderDirection: desc) { id } }",
      "{ ships: Ship(order_by: [{ home: { id: desc } }, { id: desc }]) { id } }",
    ),
    open: "Rows that refer to the same row come from a node in any order.",
  },
  {
    code: "portable/operation",
    reason: "",
    subgraph: "error",
    multichain: "error",
    operation: "subscription Q { ships { id } }",
    written: `subscription Q { ships: Ship(${ALL}) { id } }`,
  },
];
