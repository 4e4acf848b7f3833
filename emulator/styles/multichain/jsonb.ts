import { compareText } from "../compare.ts";
import { JsonNumber } from "../served-style.ts";
import { compareDecimals, type Decimal, formatDecimal, integerDecimal, parseDecimal } from "./decimal.ts";

/** A value of a `jsonb` column. Numbers keep the digits and the scale that JavaScript would drop. */
export type Json =
  | null
  | boolean
  | number
  | JsonNumber
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Parses a row's JSON text; a text that is not JSON stands for itself. */
export function storedJson(value: string | number | boolean | readonly unknown[]): Json {
  if (typeof value !== "string") return value as Json;
  try {
    return MAY_LOSE_DIGITS.test(value) ? parseExactly(value) : JSON.parse(value);
  } catch {
    return value;
  }
}

/** Many digits, an exponent, or a trailing zero of a fraction. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE]|\.\d*0(?!\d)/;

/** Keeps numbers from `JSON.parse` by marking them with a character that `jsonb` cannot hold. */
function parseExactly(text: string): Json {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (token) =>
    token.startsWith('"') || token === String(Number(token)) ? token : JSON.stringify(MARK + token),
  );
  return JSON.parse(marked, (_key, value: Json) =>
    typeof value === "string" && value.startsWith(MARK) ? new JsonNumber(value.slice(MARK.length)) : value,
  );
}

const MARK = "\u0000";

/** Postgres orders keys by length, then by bytes. */
function keysOf(value: { readonly [key: string]: Json }): readonly string[] {
  return Object.keys(value).sort((a, b) => byteLength(a) - byteLength(b) || compareText(a, b));
}

/** The value as plain JavaScript. */
export function plainJson(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (isArray(value)) return value.map(plainJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(keysOf(value).map((key) => [key, plainJson(value[key] ?? null)]));
}

/** The value cast to text by Postgres: with blanks after commas and colons. */
export function jsonText(value: Json): string {
  return writeJson(value, (number) => formatDecimal(decimalOf(number)));
}

/** A text that is equal for equal values. */
export function jsonKeyText(value: Json): string {
  return writeJson(value, (number) => {
    const text = formatDecimal(decimalOf(number));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  });
}

function writeJson(value: Json, writeNumber: (number: number | JsonNumber) => string): string {
  if (isNumber(value)) return writeNumber(value);
  if (isArray(value)) return `[${value.map((item) => writeJson(item, writeNumber)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = keysOf(value).map(
    (key) => `${JSON.stringify(key)}: ${writeJson(value[key] ?? null, writeNumber)}`,
  );
  return `{${members.join(", ")}}`;
}

/**
 * The order of `jsonb`: null < string < number < boolean < array < object; smaller containers first. A scalar is
 * stored as a list of one, so an empty list comes before it.
 */
export function compareJson(a: Json, b: Json): number {
  if (isEmptyArray(a) && !isContainer(b)) return -1;
  if (isEmptyArray(b) && !isContainer(a)) return 1;
  return compareItems(a, b);
}

function compareItems(a: Json, b: Json): number {
  const rank = jsonRank(a) - jsonRank(b);
  if (rank !== 0) return rank;
  if (isArray(a) && isArray(b)) {
    return (
      a.length - b.length || firstDifference(a.map((item, index) => compareItems(item, b[index] ?? null)))
    );
  }
  if (isObject(a) && isObject(b)) {
    const [keys, others] = [keysOf(a), keysOf(b)];
    if (keys.length !== others.length) return keys.length - others.length;
    return firstDifference(
      keys.flatMap((key, index) => {
        const other = others[index] ?? "";
        return [compareText(key, other), compareItems(a[key] ?? null, b[other] ?? null)];
      }),
    );
  }
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (isNumber(a) && isNumber(b)) return compareDecimals(decimalOf(a), decimalOf(b));
  return Number(a) - Number(b);
}

/** Postgres' `@>`: `whole` includes every part of `part`. An array includes a bare scalar, at the top level only. */
export function containsJson(whole: Json, part: Json, top = true): boolean {
  if (isArray(whole)) {
    if (isArray(part)) return part.every((item) => whole.some((held) => containsJson(held, item, false)));
    return top && !isObject(part) && whole.some((held) => compareItems(held, part) === 0);
  }
  if (isObject(whole)) {
    if (!isObject(part)) return false;
    return Object.entries(part).every(
      ([key, item]) => Object.hasOwn(whole, key) && containsJson(whole[key] ?? null, item, false),
    );
  }
  return compareItems(whole, part) === 0;
}

/** Postgres' `?`: a key of an object, a string in an array, or the string itself. */
export function hasJsonKey(value: Json, key: string): boolean {
  if (isArray(value)) return value.includes(key);
  if (isObject(value)) return Object.hasOwn(value, key);
  return value === key;
}

function decimalOf(number: number | JsonNumber): Decimal {
  const text = typeof number === "number" ? String(number) : number.text;
  return parseDecimal(text) ?? integerDecimal(0n);
}

function jsonRank(value: Json): number {
  if (value === null) return 0;
  if (typeof value === "string") return 1;
  if (isNumber(value)) return 2;
  if (typeof value === "boolean") return 3;
  return isArray(value) ? 4 : 5;
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

function firstDifference(orders: readonly number[]): number {
  return orders.find((order) => order !== 0) ?? 0;
}

function isNumber(value: Json): value is number | JsonNumber {
  return typeof value === "number" || value instanceof JsonNumber;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isEmptyArray(value: Json): boolean {
  return isArray(value) && value.length === 0;
}

function isContainer(value: Json): boolean {
  return isArray(value) || isObject(value);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/**
 * Parses a `path` argument, `$.a.b[0]`; null if malformed. The `$` is optional, and names may have letters of
 * any script.
 */
export function parseJsonPath(path: string): string[] | null {
  if (path === "$") return [];
  const steps: string[] = [];
  let rest = path.replace(/^\$/, "");
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (!match) return null;
    const [whole, name, index, double, single] = match;
    steps.push(name ?? index ?? (double ?? single ?? "").replaceAll(/\\(.)/gs, "$1"));
    rest = rest.slice(whole.length);
  }
  return steps.length === 0 ? null : steps;
}

const STEP = /^\.?(?:([\p{L}\p{N}_-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\])/su;

/** The value at the end of the path; null without one. */
export function followJsonPath(value: Json, steps: readonly string[]): Json {
  return steps.reduce<Json>((at, step) => {
    if (Array.isArray(at))
      return /^-?\d+$/.test(step) ? ((at as readonly Json[]).at(Number(step)) ?? null) : null;
    if (typeof at !== "object" || at === null || at instanceof JsonNumber) return null;
    const object = at as { readonly [key: string]: Json };
    return Object.hasOwn(object, step) ? (object[step] ?? null) : null;
  }, value);
}
