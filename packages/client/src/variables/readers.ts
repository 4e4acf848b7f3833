import { refuseValue } from "../client/indexer-error.ts";
import type { Reader } from "../client/portable-operation.ts";
import { isObject } from "../client/values.ts";

/** Reads bytes in hex: in lower case, with one prefix. */
export function bytes(value: unknown, path: string): string {
  const text = requireForm(value, path, "bytes in hex", /^string (0x)*([\da-fA-F]{2})*$/);
  return text.toLowerCase().replace(/^(0x)*/, "0x");
}

export function text(value: unknown, path: string): string {
  return requireForm(value, path, "a string", /^string /);
}

/** Reads text with bytes among its parts, such as an id: the bytes in lower case. */
export function textWithBytes(value: unknown, path: string): string {
  return lowerBytes(text(value, path));
}

export function id(value: unknown, path: string): string {
  return requireForm(value, path, "a string or an integer", /^(string |(number|bigint) -?\d+$)/);
}

/** Reads an id with bytes among its parts: the bytes in lower case. */
export function idWithBytes(value: unknown, path: string): string {
  return lowerBytes(id(value, path));
}

function lowerBytes(id: string): string {
  return id.replace(/0x[\da-f]+/gi, (bytes) => bytes.toLowerCase());
}

/** Reads a `BigInt` as text. Some lists of numbers are compared as text, so that zeros before a number matter. */
export function bigInt(value: unknown, path: string): string {
  // A JavaScript number is exact up to 15 digits.
  const form = /^(string|bigint|number(?= -?\d{1,15}$)) [+-]?\d+$/;
  return String(BigInt(requireForm(value, path, "an integer as a string or bigint", form)));
}

/** Reads the id of a chain as text. */
export function chainId(value: unknown, path: string): string {
  return requireForm(value, path, "the id of a chain", /^(string|number|bigint) \d+$/);
}

/** Reads the id of a chain as a number, for variables of the type `Int`. */
export function chainNumber(value: unknown, path: string): number {
  return Number(chainId(value, path));
}

export function decimal(value: unknown, path: string): string {
  // Subgraphs round values with more significant digits.
  const form =
    /^(string|number|bigint) [+-]?(?![0.]*[1-9](\.?\d){33,}\.?[1-9])(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
  return requireForm(value, path, "a decimal number of at most 34 digits", form);
}

export function int(value: unknown, path: string): number {
  return Number(requireForm(value, path, "an integer as a number", /^number -?\d{1,10}$/));
}

/** Reads the number of rows of a list. */
export function size(value: unknown, path: string): number {
  return requireRange(int(value, path), path, { least: 1, most: 1000 });
}

/** Reads the number of rows to skip. */
export function offset(value: unknown, path: string): number {
  return requireRange(int(value, path), path, { least: 0, most: 5000 });
}

function requireRange(
  value: number,
  path: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  return value < least || value > most
    ? refuseValue(path, `an integer from ${least} to ${most}`, value)
    : value;
}

export function flag(value: unknown, path: string): boolean {
  return requireForm(value, path, "true or false", /^boolean /) === "true";
}

/** Reads the direction of an order. */
export function direction(value: unknown, path: string): string {
  return requireForm(value, path, '"asc" or "desc"', /^string (a|de)sc$/);
}

/** Reads a block: its number, its hash, or the least number. */
export function block(value: unknown, path: string): object {
  const given = isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
  const [[key = "", member] = [], ...others] = given;
  const isHash = key === "hash" && /^string 0x[\da-f]{64}$/i.test(`${typeof member} ${member}`);
  if (others.length > 0 || !(isHash || /^number(_gte)?$/.test(key))) {
    refuseValue(path, "a block: { number }, { hash } or { number_gte }", value);
  }
  return { [key]: isHash ? String(member).toLowerCase() : blockNumber(member, path) };
}

/** Reads the number of a block. */
export function blockNumber(value: unknown, path: string): number {
  const number = (typeof value === "bigint" ? Number(value) : value) as number;
  return Number.isSafeInteger(number) && number >= 0 ? number : refuseValue(path, "a block number", value);
}

/** Reads a filter, or a list of filters, which `mapFilter` checks. */
export function filter(value: unknown, path: string): unknown {
  return value || refuseValue(path, "a filter", value);
}

/** Returns a value as text if it matches a pattern, which begins with its JavaScript type. */
export function requireForm(value: unknown, path: string, expected: string, form: RegExp): string {
  // An object chooses its own text.
  const typed = Object(value) === value ? "" : `${typeof value} ${String(value)}`;
  // Databases refuse NUL, and UTF-8 cannot encode halves of surrogate pairs.
  if (/[\0\p{Cs}]/u.test(typed)) refuseValue(path, "text without NUL and lone surrogates", value);
  return form.test(typed) ? String(value) : refuseValue(path, expected, value);
}

/** Reads a list. A single value is refused, because only one of the styles accepts it. */
export function readList(value: unknown, path: string, read: Reader): unknown[] {
  // `Array.from` also visits holes, which have to be refused.
  return Array.isArray(value)
    ? Array.from(value, (item) => read(item, path))
    : refuseValue(path, "a list", value);
}

/**
 * Builds the pattern that a subgraph builds from a text, or from each text of a list. It escapes nothing; for `contains`, a
 * text that begins or ends with `%` is the whole pattern.
 *
 * @param before the text before it; if it contains `0x`, the text must be bytes.
 */
export function pattern(before: string, value: unknown, after: string, path: string): unknown {
  if (value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => pattern(before, item, after, path));
  const given = String(value);
  const isWhole = before + after === "%%" && /^%|%$/.test(given);
  const written = before.includes("0x") ? bytes(value, path).slice(2) : given;
  const whole = isWhole ? given : before + written + after;
  // Databases fail for a backslash at the end, but only if there is a row to match.
  if (/(^|[^\\])(\\\\)*\\$/.test(whole))
    refuseValue(path, "a pattern that does not end in a backslash", given);
  return whole;
}
