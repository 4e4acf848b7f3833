import type { SchemaElement } from "hyparquet";
import { isObject } from "../../../base/parse-json.ts";
import { type Column, type Field, formatUnits, type Row, valueAt } from "../rows.ts";
import { type ColumnType, columnType, UNITS_SCALE } from "./column-types.ts";

/** The columns of a Parquet file: their schema, and the values of rows. */
export type ParquetColumns = {
  readonly schema: readonly SchemaElement[];
  /** The names of the columns at the top. */
  readonly names: readonly string[];
  /** The columns that are stored as a dictionary, at the top. */
  readonly enums: ReadonlySet<string>;
  /** The paths of decimal columns, with dots. */
  readonly decimals: ReadonlySet<string>;
  /** The type of each column by its path, as the metadata of a file records it. */
  readonly types: Readonly<Record<string, string>>;
  /** The paths of columns that are text because of values that do not fit the type of their kind, in order. */
  readonly wide: readonly string[];
  /** Returns the values of rows in a column at the top. */
  readonly values: (rows: readonly Row[], name: string) => unknown[];
  /** Returns the row of such values. Numbers of any size are text. */
  readonly row: (values: Readonly<Record<string, unknown>>) => Row;
};

type Node = {
  readonly name: string;
  /** With dots. */
  readonly path: string;
  /** The keys to its value in a row, or in the object above. */
  readonly keys: readonly string[];
  readonly isList: boolean;
  readonly isEnum: boolean;
  readonly type: ColumnType | "struct";
  readonly inner: readonly Node[];
};

/** The conversion of rows to columns. */
export type ColumnOptions = {
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** Whether fields of references are columns with dots and lists are JSON, instead of structs and lists. */
  readonly isFlat: boolean;
  /** The paths of columns with values that do not fit the type of their kind. */
  readonly wide: ReadonlySet<string>;
};

/** Builds the columns of a Parquet file. */
export function buildParquetColumns(options: ColumnOptions): ParquetColumns {
  const nodes = buildNodes(options);
  const types: Record<string, string> = {};
  const decimals = new Set<string>();
  const visit = (node: Node, trail: readonly string[]) => {
    const above = [...trail, node.name, ...(node.isList ? ["list", "element"] : [])];
    for (const inner of node.inner) visit(inner, above);
    if (node.type === "decimal" || node.type === "units") decimals.add(above.join("."));
    if (node.inner.length === 0) types[node.path] = `${NAMES[node.type]}${node.isList ? "[]" : ""}`;
  };
  for (const node of nodes) visit(node, []);
  return {
    schema: [{ name: "root", num_children: nodes.length }, ...nodes.flatMap((node) => elementsOf(node))],
    names: nodes.map(({ name }) => name),
    enums: new Set(nodes.filter(({ isEnum, isList }) => isEnum && !isList).map(({ name }) => name)),
    decimals,
    types,
    wide: [...options.wide].sort(),
    values: (rows, name) => {
      const node = nodes.find((one) => one.name === name);
      return node ? readColumn(rows, node) : [];
    },
    row: (values) => buildObject(nodes, values),
  };
}

const NAMES: Readonly<Record<Node["type"], string>> = {
  decimal: "DECIMAL(38,0)",
  units: `DECIMAL(38,${UNITS_SCALE})`,
  timestamp: "TIMESTAMP",
  int32: "INT32",
  double: "DOUBLE",
  boolean: "BOOLEAN",
  text: "TEXT",
  struct: "STRUCT",
  json: "JSON",
};

function buildNodes({ fields, columns, isFlat, wide }: ColumnOptions): readonly Node[] {
  if (!isFlat) return fields.map((field) => buildNode(field, "", wide));
  return columns.map(({ name, path, kind }) => ({
    ...{ name, path: name, keys: path, isList: false, isEnum: kind === "enum", inner: [] },
    type: columnType(kind, wide.has(name)),
  }));
}

function buildNode({ name, kind, isList, fields }: Field, above: string, wide: ReadonlySet<string>): Node {
  const path = `${above}${name}`;
  return {
    ...{ name, path, keys: [name], isList, isEnum: kind === "enum" },
    type: fields ? "struct" : columnType(kind, wide.has(path)),
    inner: fields?.map((field) => buildNode(field, `${path}.`, wide)) ?? [],
  };
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
  return [
    { name, repetition_type, num_children: inner.length },
    ...inner.flatMap((node) => elementsOf(node)),
  ];
}

/** Decimals are values of 16 bytes for the library, because converting them here takes a tenth of the time. */
const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  decimal: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: 0 },
  units: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: UNITS_SCALE },
  timestamp: { type: "INT64", converted_type: "TIMESTAMP_MICROS" },
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
  const convertOne = CONVERTERS[node.type](node);
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
  decimal: () => cacheLast((value) => encodeDecimal(String(value))),
  units: () => cacheLast((value) => encodeDecimal(scaleUnits(String(value)))),
  timestamp: () => cacheLast((value) => BigInt(String(value)) * 1_000_000n),
  double: () => Number,
  json: () => (value) => JSON.stringify(value),
  text: () => (value) => (typeof value === "string" ? value : JSON.stringify(value)),
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

/** Builds the object of the values of columns. */
function buildObject(nodes: readonly Node[], values: Readonly<Record<string, unknown>>): Row {
  const built: Record<string, unknown> = {};
  for (const node of nodes) {
    const value = values[node.name];
    const isItems = node.isList && Array.isArray(value);
    const restored = isItems ? value.map((item) => restore(item, node)) : restore(value, node);
    const [key = "", ...below] = node.keys;
    if (below.length === 0) built[key] = restored;
    else setAt(built, node.keys, restored);
  }
  return built;
}

function setAt(
  target: Record<string, unknown>,
  [key = "", ...below]: readonly string[],
  value: unknown,
): void {
  if (below.length === 0) {
    target[key] = value;
    return;
  }
  target[key] ??= {};
  setAt(target[key] as Record<string, unknown>, below, value);
}

/** Reverts `convertOne`. */
function restore(value: unknown, { type, inner }: Node): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "struct":
      return isObject(value) ? buildObject(inner, value) : null;
    case "decimal":
      return value instanceof Uint8Array ? decodeDecimal(value) : null;
    case "units":
      return value instanceof Uint8Array ? formatUnits(decodeDecimal(value), UNITS_SCALE) : null;
    case "timestamp":
      return String(BigInt(String(value)) / 1_000_000n);
    case "json":
      return JSON.parse(String(value));
    default:
      return value;
  }
}

/** Decodes an integer of 16 bytes, big-endian. */
export function decodeDecimal(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return String((view.getBigInt64(0) << 64n) + view.getBigUint64(8));
}
