import { validate } from "graphql";
import { describe, expect, it } from "vitest";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { OPERATION_RULES } from "../../../src/dialects/validate-documents.ts";
import type { AssessedOperation } from "../../../src/operations/operation-set.ts";
import { assessEdit, type Edits, edit, operationOf, schemaOf } from "./fixtures.ts";

type Row = readonly [change: string, edits: string | Edits, ...effects: string[]];

const SDL = `
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

const QUERY = operationOf(
  [
    "streams.graphql",
    `query Streams(
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
`,
  ],
  [
    "fields.graphql",
    `fragment StreamFields on Stream {
  id
  amount
  memo
  kind
  asset {
    symbol
    tags
  }
}
`,
  ],
);

const SUBSCRIPTION = operationOf([
  "live.graphql",
  `subscription Live($cursor: [Stream_stream_cursor_input]!) {
  streams: Stream_stream(batch_size: 5, cursor: $cursor) { amount }
}`,
]);

const QUERY_ROWS: readonly Row[] = [
  // The operation becomes invalid.
  ["a field is removed", "symbol: String! tags → tags", "broken Asset.symbol @ symbol"],
  [
    "a type is removed",
    ["union Event = Deposit | Refund → union Event = Deposit", "type Refund { note: String } →"],
    "broken Refund @ Refund",
    "changes-type Event Refund @ events",
  ],
  [
    "one of two merged fields becomes non-null",
    "type Refund { note: String → type Refund { note: String!",
    "broken Refund.note @ note",
  ],
  ["an argument is removed", "offset: Int →", "broken query_root.Stream(offset:) @ offset:"],
  [
    "an argument becomes non-null",
    "offset: Int → offset: Int!",
    "broken query_root.Stream(offset:) @ $offset:",
  ],
  [
    "a required argument is added",
    "limit: Int = 1000 → limit: Int = 1000 chain: Int!",
    "broken query_root.Stream(chain:) @ streams:",
  ],
  [
    "an argument becomes a list",
    "offset: Int → offset: [Int]",
    "broken query_root.Stream(offset:) @ $offset:",
  ],
  [
    "the type of an argument changes",
    "offset: Int → offset: ID",
    "broken query_root.Stream(offset:) @ $offset:",
  ],
  ["an object leaves its interface", "type Safe implements Party → type Safe", "broken Party Safe @ ..."],
  ["a directive is removed", /directive.*/.exec(SDL) + " →", "broken @cached @ @cached"],
  ["a directive's argument becomes required", "ttl: Int! = 60 → ttl: Int!", "broken @cached(ttl:) @ @cached"],
  ["an enum value of a literal is removed", "{ asc desc → { desc", "broken order_by.asc @ asc"],
  [
    "a member of a literal is removed",
    "Stream_order_by { amount: order_by → Stream_order_by {",
    "broken Stream_order_by.amount @ amount:",
  ],
  [
    "a required member is added to the type of a literal",
    "input Stream_order_by { → input Stream_order_by { id: order_by!",
    "broken Stream_order_by.id @ {",
  ],
  ["a scalar field becomes an object", "memo: String → memo: Asset", "broken Stream.memo @ memo"],
  [
    "the object type of a field changes",
    "asset: Asset → asset: Deposit",
    "broken Stream.asset @ symbol",
    "broken Stream.asset @ tags",
  ],
  // The type of the result changes.
  [
    "the scalar of a field changes",
    "amount: numeric! → amount: String!",
    "changes-type Stream.amount @ amount",
  ],
  ["a list becomes a value", "tags: [String!]! → tags: String!", "changes-type Asset.tags @ tags"],
  [
    "a list becomes a list of lists",
    "tags: [String!]! → tags: [[String!]!]!",
    "changes-type Asset.tags @ tags",
  ],
  ["a field becomes non-null", "memo: String → memo: String!", "changes-type Stream.memo @ memo"],
  ["a relation becomes non-null", "asset: Asset → asset: Asset!", "changes-type Stream.asset @ asset"],
  ["a field becomes nullable", "amount: numeric! → amount: numeric", "changes-type Stream.amount @ amount"],
  ["a value is added to a selected enum", "{ linear → { linear paused", "changes-type Kind.paused @ kind"],
  [
    "a selected enum becomes a scalar",
    "enum Kind { linear dynamic } → scalar Kind",
    "changes-type Kind @ kind",
  ],
  [
    "a member is added to a union",
    "union Event = → union Event = Robot |",
    "changes-type Event Robot @ events",
  ],
  [
    "an object is added to an interface",
    "type Robot { → type Robot implements Party {",
    "changes-type Party Robot @ recipient",
  ],
  [
    "the type of a field of an implementation changes",
    "owners: [String!]! → owners: [String]!",
    "changes-type Safe.owners @ owners",
  ],
  // Callers may send a value that the server rejects.
  [
    "a member of a variable's type is removed",
    "amount: numeric_comparison_exp →",
    "at-risk Stream_bool_exp.amount @ $where:",
  ],
  [
    "the type of a member of a variable's type changes",
    "amount: numeric_comparison_exp → amount: String_comparison_exp",
    "at-risk Stream_bool_exp.amount @ $where:",
  ],
  [
    "a required member is added to a variable's type",
    "page: Int! → page: Int! chain: Int!",
    "at-risk Stream_bool_exp.chain @ $where:",
  ],
  [
    "a variable's type becomes @oneOf",
    "input Stream_bool_exp { → input Stream_bool_exp @oneOf {",
    "at-risk Stream_bool_exp @ $where:",
  ],
  [
    "a value is removed from a variable's enum",
    "id amount memo → id amount",
    "at-risk Stream_select_column.memo @ $distinct:",
  ],
  [
    "an operator of a member of a variable's type is removed",
    "_eq: numeric _gt: numeric → _eq: numeric",
    "at-risk numeric_comparison_exp._gt @ $where:",
  ],
  [
    "a member of a filter inside a variable's type is removed",
    "symbol: String_comparison_exp →",
    "at-risk Asset_bool_exp.symbol @ $where:",
  ],
  [
    "an argument with a nullable variable becomes non-null",
    "offset: Int → offset: Int! = 0",
    "at-risk query_root.Stream(offset:) @ $offset",
    "changes-meaning query_root.Stream(offset:) @ $offset",
  ],
  // Other effects.
  [
    "a member of a variable's type becomes nullable",
    "page: Int! → page: Int",
    "changes-type Stream_bool_exp.page @ $where:",
  ],
  [
    "a variable's enum becomes a scalar",
    "enum Stream_select_column { id amount memo } → scalar Stream_select_column",
    "changes-type Stream_select_column @ $distinct:",
  ],
  [
    "the default of an omitted argument changes",
    "limit: Int = 1000 → limit: Int = 100",
    "changes-meaning query_root.Stream(limit:) @ streams:",
  ],
  [
    "the default of an omitted directive argument changes",
    "ttl: Int! = 60 → ttl: Int! = 30",
    "changes-meaning @cached(ttl:) @ @cached",
  ],
  [
    "a member with a default is added to the type of a literal",
    "input Stream_order_by { → input Stream_order_by { id: order_by = desc",
    "changes-meaning Stream_order_by.id @ {",
  ],
  [
    "a member with a default is added to a variable's type",
    "page: Int! → page: Int! chain: Int = 1",
    "changes-meaning Stream_bool_exp.chain @ $where:",
  ],
  [
    "a default is added to an argument with an optional variable",
    "offset: Int → offset: Int = 7",
    "changes-meaning query_root.Stream(offset:) @ $offset",
  ],
  [
    "a field is deprecated",
    "symbol: String! → symbol: String! @deprecated",
    "deprecated Asset.symbol @ symbol",
  ],
  ["an enum value of a literal is deprecated", "{ asc → { asc @deprecated", "deprecated order_by.asc @ asc"],
  // The operation is unaffected.
  ["an optional argument is added", "limit: Int = 1000 → limit: Int = 1000 last: Int"],
  ["an argument with a default is added", "limit: Int = 1000 → limit: Int = 1000 last: Int = 5"],
  [
    "the default of a sent directive argument changes",
    "refresh: Boolean! = false → refresh: Boolean! = true",
  ],
  ["a directive's argument becomes nullable", "refresh: Boolean! = false → refresh: Boolean = false"],
  ["the values of an enum are reordered", "linear dynamic → dynamic linear"],
  ["the query root is renamed", ["query: query_root → query: Query", "type query_root → type Query"]],
  ["a description is added", 'memo: String → "a note" memo: String'],
  ["an unselected field is removed", "name: String owners → owners"],
];

const SUBSCRIPTION_ROWS: readonly Row[] = [
  [
    "the subscription root is removed",
    "subscription: subscription_root →",
    "broken subscription @ subscription",
  ],
  [
    "a member is removed from a type nested in a variable's type",
    "cursor_value_input { amount: numeric → cursor_value_input {",
    "at-risk Stream_stream_cursor_value_input.amount @ $cursor:",
  ],
  [
    "a field of the subscription becomes nullable",
    "amount: numeric! → amount: numeric",
    "changes-type Stream.amount @ amount",
  ],
];

describe.each<[kind: string, operation: AssessedOperation, rows: readonly Row[]]>([
  ["a query", QUERY, QUERY_ROWS],
  ["a subscription", SUBSCRIPTION, SUBSCRIPTION_ROWS],
])("a schema change and %s", (_, operation, rows) => {
  it.each(rows.map(([name, edits, ...effects]) => ({ name, edits, effects })))(
    "$name",
    ({ edits, effects }) => {
      const verdict = effects[0]?.split(" ")[0] ?? "unaffected";
      expect(assessEdit(operation, SDL, edits)).toEqual({ verdict, effects });
    },
  );
});

it("validation finds only the broken queries", () => {
  const invalid = QUERY_ROWS.filter(([, edits]) => {
    const schema = toGraphqlSchema(schemaOf(edit(SDL, edits)));
    return validate(schema, QUERY.document, OPERATION_RULES).length > 0;
  });
  expect(invalid).toEqual(QUERY_ROWS.filter(([, , effect]) => effect?.startsWith("broken")));
});
