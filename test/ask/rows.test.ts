import { buildSchema, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { buildRow, cellText, listColumns, readFields } from "../../src/ask/rows.ts";

const SCHEMA = buildSchema(`
  type Query { streams: [Stream!]! stream(id: ID!): Stream node: Node }
  interface Node { id: ID! }
  type Stream implements Node { id: ID! amount: String! asset: Asset tags: [String!]! segments: [Segment!]! }
  type Asset { id: ID! symbol: String! }
  type Segment { position: Int! }
`);

function fieldsOf(text: string) {
  const { definitions } = parse(text);
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return readFields({
    node: operation as OperationDefinitionNode,
    fragments: fragments as readonly FragmentDefinitionNode[],
    schema: SCHEMA,
    scalars: new Map(),
    times: [],
  });
}

/** The columns of the rows of the one root field. */
function columnsOf(text: string): string[] {
  return listColumns(fieldsOf(text)[0]?.fields ?? []).map(({ name }) => name);
}

describe("the columns of an operation", () => {
  it.each<[name: string, text: string, want: string[]]>([
    ["are in the order of the selection", "{ streams { amount id } }", ["amount", "id"]],
    ["have dots for references", "{ streams { asset { symbol id } } }", ["asset.symbol", "asset.id"]],
    ["have the aliases of the answer", "{ streams { a: id b: asset { s: symbol } } }", ["a", "b.s"]],
    ["contain one list each", "{ streams { id segments { position } tags } }", ["id", "segments", "tags"]],
    [
      "include the fields of fragments",
      "{ streams { ...A ... on Stream { tags } } } fragment A on Stream { id ...B } fragment B on Stream { amount }",
      ["id", "amount", "tags"],
    ],
    [
      "are listed once for a repeated key",
      "{ streams { asset { id } id asset { symbol } id } streams { amount } }",
      ["asset.id", "asset.symbol", "id", "amount"],
    ],
    ["include a field that may be skipped", "query A($b: Boolean!) { streams { id @skip(if: $b) } }", ["id"]],
    ["exclude a field that a directive always skips", "{ streams { id @skip(if: true) tags } }", ["tags"]],
    ["include __typename", "{ node { __typename ... on Stream { amount } } }", ["__typename", "amount"]],
  ])("%s", (_, text, want) => {
    expect(columnsOf(text)).toEqual(want);
  });

  it("distinguish lists from values and objects, also in fragments on the types of an interface", () => {
    const fields = fieldsOf("{ streams { id } node { ... on Stream { tags segments { position } } id } }");
    const lists = [...fields, ...(fields[1]?.fields ?? [])].filter(({ isList }) => isList);
    expect(lists.map(({ name }) => name)).toEqual(["streams", "tags", "segments"]);
  });
});

describe("a row", () => {
  const [{ fields } = { fields: null }] = fieldsOf(
    "{ streams { id asset { symbol } segments { position } __proto__: amount } }",
  );
  const row = buildRow(
    JSON.parse(
      '{"__proto__": "9", "segments": [{"position": 2, "more": 1}, {"position": 1}], "stray": 1, "asset": {"id": "a", "symbol": "S"}, "id": "x"}',
    ),
    fields ?? [],
  );

  it("has the selected keys in their order, whatever the order of the answer", () => {
    expect(JSON.stringify(row)).toBe(
      '{"id":"x","asset":{"symbol":"S"},"segments":[{"position":2},{"position":1}],"__proto__":"9"}',
    );
  });

  it("has a text for every column, which is empty for a null reference and for missing fields", () => {
    const textsOf = (one: unknown) => listColumns(fields ?? []).map((column) => cellText(one, column));
    expect(textsOf(row)).toEqual(["x", "S", '[{"position":2},{"position":1}]', "9"]);
    expect(textsOf(buildRow({ asset: null }, fields ?? []))).toEqual(["", "", "", ""]);
  });

  it.each([[null], ["text"], [[]], [undefined]])("is null for %j", (value) => {
    expect(buildRow(value, fields ?? [])).toBeNull();
  });
});
