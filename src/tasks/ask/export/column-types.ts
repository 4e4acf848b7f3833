import { isObject } from "../../../base/parse-json.ts";
import type { Field, Row, ValueKind } from "../rows.ts";

/** The type of a column in files and tables with types. A column with values that do not fit is text. */
export type ColumnType = "decimal" | "units" | "timestamp" | "int32" | "double" | "boolean" | "text" | "json";

/**
 * Returns the type of a column.
 *
 * @param isWide whether it has values that do not fit the type of their kind.
 */
export function columnType(kind: ValueKind, isWide: boolean): ColumnType {
  if (kind === "json") return "json";
  return isWide ? "text" : TYPES[kind];
}

const TYPES: Readonly<Record<Exclude<ValueKind, "json">, ColumnType>> = {
  amount: "decimal",
  units: "units",
  time: "timestamp",
  integer: "int32",
  float: "double",
  boolean: "boolean",
  enum: "text",
  text: "text",
};

/** Adds the paths of values that do not fit the type of their kind. */
export function findWide(rows: readonly Row[], fields: readonly Field[], wide: Set<string>): void {
  const checked = fields.flatMap((field) => checksOf(field, ""));
  for (const row of rows) for (const check of checked) check(row, wide);
}

type Check = (row: unknown, wide: Set<string>) => void;

/** Returns checks for the columns of a field. */
function checksOf({ name, kind, isList, fields }: Field, above: string): Check[] {
  const path = `${above}${name}`;
  const fits = FITS[kind];
  const inner = fields?.flatMap((field) => checksOf(field, `${path}.`)) ?? [];
  if (inner.length === 0 && fits === undefined) return [];
  let last: unknown = null;
  const check: Check = (value, wide) => {
    if (value === null || value === undefined || value === last) return;
    last = value;
    if (fields) for (const one of inner) one(value, wide);
    else if (!fits?.(value)) wide.add(path);
  };
  return [
    (row, wide) => {
      const value = isObject(row) && Object.hasOwn(row, name) ? row[name] : null;
      if (!isList || !Array.isArray(value)) return check(value, wide);
      for (const item of value) check(item, wide);
    },
  ];
}

const FITS: Readonly<Partial<Record<ValueKind, (value: unknown) => boolean>>> = {
  amount: (value) => fitsNumber(value, "amount", LIMITS),
  units: (value) => fitsNumber(value, "units", LIMITS),
  time: (value) => fitsNumber(value, "time", LIMITS),
  integer: (value) => typeof value === "number" && value >> 0 === value,
  float: (value) => value !== "" && Number.isFinite(Number(value)),
  boolean: (value) => typeof value === "boolean",
};

/** The numbers that typed columns hold. */
export type Limits = {
  /** The most digits of an amount. */
  readonly digits: number;
  /** The most digits of an amount in whole units, before and after the point. */
  readonly units: { readonly whole: number; readonly scale: number };
  /** The last time, in seconds since 1970. */
  readonly lastSecond: number;
};

/** The digits after the point in columns with whole units, as most assets have them. */
export const UNITS_SCALE = 18;

/** The limits of Parquet and most databases: decimals of 38 digits, and microseconds of 64 bits. */
export const LIMITS: Limits = {
  digits: 38,
  units: { whole: 38 - UNITS_SCALE, scale: UNITS_SCALE },
  lastSecond: 999_999_999_999,
};

/** Returns whether a value is a number within the limits, in the one form that is equal to it. */
export function fitsNumber(
  value: unknown,
  kind: "amount" | "units" | "time",
  { digits, units, lastSecond }: Limits,
): boolean {
  const text = String(value);
  if (kind === "units") {
    const [, whole = "", part = ""] = UNITS.exec(text) ?? [];
    return whole !== "" && whole.length <= units.whole && part.length <= units.scale;
  }
  if (!INTEGER.test(text)) return false;
  return kind === "time"
    ? Math.abs(Number(text)) <= lastSecond
    : text.length <= digits || (text.length === digits + 1 && text.startsWith("-"));
}

const INTEGER = /^(0|-?[1-9]\d*)$/;
const UNITS = /^-?(0|[1-9]\d*)(?:\.(\d*[1-9]))?$/;
