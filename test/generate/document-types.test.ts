import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { documentTypes } from "../../src/generate/document-types.ts";
import { parseOperations } from "../../src/generate/parse-operations.ts";
import { parseTypeDeclarations } from "../../src/generate/parse-type-declarations.ts";

describe("types that no release of the plugin writes", () => {
  const unreadable: [name: string, text: string][] = [
    ["an interface", "export interface A { a: string }"],
    ["an array", "export type A = string[];"],
    ["a function", "export type A = () => void;"],
    ["half a type", "export type A = { a: string"],
    ["a template literal", "export type A = `0x`;"],
    ["a constant", "export const a = 1;"],
  ];

  it.each(unreadable)("error: %s", (_, text) => {
    expect(() => parseTypeDeclarations(text, new Map())).toThrow(
      /^The types of the operations cannot be read at ".+"\.$/,
    );
  });

  const strange: [name: string, text: string, message: string][] = [
    [
      "a key that is not selected",
      "export type QQuery = { a: number, moon: string };",
      'The type that was made for "Query" has moon, which no object of it is asked for.',
    ],
    [
      "a type of no operation",
      "export type PQuery = { a: number };",
      'There is a type "PQuery" that no operation, fragment or input is called after.',
    ],
  ];

  it.each(strange)("error: %s", (_, text, message) => {
    const schema = buildSchema("type Query { a: Int }");
    const source = { path: "q.graphql", text: "query Q { a }" };
    const { set } = parseOperations([source], "lockup", "subgraph");
    const docs = { docOf: () => null, isOfEntityField: () => false };
    const declarations = parseTypeDeclarations(text, new Map());
    expect(() => documentTypes(declarations, { set, schema, docs })).toThrow(new TypeError(message));
  });
});
