import {
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import { findNamed } from "../../base/collections.ts";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/parse-json.ts";
import { displayText, nearestName } from "../../base/text.ts";
import type { ScalarFacts } from "../../dialects/style.ts";

/** The scalars of a style by name. What is not among them is an enum that travels as text. */
export type Scalars = ReadonlyMap<string, ScalarFacts>;

/**
 * Coerces a value of a variable to what is sent for it: big numbers stay text, to their last digit.
 *
 * @param value as `parseExactJson` gives it.
 * @param path where it stands: `$where.amount_gt`.
 * @throws UsageError for what is not of the type.
 */
export function coerceValue(value: unknown, type: GraphQLInputType, scalars: Scalars, path: string): unknown {
  if (isNonNullType(type)) {
    return value === null ? refuse(value, path, type) : coerceValue(value, type.ofType, scalars, path);
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (!Array.isArray(value)) return refuse(value, path, type, "a list is written in JSON.");
    return value.map((item, index) => coerceValue(item, type.ofType, scalars, `${path}[${index}]`));
  }
  if (isInputObjectType(type)) {
    if (!isObject(value) || value instanceof ExactNumber) {
      return refuse(value, path, type, "it is written in JSON, as an object.");
    }
    const fields = Object.values(type.getFields());
    const missing = fields.find((field) => isRequiredInputField(field) && !Object.hasOwn(value, field.name));
    if (missing) return refuse(value, path, type, `it needs "${missing.name}".`);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const field = findNamed(fields, key);
        if (!field) return refuseKey(key, path, type.name, fields);
        return [key, coerceValue(inner, field.type, scalars, `${path}.${key}`)];
      }),
    );
  }
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    if (typeof value === "string" && names.includes(value)) return value;
    const nearest = typeof value === "string" ? nearestName(value, names) : null;
    return refuse(value, path, type, nearest ? `did you mean "${nearest}"?` : `known: ${names.join(", ")}.`);
  }
  return coerceScalar(value, type, scalars, path);
}

function coerceScalar(value: unknown, type: GraphQLScalarType, scalars: Scalars, path: string): unknown {
  const number = value instanceof ExactNumber ? value.text : null;
  switch (scalars.get(type.name)?.family) {
    case "boolean":
      return typeof value === "boolean" ? value : refuse(value, path, type, "true or false.");
    case "integer": {
      const whole = Number(number ?? Number.NaN);
      return whole === Math.trunc(whole) && whole >> 0 === whole ? whole : refuse(value, path, type);
    }
    case "float":
      return Number.isFinite(Number(number ?? Number.NaN)) ? Number(number) : refuse(value, path, type);
    case "number": {
      const text = number ?? value;
      return typeof text === "string" && DECIMAL.test(text) ? text : refuse(value, path, type);
    }
    case "json":
      return withoutExact(value);
    case "timestamp":
      return number ?? (typeof value === "string" ? value : refuse(value, path, type));
    default:
      // An id may be written as the number that it is.
      if (number !== null && type.name === "ID" && /^\d+$/.test(number)) return number;
      return typeof value === "string" ? value : refuse(value, path, type);
  }
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A value of no type of its own, which keeps its text where a number would lose a digit. */
function withoutExact(value: unknown): unknown {
  if (value instanceof ExactNumber) {
    return String(Number(value.text)) === value.text ? Number(value.text) : value.text;
  }
  if (Array.isArray(value)) return value.map(withoutExact);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutExact(inner)]));
}

function refuse(value: unknown, path: string, type: GraphQLInputType, hint?: string): never {
  throw new UsageError({
    sentence: `${displayText(path, [])} is of the type ${type}, which ${displayText(describe(value), [])} is not.`,
    ...(hint === undefined ? {} : { hint }),
  });
}

function describe(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : JSON.stringify(value);
}

function refuseKey(
  key: string,
  path: string,
  type: string,
  fields: readonly { readonly name: string }[],
): never {
  const nearest = nearestName(
    key,
    fields.map(({ name }) => name),
  );
  throw new UsageError({
    sentence: `${displayText(path, [])} has "${displayText(key, [])}", which ${type} does not know.`,
    hint: nearest ? `did you mean "${nearest}"?` : `\`lockflow\` reads it as the GraphQL type ${type}.`,
  });
}

/** A number of a JSON text, to its last digit: a number of JavaScript has fifteen. */
export class ExactNumber {
  /** As it is written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses JSON without rounding a number: each is an `ExactNumber`.
 *
 * @returns undefined for what is no JSON.
 */
export function parseExactJson(json: string): unknown {
  try {
    JSON.parse(json);
    // Texts and numbers both become texts, with a letter that tells which they were. Keys are texts as well.
    const marked = json.replace(TOKEN, (token) => (token[0] === '"' ? `"t${token.slice(1)}` : `"n${token}"`));
    return unmark(JSON.parse(marked));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function unmark(value: unknown): unknown {
  if (typeof value === "string") {
    return value[0] === "n" ? new ExactNumber(value.slice(1)) : value.slice(1);
  }
  if (Array.isArray(value)) return value.map(unmark);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.slice(1), unmark(inner)]));
}

/** The same form of a value of JavaScript, of which big numbers may be bigints. */
export function toExact(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return new ExactNumber(String(value));
  if (Array.isArray(value)) return value.map(toExact);
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, toExact(inner)]])),
  );
}
