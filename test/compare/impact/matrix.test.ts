import { validate } from "graphql";
import { describe, expect, it } from "vitest";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { OPERATION_RULES } from "../../../src/dialects/validate-documents.ts";
import type { AssessedOperation } from "../../../src/operations/operation-set.ts";
import { assessEdit, type Edits, edit, operationOf, schemaOf } from "./fixtures.ts";

type Row = readonly [change: string, edits: string | Edits, ...effects: string[]];

const SDL = `
  schema { query: Query subscription: Subscription }
  directive @cached(ttl: Int! = 60, refresh: Boolean! = false) on QUERY
  scalar numeric
  scalar streamcategory
  enum order_by { asc desc asc_nulls_first }
  enum cursor_ordering { ASC DESC }
  input Numbers { _eq: numeric _gt: numeric _in: [numeric!] _is_null: Boolean }
  input Texts { _eq: String _ilike: String _is_null: Boolean }
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
    id: String! amount: numeric! memo: String kind: Kind! asset: Asset recipient: Party!
    events(limit: Int = 10): [Event!]!
  }
  input AssetFilter { _and: [AssetFilter!] symbol: Texts streams: Filter id: Texts }
  input Filter { _and: [Filter!] _not: Filter _or: [Filter!] amount: Numbers asset: AssetFilter page: Int! }
  input AssetOrder { symbol: order_by }
  input Order { amount: order_by asset: AssetOrder }
  enum Column { id amount memo }
  input CursorValue { amount: numeric id: String }
  input Cursor { initial_value: CursorValue! ordering: cursor_ordering }
  type Query {
    list(distinct_on: [Column!] limit: Int = 1000 offset: Int order_by: [Order!] where: Filter): [Stream!]!
    one(id: String!): Stream
  }
  type Subscription { live(batch_size: Int!, cursor: [Cursor]!, where: Filter): [Stream!]! }`;

const QUERY = operationOf(
  [
    "streams.graphql",
    `query Streams($where: Filter!, $distinct: [Column!], $offset: Int) @cached(refresh: true) {
      streams: list(where: $where, distinct_on: $distinct, offset: $offset, order_by: [{ amount: asc }]) {
        ...StreamFields
        recipient { ... on Safe { owners } }
        events { ... on Deposit { note } ... on Refund { note } }
      }
    }`,
  ],
  ["fields.graphql", "fragment StreamFields on Stream { id amount memo kind asset { symbol tags } }"],
);

const SUBSCRIPTION = operationOf([
  "live.graphql",
  "subscription Live($cursor: [Cursor]!) { streams: live(batch_size: 5, cursor: $cursor) { amount } }",
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
  ["one of two merged fields becomes non-null", "type Refund { note: String¦!", "broken Refund.note @ note"],
  ["an argument is removed", "offset: Int →", "broken Query.list(offset:) @ offset:"],
  ["an argument becomes non-null", "offset: Int¦!", "broken Query.list(offset:) @ $offset:"],
  ["a required argument is added", "limit: Int = 1000¦ chain: Int!", "broken Query.list(chain:) @ streams:"],
  ["an argument becomes a list", "offset: Int → offset: [Int]", "broken Query.list(offset:) @ $offset:"],
  ["an argument's type changes", "offset: Int → offset: ID", "broken Query.list(offset:) @ $offset:"],
  ["an object leaves its interface", "type Safe implements Party → type Safe", "broken Party Safe @ ..."],
  ["a directive is removed", /directive.*/.exec(SDL) + " →", "broken @cached @ @cached"],
  ["a directive's argument becomes required", "ttl: Int! = 60 → ttl: Int!", "broken @cached(ttl:) @ @cached"],
  ["an enum value of a literal is removed", "{ asc desc → { desc", "broken order_by.asc @ asc"],
  [
    "a member of a literal is removed",
    "input Order { amount: order_by → input Order {",
    "broken Order.amount @ amount:",
  ],
  ["a required member is added to a literal", "input Order {¦ id: order_by!", "broken Order.id @ {"],
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
  ["a field becomes non-null", "memo: String¦!", "changes-type Stream.memo @ memo"],
  ["a relation becomes non-null", "asset: Asset¦!", "changes-type Stream.asset @ asset"],
  ["a field becomes nullable", "amount: numeric! → amount: numeric", "changes-type Stream.amount @ amount"],
  ["a value is added to a selected enum", "{ linear¦ paused", "changes-type Kind.paused @ kind"],
  [
    "a selected enum becomes a scalar",
    "enum Kind { linear dynamic } → scalar Kind",
    "changes-type Kind @ kind",
  ],
  ["a member is added to a union", "union Event =¦ Robot |", "changes-type Event Robot @ events"],
  [
    "an object is added to an interface",
    "type Robot¦ implements Party",
    "changes-type Party Robot @ recipient",
  ],
  [
    "a field of an implementation changes",
    "owners: [String!]! → owners: [String]!",
    "changes-type Safe.owners @ owners",
  ],
  // Callers may send a value that the server rejects.
  ["a member of a variable is removed", "amount: Numbers →", "at-risk Filter.amount @ $where:"],
  ["a member of a variable changes", "amount: Numbers → amount: Texts", "at-risk Filter.amount @ $where:"],
  ["a required member is added to a variable", "page: Int!¦ chain: Int!", "at-risk Filter.chain @ $where:"],
  ["a variable becomes @oneOf", "input Filter¦ @oneOf", "at-risk Filter @ $where:"],
  [
    "a value is removed from a variable's enum",
    "id amount memo → id amount",
    "at-risk Column.memo @ $distinct:",
  ],
  [
    "an operator of a member of a variable is removed",
    "_eq: numeric _gt: numeric → _eq: numeric",
    "at-risk Numbers._gt @ $where:",
  ],
  ["a nested member of a variable is removed", "symbol: Texts →", "at-risk AssetFilter.symbol @ $where:"],
  [
    "an argument with a nullable variable becomes non-null",
    "offset: Int¦! = 0",
    "at-risk Query.list(offset:) @ $offset",
    "changes-meaning Query.list(offset:) @ $offset",
  ],
  // Other effects.
  ["a member of a variable becomes nullable", "page: Int! → page: Int", "changes-type Filter.page @ $where:"],
  [
    "a variable's enum becomes a scalar",
    "enum Column { id amount memo } → scalar Column",
    "changes-type Column @ $distinct:",
  ],
  [
    "an omitted default changes",
    "limit: Int = 1000 → limit: Int = 100",
    "changes-meaning Query.list(limit:) @ streams:",
  ],
  [
    "an omitted default of a directive changes",
    "ttl: Int! = 60 → ttl: Int! = 30",
    "changes-meaning @cached(ttl:) @ @cached",
  ],
  ["a default is added to a literal", "input Order {¦ id: order_by = desc", "changes-meaning Order.id @ {"],
  [
    "a default is added to a variable",
    "page: Int!¦ chain: Int = 1",
    "changes-meaning Filter.chain @ $where:",
  ],
  [
    "a default is added to an optional argument",
    "offset: Int¦ = 7",
    "changes-meaning Query.list(offset:) @ $offset",
  ],
  ["a field is deprecated", "symbol: String!¦ @deprecated", "deprecated Asset.symbol @ symbol"],
  ["an enum value of a literal is deprecated", "{ asc¦ @deprecated", "deprecated order_by.asc @ asc"],
  // The operation is unaffected.
  ["an optional argument is added", "limit: Int = 1000¦ last: Int"],
  ["an argument with a default is added", "limit: Int = 1000¦ last: Int = 5"],
  ["a sent default of a directive changes", "refresh: Boolean! = false → refresh: Boolean! = true"],
  ["a directive's argument becomes nullable", "refresh: Boolean! = false → refresh: Boolean = false"],
  ["the values of an enum are reordered", "linear dynamic → dynamic linear"],
  ["the query root is renamed", ["query: Query → query: Root", "type Query → type Root"]],
  ["a description is added", 'memo: String → "a note" memo: String'],
  ["an unselected field is removed", "name: String owners → owners"],
];

const SUBSCRIPTION_ROWS: readonly Row[] = [
  ["the subscription root is removed", "subscription: Subscription →", "broken subscription @ subscription"],
  [
    "a nested member of its variable is removed",
    "input CursorValue { amount: numeric → input CursorValue {",
    "at-risk CursorValue.amount @ $cursor:",
  ],
  ["a field becomes nullable", "amount: numeric! → amount: numeric", "changes-type Stream.amount @ amount"],
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
