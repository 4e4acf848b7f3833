import type { SchemaElement } from "hyparquet";
import { type Column, type Field, type Row, type ValueKind, valueAt } from "../rows.ts";
import { fitsKind, hasText, TEXT, UNITS_SCALE } from "./columns.ts";

type Node = {
  readonly name: string;
  /** The keys to its value in a row, or in the object above. */
  readonly keys: readonly string[];
  readonly isList: boolean;
  readonly type: ValueKind | "struct";
  readonly inner: readonly Node[];
  readonly convert: Convert;
  /** Whether all of its values are null. */
  readonly isEmpty: () => boolean;
};

type Convert = (value: unknown) => unknown;

/** The conversion of rows to columns. */
export type ColumnOptions = {
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Whether fields of references are columns with dots and lists are JSON, instead of structs and lists. */
  readonly isFlat: boolean;
};

/** Builds the schema of a Parquet file, and its columns with functions that return the values of rows. */
export function buildParquetColumns({ fields, columns, isFlat }: ColumnOptions) {
  const nodes = isFlat
    ? columns.flatMap(({ name, path, kind }) => buildNodes({ name, kind, isList: false, fields: null }, path))
    : fields.flatMap((field) => buildNodes(field));
  return {
    schema: [{ name: "root", num_children: nodes.length }, ...nodes.flatMap(elementsOf)],
    columns: nodes.map((node) => ({
      name: node.name,
      ...(node.type === "enum" && !node.isList && { encoding: "RLE_DICTIONARY" as const }),
      ...(node.type === "count" && { encoding: "DELTA_BINARY_PACKED" as const }),
      // The library compares the bytes of decimals without a sign.
      statistics: !hasDecimals(node),
      values: (rows: readonly Row[]) => readColumn(rows, node),
    })),
  };
}

/** Builds a column, and the one beside it with the values that do not fit, as text. */
function buildNodes(
  { name, kind, isList, fields }: Field,
  keys: readonly string[] = [name],
): readonly Node[] {
  const inner = fields?.flatMap((field) => buildNodes(field)) ?? [];
  const column = (type: Node["type"], convert: Convert): Node => {
    const convertItem: Convert = (value) => (value === null || value === undefined ? null : convert(value));
    const convertList: Convert = (value) =>
      Array.isArray(value) ? value.map(convertItem) : convertItem(value);
    const isEmpty = () => false;
    return { name, keys, isList, type, inner, isEmpty, convert: isList ? convertList : convertItem };
  };
  if (fields) {
    const toStruct: Convert = (value) =>
      Object.fromEntries(inner.map((node) => [node.name, node.convert(valueAt(value, node.keys))]));
    return [column("struct", cacheLast(toStruct))];
  }
  const encode = ENCODERS[kind];
  if (!hasText(kind)) return [column(kind, encode)];
  let hasMisfit = false;
  const encodeFitting = cacheLast((value) => {
    if (fitsKind(value, kind)) return encode(value);
    hasMisfit = true;
    return null;
  });
  const toMisfit: Convert = (value) => (!hasMisfit || fitsKind(value, kind) ? null : String(value));
  return [
    column(kind, encodeFitting),
    // All values have a place in the column before it, as usual: most columns of text take no time.
    { ...column("text", toMisfit), name: `${name}${TEXT}`, isEmpty: () => !hasMisfit },
  ];
}

function hasDecimals({ type, inner }: Node): boolean {
  return type === "amount" || type === "units" || inner.some(hasDecimals);
}

/** Returns the schema of a column. Every value may be null, because fields can become nullable. */
function elementsOf(node: Node): readonly SchemaElement[] {
  const { name, isList, type, inner } = node;
  const repetition_type = "OPTIONAL";
  if (isList) {
    return [
      { name, repetition_type, converted_type: "LIST", num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...elementsOf({ ...node, name: "element", isList: false }),
    ];
  }
  if (type !== "struct") return [{ name, repetition_type, ...ELEMENTS[type] }];
  return [{ name, repetition_type, num_children: inner.length }, ...inner.flatMap(elementsOf)];
}

/** Decimals are values of 16 bytes for the library, because converting them here takes a tenth of the time. */
const ELEMENTS: Readonly<Record<ValueKind, Omit<SchemaElement, "name">>> = {
  amount: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: 0 },
  units: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: UNITS_SCALE },
  time: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
  count: { type: "INT64" },
  integer: { type: "INT32" },
  float: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  enum: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/** Returns the values of rows in a column. Exports spend much of their time here. */
function readColumn(rows: readonly Row[], { keys, convert, isEmpty }: Node): unknown[] {
  if (isEmpty()) return new Array(rows.length).fill(null);
  const [key = "", ...below] = keys;
  // The type is chosen once per column, because a choice per value takes twice as long.
  return below.length === 0
    ? rows.map((row) => (Object.hasOwn(row, key) ? convert(row[key]) : null))
    : rows.map((row) => convert(valueAt(row, keys)));
}

/** Functions from a value that is not null to the one that the library takes. */
const ENCODERS: Readonly<Record<ValueKind, Convert>> = {
  amount: (value) => encodeDecimal(String(value)),
  units: (value) => encodeDecimal(scaleUnits(String(value))),
  time: (value) => BigInt(String(value)) * 1_000_000n,
  count: (value) => BigInt(String(value)),
  integer: (value) => value,
  float: Number,
  boolean: (value) => value,
  enum: toText,
  text: toText,
  json: (value) => JSON.stringify(value),
};

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Caches the last value, because values of neighbouring rows are often equal. */
function cacheLast(convert: Convert): Convert {
  let last: unknown;
  let converted: unknown;
  return (value) => {
    if (value !== last) converted = convert(value);
    last = value;
    return converted;
  };
}

/** Writes a decimal number as the integer that a column with whole units holds. */
function scaleUnits(text: string): string {
  const [whole = "", part = ""] = text.split(".");
  return `${whole}${part.padEnd(UNITS_SCALE, "0")}`.replace(/^(-?)0+(?=\d)/, "$1");
}

/** Encodes an integer as 16 bytes, big-endian. */
function encodeDecimal(text: string): Uint8Array {
  if (text.length < 16) {
    const value = Number(text);
    const high = Math.floor(value / 2 ** 32);
    SCRATCH.setBigInt64(0, value < 0 ? -1n : 0n);
    SCRATCH.setInt32(8, high);
    SCRATCH.setUint32(12, value - high * 2 ** 32);
  } else {
    const value = BigInt(text);
    SCRATCH.setBigInt64(0, value >> 64n);
    SCRATCH.setBigUint64(8, BigInt.asUintN(64, value));
  }
  // Short arrays without a buffer of their own take a quarter of the memory.
  const bytes = new Uint8Array(16);
  for (let at = 0; at < 16; at++) bytes[at] = SCRATCH_BYTES[at] ?? 0;
  return bytes;
}

const SCRATCH_BYTES = new Uint8Array(16);
const SCRATCH = new DataView(SCRATCH_BYTES.buffer);
