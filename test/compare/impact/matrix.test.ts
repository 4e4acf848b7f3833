import { validate } from "graphql";
import { describe, expect, it } from "vitest";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { OPERATION_RULES } from "../../../src/dialects/validate-documents.ts";
import { assessEdit, type Edits, edit, operationOf, schemaOf } from "./fixtures.ts";

/**
 * Twenty-four changes against one operation with variables, in the grammar of each style. Eight make it invalid, one
 * has no effect, and validation does not find the rest.
 */
type Row = readonly [change: string, edits: Edits, verdict: string, effects: readonly string[]];

const SUBGRAPH = `
  schema { query: Query }
  scalar BigInt
  scalar Bytes
  enum OrderDirection { asc desc }
  enum StreamCategory { Linear Dynamic Tranched }
  enum Stream_orderBy { id amount category }
  interface Party { id: Bytes! }
  type User implements Party { id: Bytes! name: String }
  type Safe implements Party { id: Bytes! name: String owners: [Bytes!]! }
  type Robot { id: Bytes! }
  type Deposit { amount: BigInt! note: String }
  type Refund { amount: BigInt! note: String }
  union Event = Deposit | Refund
  type Asset { id: Bytes! symbol: String! decimals: BigInt! tags: [String!]! }
  type Stream {
    id: Bytes!
    amount: BigInt!
    memo: String
    category: StreamCategory!
    asset: Asset!
    recipient: Party!
    events(first: Int = 10): [Event!]!
  }
  input Block_height { number: Int number_gte: Int }
  input Bounds { min: BigInt! max: BigInt }
  input Asset_filter { id: Bytes symbol: String and: [Asset_filter] }
  input Stream_filter {
    amount_gt: BigInt
    category: StreamCategory
    asset_: Asset_filter
    between: Bounds
    page: Int!
    and: [Stream_filter]
    or: [Stream_filter]
  }
  type Query {
    streams(
      first: Int = 100
      skip: Int = 0
      where: Stream_filter
      orderBy: Stream_orderBy
      orderDirection: OrderDirection
      block: Block_height
    ): [Stream!]!
    stream(id: ID!): Stream
  }`;

const SUBGRAPH_FILE = `query Streams($where: Stream_filter!, $orderBy: Stream_orderBy, $skip: Int) {
  streams(where: $where, orderBy: $orderBy, orderDirection: asc, skip: $skip) {
    ...StreamFields
    recipient {
      id
      ... on Safe {
        owners
      }
    }
    events {
      ... on Deposit {
        note
      }
      ... on Refund {
        note
      }
    }
  }
}
`;

const SUBGRAPH_FRAGMENTS = `fragment StreamFields on Stream {
  id
  amount
  memo
  category
  asset {
    symbol
    tags
  }
}
`;

const subgraph = operationOf(["streams.graphql", SUBGRAPH_FILE], ["fields.graphql", SUBGRAPH_FRAGMENTS]);

const SUBGRAPH_ROWS: readonly Row[] = [
  // The operation becomes invalid.
  [
    "a field is removed",
    [["symbol: String! decimals", "decimals"]],
    "broken",
    ["broken Asset.symbol @ fields.graphql:7:5"],
  ],
  [
    "a type is removed",
    [
      ["union Event = Deposit | Refund", "union Event = Deposit"],
      ["type Refund { amount: BigInt! note: String }", ""],
    ],
    "broken",
    ["broken Refund @ streams.graphql:14:14", "changes-type Event Refund @ streams.graphql:10:5"],
  ],
  [
    "one of two merged fields becomes non-null",
    [["type Deposit { amount: BigInt! note: String }", "type Deposit { amount: BigInt! note: String! }"]],
    "broken",
    ["broken Deposit.note @ streams.graphql:12:9"],
  ],
  [
    "an argument is removed",
    [["skip: Int = 0", ""]],
    "broken",
    ["broken Query.streams(skip:) @ streams.graphql:2:66"],
  ],
  [
    "an argument becomes non-null",
    [["orderBy: Stream_orderBy", "orderBy: Stream_orderBy!"]],
    "broken",
    ["broken Query.streams(orderBy:) @ streams.graphql:1:39"],
  ],
  [
    "a required argument is added",
    [["first: Int = 100", "first: Int = 100 chain: String!"]],
    "broken",
    ["broken Query.streams(chain:) @ streams.graphql:2:3"],
  ],
  [
    "the type of an argument changes",
    [["skip: Int = 0", "skip: BigInt = 0"]],
    "broken",
    ["broken Query.streams(skip:) @ streams.graphql:1:65"],
  ],
  [
    "an object stops implementing its interface",
    [["type Safe implements Party", "type Safe"]],
    "broken",
    ["broken Party Safe @ streams.graphql:6:7"],
  ],
  // The operation is unaffected.
  ["an optional argument is added", [["first: Int = 100", "first: Int = 100 last: Int"]], "unaffected", []],
  // The type of the result changes.
  [
    "the scalar of a field changes",
    [["amount: BigInt!\n    memo", "amount: String!\n    memo"]],
    "changes-type",
    ["changes-type Stream.amount @ fields.graphql:3:3"],
  ],
  [
    "a list becomes a list of lists",
    [["tags: [String!]!", "tags: [[String!]!]!"]],
    "changes-type",
    ["changes-type Asset.tags @ fields.graphql:8:5"],
  ],
  [
    "a field becomes non-null",
    [["memo: String", "memo: String!"]],
    "changes-type",
    ["changes-type Stream.memo @ fields.graphql:4:3"],
  ],
  [
    "a field becomes nullable",
    [["category: StreamCategory!", "category: StreamCategory"]],
    "changes-type",
    ["changes-type Stream.category @ fields.graphql:5:3"],
  ],
  [
    "a value is added to a selected enum",
    [["Tranched }", "Tranched Paused }"]],
    "changes-type",
    ["changes-type StreamCategory.Paused @ fields.graphql:5:3"],
  ],
  [
    "a member is added to a union",
    [["union Event = ", "union Event = Robot | "]],
    "changes-type",
    ["changes-type Event Robot @ streams.graphql:10:5"],
  ],
  [
    "an object is added to an interface",
    [["type Robot {", "type Robot implements Party {"]],
    "changes-type",
    ["changes-type Party Robot @ streams.graphql:4:5"],
  ],
  // Callers may send a value that the server rejects.
  [
    "a member of a variable's type is removed",
    [["amount_gt: BigInt", ""]],
    "at-risk",
    ["at-risk Stream_filter.amount_gt @ streams.graphql:1:15"],
  ],
  [
    "the type of a member of a variable's type changes",
    [["amount_gt: BigInt", "amount_gt: String"]],
    "at-risk",
    ["at-risk Stream_filter.amount_gt @ streams.graphql:1:15"],
  ],
  [
    "a required member is added to a variable's type",
    [["amount_gt: BigInt", "amount_gt: BigInt chain: String!"]],
    "at-risk",
    ["at-risk Stream_filter.chain @ streams.graphql:1:15"],
  ],
  [
    "a variable's type becomes @oneOf",
    [["input Stream_filter {", "input Stream_filter @oneOf {"]],
    "at-risk",
    ["at-risk Stream_filter @ streams.graphql:1:15"],
  ],
  [
    "a value is removed from a variable's enum",
    [["id amount category", "id amount"]],
    "at-risk",
    ["at-risk Stream_orderBy.category @ streams.graphql:1:39"],
  ],
  // Other effects.
  [
    "a member of a variable's type becomes nullable",
    [["page: Int!", "page: Int"]],
    "changes-type",
    ["changes-type Stream_filter.page @ streams.graphql:1:15"],
  ],
  [
    "the default of an omitted argument changes",
    [["first: Int = 100", "first: Int = 1000"]],
    "changes-meaning",
    ["changes-meaning Query.streams(first:) @ streams.graphql:2:3"],
  ],
  [
    "a field is deprecated",
    [["memo: String", 'memo: String @deprecated(reason: "gone soon")']],
    "deprecated",
    ["deprecated Stream.memo @ fields.graphql:4:3"],
  ],
];

const MULTICHAIN = `
  schema { query: query_root subscription: subscription_root }
  directive @cached(ttl: Int! = 60, refresh: Boolean! = false) on QUERY
  scalar numeric
  scalar streamcategory
  enum order_by { asc desc asc_nulls_first }
  enum cursor_ordering { ASC DESC }
  input numeric_comparison_exp { _eq: numeric _gt: numeric _in: [numeric!] _is_null: Boolean }
  input String_comparison_exp { _eq: String _ilike: String _is_null: Boolean }
  enum Kind { linear dynamic }
  interface Party { id: String! }
  type User implements Party { id: String! name: String }
  type Safe implements Party { id: String! name: String owners: [String!]! }
  type Robot { id: String! }
  type Deposit { note: String }
  type Refund { note: String }
  union Event = Deposit | Refund
  type Asset { id: String! symbol: String! tags: [String!]! streams(limit: Int): [Stream!]! }
  type Stream {
    id: String!
    amount: numeric!
    memo: String
    kind: Kind!
    asset: Asset
    recipient: Party!
    events(limit: Int = 10): [Event!]!
  }
  input Asset_bool_exp { _and: [Asset_bool_exp!] symbol: String_comparison_exp streams: Stream_bool_exp id: String_comparison_exp }
  input Stream_bool_exp {
    _and: [Stream_bool_exp!]
    _not: Stream_bool_exp
    _or: [Stream_bool_exp!]
    amount: numeric_comparison_exp
    asset: Asset_bool_exp
    page: Int!
  }
  input Asset_order_by { symbol: order_by }
  input Stream_order_by { amount: order_by asset: Asset_order_by }
  enum Stream_select_column { id amount memo }
  input Stream_stream_cursor_value_input { amount: numeric id: String }
  input Stream_stream_cursor_input { initial_value: Stream_stream_cursor_value_input! ordering: cursor_ordering }
  type query_root {
    Stream(
      distinct_on: [Stream_select_column!]
      limit: Int = 1000
      offset: Int
      order_by: [Stream_order_by!]
      where: Stream_bool_exp
    ): [Stream!]!
    Stream_by_pk(id: String!): Stream
  }
  type subscription_root {
    Stream_stream(batch_size: Int!, cursor: [Stream_stream_cursor_input]!, where: Stream_bool_exp): [Stream!]!
  }`;

const MULTICHAIN_FILE = `query Streams(
  $where: Stream_bool_exp!
  $distinct: [Stream_select_column!]
  $offset: Int
) @cached(refresh: true) {
  streams: Stream(where: $where, distinct_on: $distinct, offset: $offset, order_by: [{ amount: asc }]) {
    ...StreamFields
    recipient {
      ... on Safe { owners }
    }
    events {
      ... on Deposit { note }
      ... on Refund { note }
    }
  }
}
`;

const MULTICHAIN_FRAGMENTS = `fragment StreamFields on Stream {
  id
  amount
  memo
  kind
  asset {
    symbol
    tags
  }
}
`;

const multichain = operationOf(
  ["streams.graphql", MULTICHAIN_FILE],
  ["fields.graphql", MULTICHAIN_FRAGMENTS],
);

const MULTICHAIN_ROWS: readonly Row[] = [
  [
    "a field is removed",
    [["symbol: String! tags", "tags"]],
    "broken",
    ["broken Asset.symbol @ fields.graphql:7:5"],
  ],
  [
    "a type is removed",
    [
      ["union Event = Deposit | Refund", "union Event = Deposit"],
      ["type Refund { note: String }", ""],
    ],
    "broken",
    ["broken Refund @ streams.graphql:13:14", "changes-type Event Refund @ streams.graphql:11:5"],
  ],
  [
    "one of two merged fields becomes non-null",
    [["type Refund { note: String }", "type Refund { note: String! }"]],
    "broken",
    ["broken Refund.note @ streams.graphql:13:23"],
  ],
  [
    "an argument is removed",
    [["offset: Int", ""]],
    "broken",
    ["broken query_root.Stream(offset:) @ streams.graphql:6:58"],
  ],
  [
    "an argument becomes non-null",
    [["offset: Int", "offset: Int!"]],
    "broken",
    ["broken query_root.Stream(offset:) @ streams.graphql:4:3"],
  ],
  [
    "a required argument is added",
    [["limit: Int = 1000", "limit: Int = 1000 chain: Int!"]],
    "broken",
    ["broken query_root.Stream(chain:) @ streams.graphql:6:3"],
  ],
  [
    "an argument becomes a list",
    [["offset: Int", "offset: [Int]"]],
    "broken",
    ["broken query_root.Stream(offset:) @ streams.graphql:4:3"],
  ],
  [
    "a directive is removed",
    [["directive @cached(ttl: Int! = 60, refresh: Boolean! = false) on QUERY", ""]],
    "broken",
    ["broken @cached @ streams.graphql:5:3"],
  ],
  [
    "an optional argument is added",
    [["limit: Int = 1000", "limit: Int = 1000 last: Int = 5"]],
    "unaffected",
    [],
  ],
  [
    "the scalar of a field changes",
    [["amount: numeric!", "amount: String!"]],
    "changes-type",
    ["changes-type Stream.amount @ fields.graphql:3:3"],
  ],
  [
    "a list becomes a single value",
    [["tags: [String!]!", "tags: String!"]],
    "changes-type",
    ["changes-type Asset.tags @ fields.graphql:8:5"],
  ],
  [
    "a field becomes non-null",
    [["asset: Asset\n    recipient", "asset: Asset!\n    recipient"]],
    "changes-type",
    ["changes-type Stream.asset @ fields.graphql:6:3"],
  ],
  [
    "a field becomes nullable",
    [["amount: numeric!", "amount: numeric"]],
    "changes-type",
    ["changes-type Stream.amount @ fields.graphql:3:3"],
  ],
  [
    "a value is added to a selected enum",
    [["enum Kind { linear", "enum Kind { linear paused"]],
    "changes-type",
    ["changes-type Kind.paused @ fields.graphql:5:3"],
  ],
  [
    "a member is added to a union",
    [["union Event = ", "union Event = Robot | "]],
    "changes-type",
    ["changes-type Event Robot @ streams.graphql:11:5"],
  ],
  [
    "an object is added to an interface",
    [["type Robot {", "type Robot implements Party {"]],
    "changes-type",
    ["changes-type Party Robot @ streams.graphql:8:5"],
  ],
  [
    "a member of a variable's type is removed",
    [["    amount: numeric_comparison_exp\n", ""]],
    "at-risk",
    ["at-risk Stream_bool_exp.amount @ streams.graphql:2:3"],
  ],
  [
    "the type of a member of a variable's type changes",
    [["amount: numeric_comparison_exp", "amount: String_comparison_exp"]],
    "at-risk",
    ["at-risk Stream_bool_exp.amount @ streams.graphql:2:3"],
  ],
  [
    "a required member is added to a variable's type",
    [["page: Int!", "page: Int! chain: Int!"]],
    "at-risk",
    ["at-risk Stream_bool_exp.chain @ streams.graphql:2:3"],
  ],
  [
    "a variable's type becomes @oneOf",
    [["input Stream_bool_exp {", "input Stream_bool_exp @oneOf {"]],
    "at-risk",
    ["at-risk Stream_bool_exp @ streams.graphql:2:3"],
  ],
  [
    "a value is removed from a variable's enum",
    [["id amount memo", "id amount"]],
    "at-risk",
    ["at-risk Stream_select_column.memo @ streams.graphql:3:3"],
  ],
  [
    "a member of a variable's type becomes nullable",
    [["page: Int!", "page: Int"]],
    "changes-type",
    ["changes-type Stream_bool_exp.page @ streams.graphql:2:3"],
  ],
  [
    "the default of an omitted argument changes",
    [["limit: Int = 1000", "limit: Int = 100"]],
    "changes-meaning",
    ["changes-meaning query_root.Stream(limit:) @ streams.graphql:6:3"],
  ],
  [
    "a field is deprecated",
    [["symbol: String!", 'symbol: String! @deprecated(reason: "gone soon")']],
    "deprecated",
    ["deprecated Asset.symbol @ fields.graphql:7:5"],
  ],
];

const STYLES = [
  ["multichain", MULTICHAIN, multichain, MULTICHAIN_ROWS],
  ["subgraph", SUBGRAPH, subgraph, SUBGRAPH_ROWS],
] as const;

describe.each(STYLES)(
  "twenty-four schema changes and an operation of the %s style",
  (_, sdl, operation, rows) => {
    it.each(rows)("%s", (_change, edits, verdict, effects) => {
      expect(assessEdit(operation, sdl, edits)).toEqual({ verdict, effects });
    });

    it("are 24; validation finds eight", () => {
      expect(rows).toHaveLength(24);
      const seen = rows.filter(
        ([, edits]) =>
          validate(toGraphqlSchema(schemaOf(edit(sdl, edits))), operation.document, OPERATION_RULES).length >
          0,
      );
      expect(seen.map(([change]) => change)).toEqual(rows.slice(0, 8).map(([change]) => change));
    });
  },
);

// Changes that are tested in one style only.
describe("further changes and an operation of the multichain style", () => {
  it.each<Row>([
    [
      "the default of an omitted directive argument changes",
      [["ttl: Int! = 60", "ttl: Int! = 30"]],
      "changes-meaning",
      ["changes-meaning @cached(ttl:) @ streams.graphql:5:3"],
    ],
    [
      "the default of a sent directive argument changes",
      [["refresh: Boolean! = false", "refresh: Boolean! = true"]],
      "unaffected",
      [],
    ],
    [
      "a directive's argument becomes nullable",
      [["refresh: Boolean! = false", "refresh: Boolean = false"]],
      "unaffected",
      [],
    ],
    [
      "a directive's argument becomes required",
      [["ttl: Int! = 60", "ttl: Int!"]],
      "broken",
      ["broken @cached(ttl:) @ streams.graphql:5:3"],
    ],
    [
      "an operator of a member of a variable's type is removed",
      [["_eq: numeric _gt: numeric", "_eq: numeric"]],
      "at-risk",
      ["at-risk numeric_comparison_exp._gt @ streams.graphql:2:3"],
    ],
    [
      "a member of a filter inside a variable's type is removed",
      [["symbol: String_comparison_exp streams", "streams"]],
      "at-risk",
      ["at-risk Asset_bool_exp.symbol @ streams.graphql:2:3"],
    ],
    [
      "an enum value of a literal is removed",
      [["enum order_by { asc desc", "enum order_by { desc"]],
      "broken",
      ["broken order_by.asc @ streams.graphql:6:96"],
    ],
    [
      "an enum value of a literal is deprecated",
      [["enum order_by { asc", 'enum order_by { asc @deprecated(reason: "say ascending")']],
      "deprecated",
      ["deprecated order_by.asc @ streams.graphql:6:96"],
    ],
    [
      "a member of a literal is removed",
      [["input Stream_order_by { amount: order_by", "input Stream_order_by { "]],
      "broken",
      ["broken Stream_order_by.amount @ streams.graphql:6:88"],
    ],
    [
      "a required member is added to the type of a literal",
      [["input Stream_order_by {", "input Stream_order_by { id: order_by!"]],
      "broken",
      ["broken Stream_order_by.id @ streams.graphql:6:86"],
    ],
    [
      "a member with a default is added to the type of a literal",
      [["input Stream_order_by {", "input Stream_order_by { id: order_by = desc"]],
      "changes-meaning",
      ["changes-meaning Stream_order_by.id @ streams.graphql:6:86"],
    ],
    [
      "a member with a default is added to a variable's type",
      [["page: Int!", "page: Int! chain: Int = 1"]],
      "changes-meaning",
      ["changes-meaning Stream_bool_exp.chain @ streams.graphql:2:3"],
    ],
    [
      "a default is added to an argument with an optional variable",
      [["offset: Int", "offset: Int = 7"]],
      "changes-meaning",
      ["changes-meaning query_root.Stream(offset:) @ streams.graphql:6:66"],
    ],
    [
      "an argument with a nullable variable becomes non-null",
      [["offset: Int", "offset: Int! = 0"]],
      "at-risk",
      [
        "at-risk query_root.Stream(offset:) @ streams.graphql:6:66",
        "changes-meaning query_root.Stream(offset:) @ streams.graphql:6:66",
      ],
    ],
    [
      "the values of an enum are reordered",
      [["enum Kind { linear dynamic }", "enum Kind { dynamic linear }"]],
      "unaffected",
      [],
    ],
    [
      "a selected enum becomes a scalar",
      [["enum Kind { linear dynamic }", "scalar Kind"]],
      "changes-type",
      ["changes-type Kind @ fields.graphql:5:3"],
    ],
    [
      "a variable's enum becomes a scalar",
      [["enum Stream_select_column { id amount memo }", "scalar Stream_select_column"]],
      "changes-type",
      ["changes-type Stream_select_column @ streams.graphql:3:3"],
    ],
    [
      "a scalar field becomes an object",
      [["memo: String", "memo: Asset"]],
      "broken",
      ["broken Stream.memo @ fields.graphql:4:3"],
    ],
    [
      "the object type of a field changes",
      [["asset: Asset\n    recipient", "asset: Deposit\n    recipient"]],
      "broken",
      ["broken Stream.asset @ fields.graphql:7:5", "broken Stream.asset @ fields.graphql:8:5"],
    ],
    [
      "the query root is renamed",
      [
        ["query: query_root", "query: Query"],
        ["type query_root {", "type Query {"],
      ],
      "unaffected",
      [],
    ],
    [
      "the type of a field of an implementation changes",
      [
        [
          "type Safe implements Party { id: String! name: String owners: [String!]! }",
          "type Safe implements Party { id: String! name: String owners: [String]! }",
        ],
      ],
      "changes-type",
      ["changes-type Safe.owners @ streams.graphql:9:21"],
    ],
    ["a description is added", [["    memo: String", '    "a note"\n    memo: String']], "unaffected", []],
    ["an unselected field is removed", [["name: String owners", "owners"]], "unaffected", []],
  ])("%s", (_change, edits, verdict, effects) => {
    expect(assessEdit(multichain, MULTICHAIN, edits)).toEqual({ verdict, effects });
  });

  it.each<Row>([
    [
      "the subscription root is removed",
      [[" subscription: subscription_root", ""]],
      "broken",
      ["broken subscription @ live.graphql:1:1"],
    ],
    [
      "a member is removed from a type nested in a variable's type",
      [
        [
          "input Stream_stream_cursor_value_input { amount: numeric",
          "input Stream_stream_cursor_value_input {",
        ],
      ],
      "at-risk",
      ["at-risk Stream_stream_cursor_value_input.amount @ live.graphql:1:19"],
    ],
    [
      "a field of the subscription becomes nullable",
      [["amount: numeric!", "amount: numeric"]],
      "changes-type",
      ["changes-type Stream.amount @ live.graphql:2:60"],
    ],
  ])("affect a subscription: %s", (_change, edits, verdict, effects) => {
    const live = operationOf([
      "live.graphql",
      `subscription Live($cursor: [Stream_stream_cursor_input]!) {
  streams: Stream_stream(batch_size: 5, cursor: $cursor) { amount }
}`,
    ]);
    expect(assessEdit(live, MULTICHAIN, edits)).toEqual({ verdict, effects });
  });
});
