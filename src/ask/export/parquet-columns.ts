import type { SchemaElement } from "hyparquet";
import { type Column, type Field, type Row, type ValueKind, valueAt } from "../rows.ts";
import { type ColumnType, fitsKind, hasText, SQL_TYPES, TEXT, TYPES, UNITS_SCALE } from "./column-types.ts";

/** The columns of a Parquet file: their schema, and the values of rows. */
export type ParquetColumns = {
  readonly schema: readonly SchemaElement[];
  /** The columns at the top, in order. */
  readonly columns: readonly {
    readonly name: string;
    readonly encoding?: "RLE_DICTIONARY" | "DELTA_BINARY_PACKED";
    /** False if it has decimals: the library compares their bytes without a sign. */
    readonly statistics: boolean;
    /** Returns the values of rows. */
    readonly values: (rows: readonly Row[]) => unknown[];
  }[];
  /** The type of each column by its path, as the metadata of a file records it. */
  readonly types: Readonly<Record<string, string>>;
};

type Node = {
  readonly name: string;
  /** With dots. */
  readonly path: string;
  /** The keys to its value in a row, or in the object above. */
  readonly keys: readonly string[];
  readonly isList: boolean;
  readonly kind: ValueKind;
  readonly type: ColumnType | "struct";
  /** Whether there are values that do not fit, which the next column has; null if all values have a place here. */
  readonly fit: { hasMisfit: boolean } | null;
  readonly inner: readonly Node[];
};

/** The conversion of rows to columns. */
export type ColumnOptions = {
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Whether fields of references are columns with dots and lists are JSON, instead of structs and lists. */
  readonly isFlat: boolean;
};

/** Builds the columns of a Parquet file. */
export function buildParquetColumns({ fields, columns, isFlat }: ColumnOptions): ParquetColumns {
  const nodes = isFlat
    ? columns.flatMap(({ name, path, kind }) =>
        withText({ name, path: name, keys: path, isList: false, kind, inner: [], type: TYPES[kind] }),
      )
    : fields.flatMap((field) => buildNodes(field, ""));
  const types: Record<string, string> = {};
  const visit = (node: Node) => {
    node.inner.forEach(visit);
    if (node.inner.length === 0)
      types[node.path] = `${SQL_TYPES[node.type as ColumnType]}${node.isList ? "[]" : ""}`;
  };
  nodes.forEach(visit);
  return {
    schema: [{ name: "root", num_children: nodes.length }, ...nodes.flatMap(elementsOf)],
    types,
    columns: nodes.map((node) => ({
      name: node.name,
      ...(node.kind === "enum" && !node.isList && { encoding: "RLE_DICTIONARY" as const }),
      ...(node.kind === "count" && { encoding: "DELTA_BINARY_PACKED" as const }),
      statistics: !hasDecimals(node),
      values: (rows) => (isEmpty(node) ? new Array(rows.length).fill(null) : readColumn(rows, node)),
    })),
  };
}

function buildNodes({ name, kind, isList, fields }: Field, above: string): readonly Node[] {
  const path = `${above}${name}`;
  const inner = fields?.flatMap((field) => buildNodes(field, `${path}.`)) ?? [];
  return withText({
    name,
    path,
    keys: [name],
    isList,
    kind: fields ? "json" : kind,
    type: fields ? "struct" : TYPES[kind],
    inner,
  });
}

/** Adds the column with the values that do not fit, as text. */
function withText(node: Omit<Node, "fit">): readonly Node[] {
  if (!hasText(node.kind)) return [{ ...node, fit: null }];
  const fit = { hasMisfit: false };
  return [
    { ...node, fit },
    { ...node, fit, name: `${node.name}${TEXT}`, path: `${node.path}${TEXT}`, type: "text" },
  ];
}

/** Whether all values of a column have a place in the one before it, as usual: most columns of text take no time. */
function isEmpty({ fit, type }: Node): boolean {
  return type === "text" && fit !== null && !fit.hasMisfit;
}

function hasDecimals({ type, inner }: Node): boolean {
  return type === "decimal" || type === "units" || inner.some(hasDecimals);
}

/** Returns the schema of a column. Every value may be null, because fields can become nullable. */
function elementsOf(node: Node): readonly SchemaElement[] {
  const { name, isList } = node;
  if (!isList) return elementOf(node, name);
  return [
    { name, repetition_type: "OPTIONAL", converted_type: "LIST", num_children: 1 },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...elementOf(node, "element"),
  ];
}

function elementOf({ type, inner }: Node, name: string): readonly SchemaElement[] {
  const repetition_type = "OPTIONAL";
  if (type !== "struct") return [{ name, repetition_type, ...ELEMENTS[type] }];
  return [{ name, repetition_type, num_children: inner.length }, ...inner.flatMap(elementsOf)];
}

/** Decimals are values of 16 bytes for the library, because converting them here takes a tenth of the time. */
const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  decimal: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: 0 },
  units: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: UNITS_SCALE },
  timestamp: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
  int64: { type: "INT64" },
  int32: { type: "INT32" },
  double: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/** Returns the values of rows in a column. Exports spend much of their time here. */
function readColumn(rows: readonly Row[], node: Node): unknown[] {
  const convert = converterOf(node);
  const { keys } = node;
  const [key = "", ...below] = keys;
  // The type is chosen once per column, because a choice per value takes twice as long.
  return below.length === 0
    ? rows.map((row) => (Object.hasOwn(row, key) ? convert(row[key]) : null))
    : rows.map((row) => convert(valueAt(row, keys)));
}

type Convert = (value: unknown) => unknown;

function converterOf(node: Node): Convert {
  const { fit, kind, type } = node;
  const encode = CONVERTERS[type](node);
  let convertOne = encode;
  if (fit && type === "text") {
    convertOne = (value) => (!fit.hasMisfit || fitsKind(value, kind) ? null : String(value));
  } else if (fit) {
    convertOne = cacheLast((value) => {
      if (fitsKind(value, kind)) return encode(value);
      fit.hasMisfit = true;
      return null;
    });
  }
  const convert: Convert = (value) => (value === null || value === undefined ? null : convertOne(value));
  return node.isList ? (value) => (Array.isArray(value) ? value.map(convert) : convert(value)) : convert;
}

/** Functions from a value that is not null to the one that the library takes. */
const CONVERTERS: Readonly<Record<Node["type"], (node: Node) => Convert>> = {
  struct: ({ inner }) => {
    const parts = inner.map((node) => ({ node, convert: converterOf(node) }));
    return cacheLast((value) =>
      Object.fromEntries(parts.map(({ node, convert }) => [node.name, convert(valueAt(value, node.keys))])),
    );
  },
  decimal: () => (value) => encodeDecimal(String(value)),
  units: () => (value) => encodeDecimal(scaleUnits(String(value))),
  timestamp: () => (value) => BigInt(String(value)) * 1_000_000n,
  double: () => Number,
  json: () => (value) => JSON.stringify(value),
  text: () => (value) => (typeof value === "string" ? value : JSON.stringify(value)),
  int64: () => (value) => BigInt(String(value)),
  int32: () => (value) => value,
  boolean: () => (value) => value,
};

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
    SCRATCH.setInt32(0, value < 0 ? -1 : 0);
    SCRATCH.setInt32(4, value < 0 ? -1 : 0);
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
