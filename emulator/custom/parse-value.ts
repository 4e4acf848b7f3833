import { indexByName } from "../../src/base/collections.ts";
import { isList, isRequired, itemType, nullableType } from "../../src/dialects/api-schema.ts";
import type { EntityField, EntityModel } from "../../src/dialects/entity-model.ts";
import type { Table } from "../../src/dialects/multichain/tables.ts";
import type { BytesType } from "../../src/dialects/protocol.ts";
import { readStyleTypes, type StyleTypes } from "../dataset/style-types.ts";
import type { RowValue } from "../styles/read-view.ts";
import type { ServedStyle } from "../styles/served-style.ts";

/** A value as rows hold it, or the problem with it. */
type ParsedValue = { readonly value: RowValue } | { readonly problem: string };

/** The types of the rows, and the style that stores them. */
export type RowTarget = {
  readonly shapes: RowShapes;
  readonly style: ServedStyle;
  /** How a multichain indexer stores bytes. */
  readonly bytesType?: BytesType | undefined;
};

/** Parses a value for a field of this type; the problem continues a sentence after the name of the field. */
export function parseValue(json: unknown, type: string, target: RowTarget): ParsedValue {
  if (json === null || json === undefined) {
    // `null` is also a JSON value, and a required column stores it as such.
    if (json === null && type === "Json!") return { value: "null" };
    return isRequired(type) ? { problem: `is missing, though its type is ${type}` } : { value: null };
  }
  if (!isList(type)) return parseSingle(json, nullableType(type), target);
  if (!Array.isArray(json)) return { problem: `has to be a list, ${type}, not ${show(json)}` };
  const item = itemType(type);
  const values: RowValue[] = [];
  for (const [index, entry] of json.entries()) {
    const parsed = parseValue(entry, item, target);
    if ("problem" in parsed) return { problem: `item ${index} ${parsed.problem}` };
    values.push(parsed.value);
  }
  return { value: values };
}

function parseSingle(json: unknown, type: string, target: RowTarget): ParsedValue {
  const { shapes } = target;
  const members = shapes.membersOf(type);
  if (members !== undefined) {
    if (typeof json === "string" && members.includes(json)) return { value: json };
    return { problem: `has to be one of ${members.join(", ")}, not ${show(json)}` };
  }
  const scalar = shapes.idTypeOf(type);
  if (scalar === undefined) return parseScalar(json, type, target);
  const parsed = parseScalar(json, scalar, target);
  return "value" in parsed ? parsed : { problem: `refers to ${type} by its id, which ${parsed.problem}` };
}

function parseScalar(json: unknown, scalar: string, target: RowTarget): ParsedValue {
  const { form = scalar, parse } = SCALARS.get(scalar) ?? {};
  const value = parse?.(json, target) ?? null;
  return value === null ? { problem: `has to be ${form}, not ${show(json)}` } : { value };
}

type Scalar = {
  /** The accepted values, for messages. */
  readonly form: string;
  /** Returns null for an invalid value. */
  readonly parse: (json: unknown, target: RowTarget) => RowValue;
};

const TEXT: Scalar = { form: "a string", parse: parseText };

const SCALARS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["BigDecimal", { form: "a decimal number in a string", parse: parseDecimal }],
  ["BigInt", { form: "a whole number in a string", parse: parseInteger }],
  ["Boolean", { form: "true or false", parse: (json) => (typeof json === "boolean" ? json : null) }],
  ["Bytes", { form: "hex in a string, 0x and two digits a byte", parse: parseBytes }],
  ["Float", { form: "a number, NaN, Infinity or -Infinity", parse: parseFloat8 }],
  ["ID", TEXT],
  ["Int", { form: "a whole number of 32 bits", parse: parseInt4 }],
  ["Int8", { form: "a whole number of 64 bits in a string", parse: parseInt8 }],
  // Stored as text, which also keeps the digits of numbers.
  ["Json", { form: "JSON", parse: (json) => JSON.stringify(json) }],
  ["String", TEXT],
  ["Timestamp", { form: "microseconds in a string or an ISO 8601 time", parse: parseTime }],
]);

function parseBytes(json: unknown, { style, bytesType }: RowTarget): string | null {
  return typeof json === "string" ? style.storeBytes(json, bytesType) : null;
}

function parseInt4(json: unknown): number | null {
  return typeof json === "number" && (json | 0) === json ? json | 0 : null;
}

function parseTime(json: unknown): string | null {
  return typeof json === "string" ? parseTimestamp(json) : parseInt8(json);
}

/** Text that PostgreSQL can store: without NUL and lone surrogates. */
function parseText(json: unknown): string | null {
  return typeof json === "string" && !json.includes("\u0000") && json.isWellFormed() ? json : null;
}

/** An unsafe JSON number has already lost digits. */
function parseInteger(json: unknown): string | null {
  if (typeof json === "number") return Number.isSafeInteger(json) ? String(json) : null;
  if (typeof json !== "string" || !/^[+-]?\d{1,1000}$/.test(json)) return null;
  return BigInt(json.replace("+", "")).toString();
}

function parseInt8(json: unknown): string | null {
  const text = parseInteger(json);
  return text !== null && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? text : null;
}

function parseDecimal(json: unknown): string | null {
  const text = typeof json === "number" && Number.isFinite(json) ? String(json) : json;
  return typeof text === "string" && DECIMAL.test(text) ? text.replace(/^\+/, "") : null;
}

const DECIMAL = /^[+-]?(?:\d{1,1000}(?:\.\d{0,1000})?|\.\d{1,1000})(?:[eE][+-]?\d{1,3})?$/;

/** JSON has neither NaN nor infinity, which a float column can hold, so they are given as strings. */
function parseFloat8(json: unknown): number | null {
  if (typeof json === "number") return Number.isFinite(json) ? json : null;
  if (typeof json !== "string") return null;
  if (FLOATS_BEYOND_JSON.has(json)) return Number(json);
  const value = DECIMAL.test(json) ? Number(json) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

const FLOATS_BEYOND_JSON: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

const LONGEST = 60;

/** Renders a value for a message, on one short line. */
function show(json: unknown): string {
  const text = JSON.stringify(json);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/**
 * Parses a time: a whole number of microseconds since the epoch, or an ISO 8601 time, which is in UTC where it
 * names no zone.
 *
 * @returns the microseconds in decimal; null for anything else.
 */
export function parseTimestamp(text: string): string | null {
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text).toString();
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, date = "", hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = match;
  // Databases read a leap second as the first second of the next minute.
  const leap = second === "60" ? 1 : 0;
  const seconds = Date.parse(`${date}T${hour}:${minute}:${leap ? "59" : second}Z`) / 1000;
  // Otherwise an impossible day, such as 30 February, would pass as a later one.
  if (!Number.isFinite(seconds) || !new Date(seconds * 1000).toISOString().startsWith(date)) return null;
  const micros = BigInt(seconds + leap - offsetSeconds(zone)) * 1_000_000n;
  return (micros + microseconds(fraction)).toString();
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Rounds up to nine decimals of a second. */
function microseconds(fraction: string): bigint {
  return (BigInt(fraction.padEnd(9, "0")) + 500n) / 1000n;
}

function offsetSeconds(zone: string): number {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = [zone.slice(1, 3), zone.slice(3).replace(":", "") || "0"].map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

type RowShapes = StyleTypes & {
  /** Entities and aggregations by name. */
  readonly tables: ReadonlyMap<string, RowShape>;
  /** Interfaces: their rows are those of their implementers. */
  readonly interfaces: ReadonlySet<string>;
};

export type RowShape = {
  readonly entity: string;
  readonly stored: ReadonlyMap<string, StoredField>;
  readonly derived: ReadonlySet<string>;
  /** The primary key of a table of the platform itself, empty for a view; null for an entity, whose key is its id. */
  readonly platformKey: readonly string[] | null;
};

type StoredField = Pick<EntityField, "name" | "type">;

/** Rows of an aggregation may name their interval, although it is not a field. */
const INTERVAL: StoredField = { name: "interval", type: "Aggregation_interval" };

/** @param platformTables the tables that the platform exposes of itself. */
export function createRowShapes(model: EntityModel, platformTables: readonly Table[] = []): RowShapes {
  const { membersOf, idTypeOf } = readStyleTypes(model);
  const tables = new Map(platformTables.map((table) => [table.name, platformShape(table)]));
  const interfaces = new Set<string>();
  for (const definition of model.definitions) {
    const { name, kind } = definition;
    if (kind === "interface") interfaces.add(name);
    if (kind !== "entity" && kind !== "aggregation") continue;
    const stored = definition.fields.filter(({ derived }) => !derived);
    const derived = definition.fields.filter((field) => field.derived);
    tables.set(name, {
      entity: name,
      stored: indexByName(kind === "aggregation" ? [INTERVAL, ...stored] : stored),
      derived: new Set(derived.map((field) => field.name)),
      platformKey: null,
    });
  }
  return {
    tables,
    interfaces,
    membersOf: (type) => (type === INTERVAL.type ? ["hour", "day"] : membersOf(type)),
    idTypeOf,
  };
}

function platformShape({ name, columns, primaryKey }: Table): RowShape {
  const stored = columns.map(({ name: column, scalar, nullable }): StoredField => {
    const type = SDL_SCALARS.get(scalar) ?? "String";
    return { name: column, type: nullable ? type : `${type}!` };
  });
  return {
    entity: name,
    stored: indexByName(stored),
    derived: new Set(),
    platformKey: primaryKey,
  };
}

/** Scalars of entity SDLs by the column scalars of the platform's own tables. */
const SDL_SCALARS: ReadonlyMap<string, string> = new Map([
  ["Boolean", "Boolean"],
  ["Float", "Float"],
  ["Int", "Int"],
  ["bigint", "Int8"],
  ["jsonb", "Json"],
  ["numeric", "BigInt"],
  ["timestamp", "Timestamp"],
  ["timestamptz", "Timestamp"],
]);
