import { type OperationDefinitionNode, parse } from "graphql";
import { expect, it } from "vitest";
import { buildVariableSample, requiredVariables } from "../../src/tasks/sync/sample-variables.ts";

function read(text: string) {
  const document = parse(text);
  const operation = document.definitions[0] as OperationDefinitionNode;
  return { operation, sample: buildVariableSample(operation, document) };
}

it.each<[name: string, text: string, query: string]>([
  [
    "a subgraph's filter",
    "query A($r: Bytes!, $first: Int! = 9) { mine: streams(where: { recipient: $r }, first: $first) { ...F } } fragment F on Stream { recipient }",
    "query ($first: Int! = 9) { streams(first: $first) { recipient } }",
  ],
  [
    "a multichain filter",
    "query A($r: String!, $c: numeric!) { Stream(where: { recipient: { _eq: $r }, chainId: { _eq: $c } }, limit: 2) { recipient chainId } }",
    "{ Stream(limit: 2) { recipient chainId } }",
  ],
])("buildVariableSample selects the columns of %s", (_, text, query) => {
  const { sample } = read(text);
  expect(sample?.query.replace(/\s+/g, " ")).toBe(query);
  const row = { recipient: "0x1", chainId: "5" };
  expect(sample?.readVariables(row)).toMatchObject({ r: "0x1" });
  expect(sample?.readVariables({ recipient: null })).toBeUndefined();
});

it.each<[name: string, text: string]>([
  ["one row by its id", "query A($id: ID!) { stream(id: $id) { id } }"],
  ["a list of values", "query A($in: [Bytes!]!) { streams(where: { recipient_in: $in, id: 1 }) { id } }"],
  ["two lists", "query A($r: Bytes!) { a: streams(where: { sender: $r }) { id } b: streams { id } }"],
  ["a filter that is a variable", "query A($w: Stream_filter!) { streams(where: $w) { id } }"],
  [
    "a fragment",
    "query A($r: Bytes!) { ...F } fragment F on Query { streams(where: { sender: $r }) { id } }",
  ],
])("buildVariableSample returns null for %s", (_, text) => {
  const { operation, sample } = read(text);
  expect(sample).toBeNull();
  expect(requiredVariables(operation).length).toBe(1);
});
