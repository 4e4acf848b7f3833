import type { StyleName } from "../manifest/manifest-types.ts";
import { IndexerError, refuseValue } from "./indexer-error.ts";
import {
  blockVariable,
  type Given,
  IS_SHARED,
  type Kind,
  type PortableOperation,
} from "./portable-operation.ts";
import { isObject, own } from "./values.ts";

/**
 * Maps the variables of a portable operation to those that are sent in a style. Null counts as omitted.
 *
 * @param chainIds the ids of the requested chains, for the multichain indexers.
 * @throws IndexerError `invalid-variables` for values that the styles read differently, whatever the style, and
 *   `no-time-travel` for a block in a style without past blocks.
 */
export function mapVariables<P extends string, R, V, K extends Kind>(
  operation: PortableOperation<P, R, V, K>,
  style: StyleName,
  variables: Given<V>,
  chainIds: readonly (number | string | bigint)[] = [],
): Record<string, unknown> {
  const { variables: declared = {}, wrap = [], map, chainIds: chainVariables = {} } = operation;
  const given = readVariables(operation, variables);
  for (const { to, from, before, after } of wrap) {
    const value = own(given, from);
    const wrapped = (one: unknown) =>
      before + after ? wrapPattern(before, one as string, after, from) : one;
    if (value !== undefined) given[to] = Array.isArray(value) ? value.map(wrapped) : wrapped(value);
  }
  const isMultichain = IS_SHARED[style];
  if (isMultichain && (operation.pinned || own(given, blockVariable(operation)) !== undefined)) {
    throw new IndexerError("no-time-travel", `${operation.name} requests a past block.`, { style });
  }
  const [chain, ...others] = chainIds;
  const mapped = map ? map(given, !isMultichain, others.length > 0 ? undefined : chain) : given;
  const names = (isMultichain && operation.sent) || Object.keys(declared);
  const sent = names.map((name): [string, unknown] => [name, own(mapped, name)]);
  if (isMultichain) {
    for (const [name, type] of Object.entries(chainVariables)) sent.push([name, readChains(type, chainIds)]);
  }
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/**
 * Reads the variables of an operation: bytes in lower case, big numbers as text.
 *
 * @throws IndexerError `invalid-variables` for a value of another type, and for unknown variables.
 */
function readVariables<P extends string, R, V>(
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
): Record<string, unknown> {
  const {
    variables: declared = {},
    bytes = [],
    ids = [],
    nonEmpty = [],
    ranges = [],
    skips = [],
    map,
  } = operation;
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(variables ?? {})) {
    if (own(declared, name) === undefined) refuseVariable(name, Object.keys(declared));
  }
  for (const [name, type] of Object.entries(declared)) {
    let value = own((variables ?? {}) as Record<string, unknown>, name);
    const isGiven = value !== undefined && value !== null;
    if (!isGiven && !type.endsWith("!")) continue;
    // The function `map` reads filters.
    if (type.startsWith("Block_height")) value = readBlock(value, name);
    else if (!map || !/_filter\W*$/.test(type)) {
      const plain = kindOf(type.replace(/\W/g, ""));
      const kind = bytes.includes(name) ? "x" : ids.includes(name) ? plain.toUpperCase() || "S" : plain;
      value = (type.startsWith("[") ? readValues : readValue)(kind, value, name);
    } else if (!value) refuseValue(name, "a filter", value);
    if (nonEmpty.includes(name) && (value as readonly unknown[]).length === 0) {
      refuseValue(name, "a list with at least one item");
    }
    if (ranges.includes(name)) requireRange(value, 1, 1000, name);
    if (skips.includes(name)) requireRange(value, 0, 5000, name);
    given[name] = value;
  }
  return given;
}

/** Reads a block: its number, its hash, or the least number. */
function readBlock(value: unknown, name: string): unknown {
  const given = isObject(value) ? Object.entries(value).filter(([, one]) => one !== undefined) : [];
  const [[key = "", one] = [], ...others] = given;
  const isValid = key === "hash" ? /^string 0x[\da-f]{64}$/i : /^number \d{1,10}$/;
  if (others.length > 0 || !/^(hash|number(_gte)?)$/.test(key) || !isValid.test(`${typeof one} ${one}`)) {
    refuseValue(name, "a block: { number }, { hash } or { number_gte }", value);
  }
  return { [key]: key === "hash" ? String(one).toLowerCase() : one };
}

function requireRange(value: unknown, least: number, most: number, name: string): void {
  if ((value as number) < least || (value as number) > most) {
    refuseValue(name, `an integer from ${least} to ${most}`, value);
  }
}

/** Chain ids are sent as text, except for the type `Int`. A row that is looked up by id has one chain. */
function readChains(type: string, chainIds: readonly (number | string | bigint)[]): unknown {
  const ids = readValues("n", chainIds, "chainIds").map((id) => (/\bInt!/.test(type) ? Number(id) : id));
  if (!type.startsWith("[")) {
    return ids.length === 1 ? ids[0] : refuseValue("chainIds", "a list of one chain id");
  }
  return ids.length > 0 ? ids : refuseValue("chainIds", "a list with at least one item");
}

function refuseVariable(name: string, declared: readonly string[]): never {
  const names = declared.map((one) => `$${one}`).join(", ");
  const known = names === "" ? "has no variables" : `takes ${names}`;
  const near = declared.find((one) => likeness(name, one) > 0.7);
  const hint = near ? ` Did you mean $${near}?` : "";
  throw new IndexerError(
    "invalid-variables",
    `Unknown variable $${name.slice(0, 200)}; the operation ${known}.${hint}`,
  );
}

/** The share of letters that two names have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  let rest = other.toLowerCase();
  for (const letter of one.toLowerCase()) rest = rest.replace(letter, "");
  return (2 * (other.length - rest.length)) / (one.length + other.length);
}

/**
 * Builds the pattern that a subgraph builds from a text. It escapes nothing; for `contains`, a text that begins or ends with
 * `%` is the whole pattern.
 *
 * @param before the text before it; if it contains `0x`, the text must be bytes.
 */
export function wrapPattern(before: string, text: string, after: string, path: string): string {
  const isWhole = before + after === "%%" && /^%|%$/.test(text);
  const isBytes = before.includes("0x");
  const written = isBytes ? (readValue("x", text, path) as string).slice(2) : text;
  const pattern = isWhole ? text : before + written + after;
  // Databases fail for a backslash at the end, but only if there is a row to match.
  if (/(^|[^\\])(\\\\)*\\$/.test(pattern))
    refuseValue(path, "a pattern that does not end in a backslash", text);
  return pattern;
}

/**
 * Converts a value to the form that both styles read alike: bytes in lower case, big numbers as text.
 *
 * @param kind `x` bytes, `n` BigInt, `N` BigInt of 32 bits, `d` BigDecimal, `i` ID, `#` Int, `b` Boolean, `o` a direction; `I` an ID and `S` a text that contain bytes; anything else is text.
 * @param path the path of the value, for the error.
 */
export function readValue(kind: string, value: unknown, path: string): unknown {
  const { expected, pattern } = FORMS[kind] ?? TEXT;
  // An object chooses its own text.
  const typed = Object(value) === value ? "" : `${typeof value} ${String(value)}`;
  // The other style has a column of 32 bits.
  const isTooBig = kind === "N" && Number(value) >> 0 !== Number(value);
  if (UNFIT.test(typed)) refuseValue(path, "text without NUL and lone surrogates", value);
  if (!pattern.test(typed) || isTooBig) refuseValue(path, expected, value);
  if (/[#b]/.test(kind)) return value;
  const text = String(value);
  // Some lists of numbers are compared as text, so that zeros before a number matter.
  if (/n/i.test(kind)) return String(BigInt(text));
  if (/[IS]/.test(kind)) return text.replace(/0x[\da-f]+/gi, (bytes) => bytes.toLowerCase());
  return kind === "x" ? text.toLowerCase().replace(/^(0x)*/, "0x") : text;
}

/** Reads a list of values. A single value is refused, because only one of the styles accepts it. */
export function readValues(kind: string, value: unknown, path: string): unknown[] {
  return readList(value, path, (item) => readValue(kind, item, path));
}

/** Reads a list of anything. */
export function readList(value: unknown, path: string, read: (item: unknown) => unknown): unknown[] {
  // `Array.from` also visits holes, which have to be refused.
  return Array.isArray(value) ? Array.from(value, (item) => read(item)) : refuseValue(path, "a list", value);
}

/** NUL, which databases refuse, and halves of surrogate pairs, which UTF-8 cannot encode. */
const UNFIT = /[\0\p{Cs}]/u;

/** The valid values of a kind. */
type Form = {
  /** The GraphQL type whose values are of this kind. */
  readonly type?: string;
  /** What an error says that a value must be. */
  readonly expected: string;
  /** Matches values as text, after their JavaScript type. */
  readonly pattern: RegExp;
};

const TEXT: Form = { expected: "a string", pattern: /^string / };

/** A JavaScript number is exact up to 15 digits. */
const WHOLE = /^(string|bigint|number(?= -?\d{1,15}$)) [+-]?\d+$/;

const ID: Form = {
  type: "ID",
  expected: "a string or an integer",
  pattern: /^(string |(number|bigint) -?\d+$)/,
};

const FORMS: Readonly<Record<string, Form>> = {
  "#": { type: "Int", expected: "an integer as a number", pattern: /^number -?\d{1,10}$/ },
  b: { type: "Boolean", expected: "true or false", pattern: /^boolean / },
  d: {
    type: "BigDecimal",
    expected: "a decimal number",
    pattern: /^(string|number|bigint) [+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,
  },
  i: ID,
  I: ID,
  N: { expected: "an integer of 32 bits", pattern: WHOLE },
  n: { type: "BigInt", expected: "an integer as a string or bigint", pattern: WHOLE },
  o: { type: "OrderDirection", expected: '"asc" or "desc"', pattern: /^string (a|de)sc$/ },
  x: { type: "Bytes", expected: "bytes in hex", pattern: /^string (0x)*([\da-fA-F]{2})*$/ },
};

/** Returns the kind of a type's values; every other type is read as text. */
function kindOf(type: string): string {
  return Object.keys(FORMS).find((kind) => FORMS[kind]?.type === type) ?? "";
}
