import { Kind, type ValueNode } from "graphql";
import { JsonNumber } from "../served-style.ts";

/**
 * A value of a request. `json` is true for JSON variables, false for literals of the document: the server reads the
 * two by slightly different rules. Numbers keep their text, because `numeric` has more digits than a JavaScript
 * number.
 */
export type QueryValue =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer" | "float"; readonly text: string; readonly json: boolean }
  /** A JSON string is a valid enum value; a string literal is not. */
  | { readonly kind: "string"; readonly value: string; readonly json: boolean }
  | { readonly kind: "enum"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly QueryValue[]; readonly json: boolean }
  | { readonly kind: "object"; readonly entries: readonly InputEntry[]; readonly json: boolean }
  | { readonly kind: "variable"; readonly name: string };

/** A value where a type is expected, and its place in the server's notation. */
export type TypedValue = { readonly value: QueryValue; readonly type: string; readonly path: string };

type InputEntry = readonly [key: string, value: QueryValue];

export function readLiteral(node: ValueNode): QueryValue {
  const json = false;
  switch (node.kind) {
    case Kind.NULL:
      return { kind: "null" };
    case Kind.BOOLEAN:
      return { kind: "boolean", value: node.value };
    case Kind.INT:
      return { kind: "integer", text: node.value, json };
    case Kind.FLOAT:
      return { kind: "float", text: node.value, json };
    case Kind.STRING:
      return { kind: "string", value: node.value, json };
    case Kind.ENUM:
      return { kind: "enum", value: node.value };
    case Kind.LIST:
      return { kind: "list", items: node.values.map(readLiteral), json };
    case Kind.OBJECT:
      return {
        kind: "object",
        entries: node.fields.map((field) => [field.name.value, readLiteral(field.value)] as const),
        json,
      };
    case Kind.VARIABLE:
      return { kind: "variable", name: node.name.value };
  }
}

/** The value of a variable, from parsed JSON. */
export function readJson(value: unknown): QueryValue {
  const json = true;
  switch (typeof value) {
    case "boolean":
      return { kind: "boolean", value };
    case "number":
      return { kind: Number.isInteger(value) ? "integer" : "float", text: String(value), json };
    case "string":
      return { kind: "string", value, json };
    case "object":
      if (value === null) return { kind: "null" };
      if (value instanceof JsonNumber) {
        return { kind: /^-?\d+$/.test(value.text) ? "integer" : "float", text: value.text, json };
      }
      if (Array.isArray(value)) return { kind: "list", items: value.map(readJson), json };
      return {
        kind: "object",
        entries: Object.entries(value).map(([key, item]) => [key, readJson(item)] as const),
        json,
      };
    default:
      return { kind: "null" };
  }
}

/** The server's name of a value in `… but found a list`. */
export function describeInput(input: QueryValue): string {
  switch (input.kind) {
    case "null":
      return "null";
    case "enum":
      return "an enum value";
    case "integer":
      return input.json ? "a number" : "an integer";
    case "float":
      return input.json ? "a number" : "a float";
    case "object":
      return "an object";
    default:
      return `a ${input.kind}`;
  }
}

/** The JSON parser's name of a value in `… but encountered Number`. */
export function jsonTypeName(input: QueryValue): string {
  switch (input.kind) {
    case "null":
      return "Null";
    case "boolean":
      return "Boolean";
    case "integer":
    case "float":
      return "Number";
    case "list":
      return "Array";
    case "object":
      return "Object";
    default:
      return "String";
  }
}
