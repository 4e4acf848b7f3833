import { Kind, type ValueNode } from "graphql";

/**
 * A value of a request, whether written in the document or sent as a JSON variable. Numbers keep the text
 * they were written with, because `numeric` has more digits than a JavaScript number.
 */
export type Input =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly text: string }
  | { readonly kind: "float"; readonly text: string }
  /** `json` tells a JSON string, which may stand for an enum value, from a string of the document. */
  | { readonly kind: "string"; readonly value: string; readonly json: boolean }
  | { readonly kind: "enum"; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly Input[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, Input])[] }
  | { readonly kind: "variable"; readonly name: string };

/** A value of the document. */
export function inputFromNode(node: ValueNode): Input {
  switch (node.kind) {
    case Kind.NULL:
      return { kind: "null" };
    case Kind.BOOLEAN:
      return { kind: "boolean", value: node.value };
    case Kind.INT:
      return { kind: "integer", text: node.value };
    case Kind.FLOAT:
      return { kind: "float", text: node.value };
    case Kind.STRING:
      return { kind: "string", value: node.value, json: false };
    case Kind.ENUM:
      return { kind: "enum", value: node.value };
    case Kind.LIST:
      return { kind: "list", items: node.values.map(inputFromNode) };
    case Kind.OBJECT:
      return {
        kind: "object",
        entries: node.fields.map((field) => [field.name.value, inputFromNode(field.value)] as const),
      };
    case Kind.VARIABLE:
      return { kind: "variable", name: node.name.value };
  }
}

/** The value of a variable, as parsed JSON. */
export function inputFromJson(value: unknown): Input {
  switch (typeof value) {
    case "boolean":
      return { kind: "boolean", value };
    case "number":
      return { kind: Number.isInteger(value) ? "integer" : "float", text: String(value) };
    case "string":
      return { kind: "string", value, json: true };
    case "object":
      if (value === null) return { kind: "null" };
      if (Array.isArray(value)) return { kind: "list", items: value.map(inputFromJson) };
      return {
        kind: "object",
        entries: Object.entries(value).map(([key, item]) => [key, inputFromJson(item)] as const),
      };
    default:
      return { kind: "null" };
  }
}

/** What the server calls such a value in `… but found a list`. */
export function describeInput(input: Input): string {
  switch (input.kind) {
    case "null":
      return "null";
    case "enum":
      return "an enum value";
    case "integer":
      return "an integer";
    case "object":
      return "an object";
    default:
      return `a ${input.kind}`;
  }
}

/** What the JSON parser calls such a value in `… but encountered Number`. */
export function jsonTypeName(input: Input): string {
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
