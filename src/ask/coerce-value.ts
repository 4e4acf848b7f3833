import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import { listSome } from "../base/clean-text.ts";
import { findNamed } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/parse-json.ts";
import { displayText, nearestName } from "../base/text.ts";
import type { ScalarFacts } from "../dialects/style.ts";
import { isRelativeTime, parseTime, TIME_FORMS } from "./parse-time.ts";
import type { Place } from "./time-places.ts";

/** The scalars of a style by name. Other named types are enums, sent as text. */
export type Scalars = ReadonlyMap<string, ScalarFacts>;

export type Target = {
  readonly type: GraphQLInputType;
  readonly scalars: Scalars;
  /** The path of the value in errors: `$where.amount_gt`. */
  readonly path: string;
  readonly place: Place;
  /** Whether addresses keep their case, because the indexer may store them with a checksum. */
  readonly keepsCase: boolean;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
};

/**
 * Coerces the value of a variable to the value that is sent. Big numbers stay text, to their last digit. Times can be
 * dates, and addresses are sent in lower case, as indexers store them.
 *
 * @param value as `parseExactJson` returns it.
 * @throws UsageError for a value that is not of the type.
 */
export function coerceValue(value: unknown, target: Target): unknown {
  const { type, path } = target;
  if (isNonNullType(type)) {
    return value === null ? refuse(value, target) : coerceValue(value, { ...target, type: type.ofType });
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (!Array.isArray(value)) return refuse(value, target, "write a list in JSON.");
    return value.map((item, index) =>
      coerceValue(item, { ...target, type: type.ofType, path: `${path}[${index}]` }),
    );
  }
  if (isInputObjectType(type)) {
    if (!isObject(value) || value instanceof ExactNumber) {
      return refuse(value, target, "write it as an object in JSON.");
    }
    const fields = Object.values(type.getFields());
    const missing = fields.find((field) => isRequiredInputField(field) && !Object.hasOwn(value, field.name));
    if (missing) return refuse(value, target, `"${missing.name}" is required.`);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const field = findNamed(fields, key);
        if (!field) return refuseKey(key, path, type);
        const place = target.place.of(type.name, key);
        return [key, coerceValue(inner, { ...target, type: field.type, path: `${path}.${key}`, place })];
      }),
    );
  }
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    if (typeof value === "string" && names.includes(value)) return value;
    const nearest = typeof value === "string" ? nearestName(value, names) : null;
    return refuse(value, target, nearest ? `did you mean "${nearest}"?` : `known: ${names.join(", ")}.`);
  }
  return coerceScalar(value, type, target);
}

function coerceScalar(written: unknown, type: GraphQLScalarType, target: Target): unknown {
  const family = target.scalars.get(type.name)?.family;
  const isNumber = family === "number" || family === "integer";
  const value = isNumber && typeof written === "string" ? readNumber(written, target) : written;
  const number = value instanceof ExactNumber ? value.text : null;
  switch (family) {
    case "boolean":
      return typeof value === "boolean" ? value : refuse(value, target, "write true or false.");
    case "integer": {
      const whole = Number(number ?? Number.NaN);
      return whole === Math.trunc(whole) && whole >> 0 === whole ? whole : refuse(value, target);
    }
    case "float":
      return Number.isFinite(Number(number ?? Number.NaN)) ? Number(number) : refuse(value, target);
    case "number": {
      const text = number ?? value;
      return typeof text === "string" && DECIMAL.test(text) ? text : refuse(value, target);
    }
    case "json":
      return withoutExact(value);
    case "timestamp":
      return number ?? (typeof value === "string" ? value : refuse(value, target));
    default:
      // An id can be written as a number.
      if (number !== null && type.name === "ID" && /^\d+$/.test(number)) return number;
      if (typeof value !== "string") return refuse(value, target);
      return target.keepsCase ? value : lowerAddress(value);
  }
}

/** Reads a text in the place of a number: a time, or the text of a number. */
function readNumber(text: string, { place, now, path }: Target): unknown {
  if (DECIMAL.test(text)) return text;
  const isLikeTime = isRelativeTime(text) || /^\d{4}-\d\d/.test(text);
  if (place.isTime) {
    const seconds = parseTime(text, now);
    if (seconds !== null) return new ExactNumber(String(seconds));
    throw new UsageError({
      sentence: `${displayText(path, [])} must be a time; got ${displayText(JSON.stringify(text), [])}.`,
      hint: `write ${TIME_FORMS}.`,
    });
  }
  if (!isLikeTime) return text;
  throw new UsageError({
    sentence: `${displayText(path, [])} is not compared with times, so it cannot be ${displayText(JSON.stringify(text), [])}.`,
    hint: "write a number; `times` of the protocol lists the fields with times.",
  });
}

/** Returns an address or hash, or an id with one, in lower case. */
function lowerAddress(text: string): string {
  return WITH_ADDRESS.test(text) ? text.replaceAll(ADDRESS, (address) => address.toLowerCase()) : text;
}

const ADDRESS = /(?<!\w)0x([\da-f]{40}|[\da-f]{64})(?!\w)/gi;
const WITH_ADDRESS = /^(\w+-)*0x[\da-f]{40,64}(-\w+)*$/i;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Converts exact numbers to numbers; to text if a number would lose a digit. */
function withoutExact(value: unknown): unknown {
  return mapLeaves(value, (leaf) => {
    if (!(leaf instanceof ExactNumber)) return leaf;
    return String(Number(leaf.text)) === leaf.text ? Number(leaf.text) : leaf.text;
  });
}

function mapLeaves(value: unknown, map: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map));
  if (!isObject(value) || value instanceof ExactNumber) return map(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(members.map(([key, inner]) => [key, mapLeaves(inner, map)]));
}

function refuse(value: unknown, { type, path }: Target, hint?: string): never {
  throw new UsageError({
    sentence: `${displayText(path, [])} must be of type ${type}; got ${displayText(describe(value), [])}.`,
    ...(hint === undefined ? {} : { hint }),
  });
}

function describe(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : JSON.stringify(value);
}

function refuseKey(key: string, path: string, type: GraphQLInputObjectType): never {
  const nearest = nearestName(key, Object.keys(type.getFields()));
  throw new UsageError({
    sentence: `Unknown field "${displayText(key, [])}" of ${type.name} in ${displayText(path, [])}.`,
    hint: nearest
      ? `did you mean "${nearest}"?`
      : `${type.name} has ${listSome(Object.keys(type.getFields()), 6)}.`,
  });
}

/** A number in JSON with all of its digits; a JavaScript number keeps about fifteen. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses JSON without rounding a number: each is an `ExactNumber`.
 *
 * @returns undefined for invalid JSON.
 */
export function parseExactJson(json: string): unknown {
  try {
    JSON.parse(json);
    // Strings and numbers become strings, with a first letter for the kind. Keys stay.
    const marked = json.replace(TOKEN, (token, colon) => {
      if (colon !== undefined) return token;
      return token[0] === '"' ? `"t${token.slice(1)}` : `"n${token}"`;
    });
    return JSON.parse(marked, (_, value) => {
      if (typeof value !== "string") return value;
      return value[0] === "n" ? new ExactNumber(value.slice(1)) : value.slice(1);
    });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Converts a JavaScript value, bigints included, to the form of `parseExactJson`. */
export function toExact(value: unknown): unknown {
  const isNumber = (leaf: unknown) => typeof leaf === "number" || typeof leaf === "bigint";
  return mapLeaves(value, (leaf) => (isNumber(leaf) ? new ExactNumber(String(leaf)) : leaf));
}
