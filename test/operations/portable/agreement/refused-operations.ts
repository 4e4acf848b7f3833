/** A rejected operation, and the nearest operation in the multichain dialect. */
export type RefusedOperation = {
  readonly code: string;
  /** Part of the message, if a code has several reasons. */
  readonly reason?: string;
  /** The authored operation. */
  readonly operation: string;
  /** What a translation would send to the multichain indexer. */
  readonly written: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The variables that are sent to multichain instead. */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** The answers: the ids of rows, all data, or the error. */
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

/** A filter in both dialects. */
const filter = (given: string, written: string, declared = "", written_ = declared) => ({
  operation: `query Q${declared} { ships(where: { ${given} }) { id } }`,
  written: `query Q${written_} { ships: Ship(where: { ${written} }, ${ALL}) { id } }`,
});

const selection = (given: string, written = given) => ({
  operation: `query Q { ships { id ${given} } }`,
  written: `query Q { ships: Ship(${ALL}) { id ${written} } }`,
});

const order = (given: string, written: string) => ({
  operation: `query Q { ships(orderBy: ${given}) { id } }`,
  written: `query Q { ships: Ship(order_by: [${written}, { id: asc }]) { id } }`,
});

/** At least one of every code, and of every reason of it. */
export const REFUSED_OPERATIONS: readonly RefusedOperation[] = [
  {
    code: "portable/not-in-multichain",
    ...selection("gone"),
    subgraph: '{"ships":[{"id":"s1","gone":null},{"id":"s2","gone":null},{"id":"s3","gone":null}]}',
    multichain: "error: field 'gone' not found in type: 'Ship'",
  },
  {
    code: "portable/not-in-multichain",
    ...filter("gone: 1", "gone: { _eq: 1 }"),
    subgraph: "rows: none",
    multichain: "error: field 'gone' not found in type: 'Ship_bool_exp'",
  },
  {
    code: "portable/type-differs",
    ...selection("width"),
    subgraph: '{"ships":[{"id":"s1","width":7},{"id":"s2","width":7},{"id":"s3","width":7}]}',
    multichain: '{"ships":[{"id":"s1","width":"7"},{"id":"s2","width":"7"},{"id":"s3","width":"7"}]}',
  },
  {
    code: "portable/scalar",
    reason: "Timestamp",
    ...selection("seen"),
    subgraph:
      '{"ships":[{"id":"s1","seen":"1700000000000000"},{"id":"s2","seen":"1700000000000000"},{"id":"s3","seen":"1700000000000000"}]}',
    multichain:
      '{"ships":[{"id":"s1","seen":"2023-11-14T22:13:20+00:00"},{"id":"s2","seen":"2023-11-14T22:13:20+00:00"},{"id":"s3","seen":"2023-11-14T22:13:20+00:00"}]}',
  },
  {
    code: "portable/scalar",
    reason: "Timestamp",
    ...filter('seen_gt: "1700000000000000"', 'seen: { _gt: "1700000000000000" }'),
    subgraph: "rows: none",
    multichain: 'error: invalid input syntax for type timestamp with time zone: "1700000000000000"',
  },
  {
    code: "portable/root",
    operation: "query Q { _meta { deployment } }",
    written: "query Q { _meta { deployment } }",
    subgraph: '{"_meta":{"deployment":"QmTest"}}',
    multichain: "error: field 'deployment' not found in type: '_meta'",
  },
  {
    code: "portable/root-typename",
    operation: "query Q { __typename ships { id } }",
    written: `query Q { __typename ships: Ship(${ALL}) { id } }`,
    subgraph: '{"ships":[{"id":"s1"},{"id":"s2"},{"id":"s3"}],"__typename":"Query"}',
    multichain: '{"__typename":"query_root","ships":[{"id":"s1"},{"id":"s2"},{"id":"s3"}]}',
  },
  {
    code: "portable/interface",
    operation: "query Q { nameds { id } }",
    written: "query Q { nameds: Named { id } }",
    subgraph: "rows: t1",
    multichain: "error: field 'Named' not found in type: 'query_root'",
  },
  {
    code: "portable/first-range",
    operation: "query Q { ships(first: 1001) { id } }",
    written: `query Q { ships: Ship(${ALL}, limit: 1001) { id } }`,
    subgraph: "error: The `first` argument must be between 0 and 1000, but is 1001",
    multichain: "rows: s1 s2 s3",
  },
  {
    code: "portable/first-range",
    operation: "query Q { ships(first: 0) { id } }",
    written: `query Q { ships: Ship(${ALL}, limit: 0) { id } }`,
    subgraph: "error: The `first` argument must be between 0 and 1000, but is 0",
    multichain: "rows: none",
  },
  {
    code: "portable/skip-range",
    operation: "query Q { ships(skip: -1) { id } }",
    written: `query Q { ships: Ship(${ALL}, offset: -1) { id } }`,
    subgraph: "error: The `skip` argument must be between 0 and 5000, but is -1",
    multichain: "error: OFFSET must not be negative",
  },
  {
    code: "portable/skip-range",
    operation: "query Q { ships(skip: 5001) { id } }",
    written: `query Q { ships: Ship(${ALL}, offset: 5001) { id } }`,
    subgraph: "error: The `skip` argument must be between 0 and 5000, but is 5001",
    multichain: "rows: none",
  },
  {
    code: "portable/order",
    reason: "an enum",
    ...order("mood", "{ mood: asc }"),
    subgraph: "error: Ordering by `mood` is not supported for type `Ship`",
    multichain: "rows: s1 s2 s3",
  },
  {
    code: "portable/order",
    reason: "is a list",
    ...order("tags", "{ tags: asc }"),
    subgraph: "error: Ordering by `tags` is not supported for type `Ship`",
    multichain: "rows: s3 s2 s1",
  },
  {
    code: "portable/order",
    reason: "is a reference",
    ...order("home", "{ home: { id: asc } }"),
    subgraph: "error: Ordering by `home` is not supported for type `Ship`",
    multichain: "rows: s1 s3 s2",
  },
  {
    code: "portable/order",
    reason: "no defined order",
    open: "Rows that refer to the same row come from a node in any order.",
    operation: "query Q { ships(orderBy: home__id, orderDirection: desc) { id } }",
    written: "query Q { ships: Ship(order_by: [{ home: { id: desc } }, { id: desc }]) { id } }",
    subgraph: "rows: s2 s3 s1",
    multichain: "rows: s2 s3 s1",
  },
  {
    code: "portable/order",
    reason: "as a field of another entity",
    ...order("deep__water", "{ deep__water: asc }"),
    subgraph: "error: Entity `Ship` has no attribute `deep`",
    multichain: "rows: s1 s2 s3",
  },
  {
    code: "portable/order",
    reason: "is an interface",
    ...order("named__name", "{ named: { name: asc } }"),
    subgraph: "rows: s1 s2 s3",
    multichain: "error: field 'named' not found in type: 'Ship_order_by'",
  },
  {
    code: "portable/order",
    reason: "in one style",
    ...order("berth", "{ berth: asc }"),
    subgraph: "rows: s2 s1 s3",
    multichain: "rows: s1 s3 s2",
  },
  {
    code: "portable/order",
    reason: "a nested list cannot",
    operation: "query Q { ports { id ships(orderBy: captain__age) { id } } }",
    written: `query Q { ports: Port(${ALL}) { id ships(order_by: [{ captain: { age: asc } }, { id: asc }]) { id } } }`,
    subgraph:
      "error: Failed to get entities from store: SortKey::ChildKey cannot be used for parent ordering (yet)",
    multichain: '{"ports":[{"id":"p1","ships":[{"id":"s1"},{"id":"s3"}]},{"id":"p2","ships":[{"id":"s2"}]}]}',
  },
  {
    code: "portable/order",
    reason: "stored in the other entity",
    operation: "query Q { boxes(orderBy: label__text) { id } }",
    written: "query Q { boxes: Box(order_by: [{ label: { text: asc } }, { id: asc }]) { id } }",
    subgraph: "rows: b1",
    multichain: "error: field 'label' not found in type: 'Box_order_by'",
  },
  {
    code: "portable/mixed-filter",
    ...filter(
      'name: "a", or: [{ mood: CALM }, { mood: BRISK }]',
      'name: { _eq: "a" }, _or: [{ mood: { _eq: "CALM" } }, { mood: { _eq: "BRISK" } }]',
    ),
    subgraph:
      "error: Cannot mix column filters with 'or' operator at the same level. Found column filter(s) 'name' alongside 'or' operator.",
    multichain: "rows: none",
  },
  {
    code: "portable/nested-child-filter",
    ...filter('home_: { ships_: { name: "a" } }', 'home: { ships: { name: { _eq: "a" } } }'),
    subgraph: "error: Child filter nesting not supported by value `home`: `join on home with Ship(name = a)`",
    multichain: "rows: s1 s3",
  },
  {
    code: "portable/null-filter",
    ...filter("name_gt: null", "name: { _gt: null }"),
    subgraph: "error: Store error: unsupported filter `>` for value `null`",
    multichain: "error: unexpected null value for type 'String'",
  },
  {
    code: "portable/null-filter",
    ...filter("home_: null", "home: null"),
    subgraph: "error: Query contains value with invalid type `Port!`: `null`",
    multichain: "error: expected an object for type 'Port_bool_exp', but found null",
  },
  {
    code: "portable/null-filter",
    ...filter("or: null", "_or: null"),
    subgraph: "error: Filter must by an object",
    multichain: "error: expected a list, but found null",
  },
  {
    code: "portable/empty-not-in",
    ...filter("name_not_in: $n", "name: { _nin: $n }", "($n: [String!] = [])", "($n: [String!]! = [])"),
    subgraph: "rows: none",
    multichain: "rows: s1 s2 s3",
  },
  {
    code: "portable/pattern",
    reason: "text in bytes",
    ...filter('hull_starts_with: "0xab"', 'hull: { _like: "0xab%" }'),
    subgraph:
      'error: Invalid value provided for argument `where`: Object({"hull_starts_with": String("0xab")})',
    multichain: "rows: s1 s2 s3",
  },
  {
    code: "portable/pattern",
    reason: "backslash",
    ...filter(
      'name_starts_with: "a", name_ends_with: "b\\\\"',
      'name: { _like: "a%" }, _and: [{ name: { _like: "%b\\\\" } }]',
    ),
    subgraph: "error: Failed to get entities from store: LIKE pattern must not end with escape character",
    multichain: "error: LIKE pattern must not end with escape character",
  },
  {
    code: "portable/bad-number",
    ...filter('tons_lt: "7.5"', 'tons: { _lt: "7.5" }'),
    subgraph: "error: Failed to decode `BigInt` value: `invalid digit found in string`",
    multichain: "rows: s2",
  },
  {
    code: "portable/bad-number",
    ...filter('tons: " 7"', 'tons: { _eq: " 7" }'),
    subgraph: "error: Failed to decode `BigInt` value: `invalid digit found in string`",
    multichain: "rows: s2",
  },
  {
    code: "portable/bad-number",
    ...filter("tons_lt: 9223372036854775808", "tons: { _lt: 9223372036854775808 }"),
    subgraph: "error: Syntax Error: unsupported Int 9223372036854775808",
    multichain: "rows: s1 s2",
  },
  {
    code: "portable/list-filter",
    reason: "ignores case",
    ...filter('tags_contains_nocase: ["A"]', 'tags: { _contains: ["A"] }'),
    subgraph: "rows: s1 s2 s3",
    multichain: "rows: s3",
  },
  {
    code: "portable/list-filter",
    reason: "takes no variable",
    ...filter("tags_not_contains: $t", "_not: { tags: { _contains: $t } }", "($t: [String!]!)"),
    variables: { t: ["a", "b"] },
    subgraph: "rows: s3",
    multichain: "rows: s2 s3",
  },
  {
    code: "portable/list-filter",
    reason: "takes a list",
    ...filter('name_in: "a"', 'name: { _in: "a" }'),
    subgraph: 'error: Invalid value provided for argument `where`: Object({"name_in": String("a")})',
    multichain: "rows: s1",
  },
  {
    code: "portable/list-filter",
    reason: "stored list",
    ...filter('parts: ["part"]', 'parts: { _eq: ["part"] }'),
    subgraph: "rows: none",
    multichain: "error: field 'parts' not found in type: 'Ship_bool_exp'",
  },
  {
    code: "portable/change-block",
    ...filter("_change_block: { number_gte: 1 }", "_change_block: { _gte: 1 }"),
    subgraph: "rows: s1 s2 s3",
    multichain: "error: field '_change_block' not found in type: 'Ship_bool_exp'",
  },
  {
    code: "portable/bad-bytes",
    reason: "half a byte",
    ...filter('hull: "0xabc"', 'hull: { _eq: "0xabc" }'),
    subgraph: "error: Failed to decode `Bytes` value: `Odd number of digits`",
    multichain: "rows: none",
  },
  {
    code: "portable/bad-bytes",
    reason: "hexadecimal",
    ...filter('hull: "0xzz"', 'hull: { _eq: "0xzz" }'),
    subgraph: "error: Failed to decode `Bytes` value: `Invalid character 'z' at position 0`",
    multichain: "rows: none",
  },
  {
    code: "portable/bad-bytes",
    reason: "not a string",
    ...filter("hull: 7", "hull: { _eq: 7 }"),
    subgraph: 'error: Invalid value provided for argument `where`: Object({"hull": Int(Number(7))})',
    multichain: "error: parsing Text failed, expected String, but encountered Number",
  },
  {
    code: "portable/variable-type",
    reason: "no like",
    ...filter("wide: $n", "wide: { _eq: $n }", "($n: Int8!)", "($n: numeric!)"),
    variables: { n: "9223372036854775808" },
    subgraph: "error: Failed to decode `Int8` value: `9223372036854775808`",
    multichain: "rows: none",
  },
  {
    code: "portable/variable-type",
    reason: "not a list",
    ...filter("name_in: $n", "name: { _in: $n }", '($n: [String!] = "a")', '($n: [String!]! = "a")'),
    subgraph: 'error: Invalid value provided for argument `n`: String("a")',
    multichain: "rows: s1",
  },
  {
    code: "portable/reserved-name",
    reason: "root key",
    operation: "query Q { lockflow: ships { id } }",
    written: `query Q { lockflow: Ship(${ALL}) { id } lockflow: chain_metadata { chain_id } }`,
    subgraph: "rows: s1 s2 s3",
    multichain:
      "error: selection of both 'Ship' and 'chain_metadata' specify the same response name, 'lockflow'",
  },
  {
    code: "portable/reserved-name",
    reason: "$chainIds",
    operation: "query Q($chainIds: [BigInt!]!) { ships(where: { tons_in: $chainIds }) { id } }",
    written: `query Q($chainIds: [numeric!]!) { ships: Ship(where: { chainId: { _in: $chainIds }, tons: { _in: $chainIds } }, ${ALL}) { id } }`,
    variables: { chainIds: ["7"] },
    sent: { chainIds: ["1"] },
    subgraph: "rows: s2",
    multichain: "rows: none",
  },
  {
    code: "portable/directive",
    reason: "not allowed here",
    operation: "query Q { ships { id name @defer } }",
    written: `query Q { ships: Ship(${ALL}) { id name @defer } }`,
    subgraph: '{"ships":[{"id":"s1","name":"a"},{"id":"s2","name":"abc"},{"id":"s3","name":null}]}',
    multichain: "error: directive 'defer' is not defined in the schema",
  },
  {
    code: "portable/directive",
    reason: "twice",
    operation: "query Q { ships { id name @include(if: true) @include(if: true) } }",
    written: `query Q { ships: Ship(${ALL}) { id name @include(if: true) @include(if: true) } }`,
    subgraph: '{"ships":[{"id":"s1","name":"a"},{"id":"s2","name":"abc"},{"id":"s3","name":null}]}',
    multichain: "error: the following directives are used more than once: ['include']",
  },
  {
    code: "portable/all-conditional",
    operation: "query Q { ships { id @skip(if: true) } }",
    written: `query Q { ships: Ship(${ALL}) { id @skip(if: true) } }`,
    subgraph:
      "error: Failed to get entities from store: internal error resolving Ship.ships: expected prefetched result, but found nothing",
    multichain: '{"ships":[{},{},{}]}',
  },
  {
    code: "portable/no-chain-path",
    operation: "query Q { lonelies { id } }",
    written: `query Q { lonelies: Lonely(${ALL}) { id } }`,
    subgraph: "rows: x1",
    multichain: "rows: x1 x1@10",
  },
  {
    code: "portable/ambiguous-field",
    ...filter('amount_in: "1"', 'amount_in: { _eq: "1" }'),
    subgraph: 'error: Invalid value provided for argument `where`: Object({"amount_in": String("1")})',
    multichain: "rows: s1 s2 s3",
  },
  {
    code: "portable/operation",
    operation: "subscription Q { ships { id } }",
    written: `subscription Q { ships: Ship(${ALL}) { id } }`,
    subgraph: "error: Not supported: Subscriptions are not supported",
    multichain: "error: subscriptions are not supported over HTTP, use websockets instead",
  },
];
