import { isObject } from "../../base/parse-json.ts";
import type { Field, Row, ValueKind } from "../rows.ts";

/** The digits after the point in columns with whole units, as most assets have them. */
export const UNITS_SCALE = 18;

/** The types of columns in DuckDB. They depend on the schema only: one value must not change the type of a column. */
export const SQL_TYPES: Readonly<Record<ValueKind, string>> = {
  amount: "DECIMAL(38,0)",
  units: `DECIMAL(38,${UNITS_SCALE})`,
  time: "TIMESTAMP",
  count: "BIGINT",
  integer: "INTEGER",
  float: "DOUBLE",
  boolean: "BOOLEAN",
  enum: "VARCHAR",
  text: "VARCHAR",
  json: "JSON",
};

/** The end of the name of the column with values that do not fit the typed one. */
export const TEXT = "_text";

/**
 * The numbers that typed columns hold, in the one form that is equal to them, as regular expressions of JavaScript and SQL. An
 * amount has 34 digits of 38, so that a sum of 10,000 rows fits. The last time is one of 64 bits in microseconds.
 */
export const FITTING = {
  amount: "0|-?[1-9][0-9]{0,33}",
  units: `-?(0|[1-9][0-9]{0,15})([.][0-9]{0,${UNITS_SCALE - 1}}[1-9])?`,
  time: "0|-?[1-9][0-9]{0,11}",
} as const;

/** Whether a second column has the values of a kind that do not fit its type, as text. */
export function hasText(kind: ValueKind): kind is keyof typeof FITTING {
  return Object.hasOwn(FITTING, kind);
}

/** The kinds that do not accept every value. */
const FITS: { readonly [Kind in ValueKind]?: (value: unknown) => boolean } = {
  amount: createTest(FITTING.amount),
  units: createTest(FITTING.units),
  time: createTest(FITTING.time),
  count: Number.isSafeInteger,
  integer: (value) => typeof value === "number" && value >> 0 === value,
  float: (value) => value !== "" && typeof value !== "boolean" && Number.isFinite(Number(value)),
  boolean: (value) => typeof value === "boolean",
};

function createTest(pattern: string): (value: unknown) => boolean {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (value) => whole.test(String(value));
}

/** Returns whether a value that is not null fits the type of its kind. */
export function fitsKind(value: unknown, kind: ValueKind): boolean {
  return FITS[kind]?.(value) ?? true;
}

/** Finds a field with a value that has no place in its typed column or beside it; null if there is none. */
export function findMisfit(rows: readonly Row[], fields: readonly Field[], above = ""): string | null {
  for (const { name, kind, fields: inner } of fields) {
    if (inner === null && (hasText(kind) || FITS[kind] === undefined)) continue;
    for (const row of rows) {
      const value = Object.hasOwn(row, name) ? row[name] : null;
      for (const item of Array.isArray(value) ? value : [value]) {
        if (item === null || item === undefined) continue;
        if (inner === null ? !fitsKind(item, kind) : !isObject(item)) return `${above}${name}`;
        const misfit = inner && findMisfit([item as Row], inner, `${above}${name}.`);
        if (misfit) return misfit;
      }
    }
  }
  return null;
}
