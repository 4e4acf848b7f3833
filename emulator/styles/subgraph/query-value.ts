import { Kind, type ValueNode } from "graphql";
import { compareText } from "../compare.ts";
import { JsonNumber } from "../served-style.ts";
import { showText } from "./scalars.ts";

/** A value of a query, with the server's distinctions: an enum literal is not a string, an integer not a float. */
export type QueryValue =
  | { readonly kind: "Null" }
  | { readonly kind: "Boolean"; readonly value: boolean }
  | { readonly kind: "Int"; readonly value: bigint }
  | { readonly kind: "Float"; readonly value: number }
  | { readonly kind: "String"; readonly value: string }
  | { readonly kind: "Enum"; readonly value: string }
  | { readonly kind: "List"; readonly values: readonly QueryValue[] }
  | { readonly kind: "Object"; readonly entries: ReadonlyMap<string, QueryValue> };

export const NULL: QueryValue = { kind: "Null" };

/** Missing variables are explicit nulls, also inside objects. */
export type Variables = ReadonlyMap<string, QueryValue>;

export function readLiteral(node: ValueNode, variables: Variables): QueryValue {
  switch (node.kind) {
    case Kind.NULL:
      return NULL;
    case Kind.BOOLEAN:
      return { kind: "Boolean", value: node.value };
    case Kind.INT:
      return { kind: "Int", value: BigInt(node.value) };
    case Kind.FLOAT:
      return { kind: "Float", value: Number(node.value) };
    case Kind.STRING:
      return { kind: "String", value: node.value };
    case Kind.ENUM:
      return { kind: "Enum", value: node.value };
    case Kind.VARIABLE:
      return variables.get(node.name.value) ?? NULL;
    case Kind.LIST:
      return { kind: "List", values: node.values.map((item) => readLiteral(item, variables)) };
    case Kind.OBJECT:
      return objectValue(
        node.fields.map((field) => [field.name.value, readLiteral(field.value, variables)] as const),
      );
  }
}

/**
 * The value of a JSON variable. A number outside 32 bits becomes a float, as on the server; integer types therefore
 * refuse it.
 */
export function readJson(value: unknown): QueryValue {
  if (typeof value === "boolean") return { kind: "Boolean", value };
  if (typeof value === "string") return { kind: "String", value };
  if (typeof value === "number") {
    return Number.isInteger(value) && (value | 0) === value
      ? { kind: "Int", value: BigInt(value) }
      : { kind: "Float", value };
  }
  if (value instanceof JsonNumber) return readNumber(value.text);
  if (Array.isArray(value)) return { kind: "List", values: value.map(readJson) };
  if (typeof value === "object" && value !== null) {
    return objectValue(Object.entries(value).map(([key, item]) => [key, readJson(item)] as const));
  }
  return NULL;
}

/**
 * A number of a JSON text. The server reads it as a float if its library would print one, and only gets other large
 * numbers inside objects.
 */
function readNumber(text: string): QueryValue {
  const value = Number(text);
  if (/^-?\d{1,20}$/.test(text)) return readJson(value);
  const written = text.replace(/[eE]\+?(?=\d)/, "e+").replace("E", "e");
  // The library starts exponents one digit later than messages do.
  const exponent = showFloat(value)
    .replace(/e(?=\d)/, "e+")
    .replace(/e-5$/, "");
  if (written === exponent || written === plainFloat(value)) {
    return { kind: "Float", value };
  }
  return objectValue([["$serde_json::private::Number", { kind: "String", value: written }]]);
}

/** An object with keys in byte order, like the server's: filters are read and printed in that order. */
function objectValue(entries: readonly (readonly [string, QueryValue])[]): QueryValue {
  return { kind: "Object", entries: new Map([...entries].sort(([a], [b]) => compareText(a, b))) };
}

/** The value as error messages print it, in the notation of Rust's `{:?}`. */
export function showValue(value: QueryValue): string {
  switch (value.kind) {
    case "Null":
      return "Null";
    case "Boolean":
      return `Boolean(${value.value})`;
    case "Int":
      return `Int(Number(${BigInt.asIntN(32, value.value)}))`;
    case "Float":
      return `Float(${showFloat(value.value)})`;
    case "String":
      return `String(${showText(value.value)})`;
    case "Enum":
      return `Enum(${showText(value.value)})`;
    case "List":
      return `List([${value.values.map(showValue).join(", ")}])`;
    case "Object":
      return `Object({${[...value.entries].map(([key, item]) => `${showText(key)}: ${showValue(item)}`).join(", ")}})`;
  }
}

/** The value as GraphQL text, which some messages print instead. */
export function printQueryValue(value: QueryValue): string {
  switch (value.kind) {
    case "Null":
      return "null";
    case "Boolean":
    case "Int":
      return String(value.value);
    case "Float":
      return plainFloat(value.value);
    case "String":
      return showText(value.value);
    case "Enum":
      return value.value;
    case "List":
      return `[${value.values.map(printQueryValue).join(", ")}]`;
    case "Object":
      return `{${[...value.entries].map(([key, item]) => `${key}: ${printQueryValue(item)}`).join(", ")}}`;
  }
}

/** A float in plain notation, like Rust's `Display`: without an exponent, whatever the size. */
export function plainFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const text = Object.is(value, -0) ? "-0" : String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}

function showFloat(value: number): string {
  if (!Number.isFinite(value)) return plainFloat(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) return value.toExponential().replace("e+", "e");
  const text = plainFloat(value);
  return text.includes(".") ? text : `${text}.0`;
}
