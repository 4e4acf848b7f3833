import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/parse-json.ts";
import { type Column, type Field, listColumns, type Row, type ValueKind } from "../rows.ts";

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

/** Returns whether a value that is not null fits the typed column of its kind. */
export function fitsKind(value: unknown, kind: keyof typeof FITTING): boolean {
  return PATTERNS[kind].test(String(value));
}

const PATTERNS = {
  amount: new RegExp(`^(?:${FITTING.amount})$`),
  units: new RegExp(`^(?:${FITTING.units})$`),
  time: new RegExp(`^(?:${FITTING.time})$`),
} as const;

/** The kinds that do not accept every value, and have no second column. */
const ACCEPTS: { readonly [Kind in ValueKind]?: (value: unknown) => boolean } = {
  integer: (value) => typeof value === "number" && value >> 0 === value,
  float: (value) => value !== "" && typeof value !== "boolean" && Number.isFinite(Number(value)),
  boolean: (value) => typeof value === "boolean",
};

/** Finds a field with a value that has no place in its typed column or beside it; null if there is none. */
export function findMisfit(rows: readonly Row[], fields: readonly Field[], above = ""): string | null {
  for (const { name, kind, fields: inner } of fields) {
    const accepts = inner === null ? ACCEPTS[kind] : isObject;
    if (accepts === undefined) continue;
    for (const row of rows) {
      const value = Object.hasOwn(row, name) ? row[name] : null;
      for (const item of Array.isArray(value) ? value : [value]) {
        if (item === null || item === undefined) continue;
        if (!accepts(item)) return `${above}${name}`;
        const misfit = inner && findMisfit([item as Row], inner, `${above}${name}.`);
        if (misfit) return misfit;
      }
    }
  }
  return null;
}

/** The columns of a log after those of the selection. */
export const LOG_FIELDS: readonly Field[] = [
  { name: "_version", isList: false, kind: "count", fields: null },
  { name: "_block", isList: false, kind: "count", fields: null },
  { name: "_deleted", isList: false, kind: "boolean", fields: null },
];

export const LOG_COLUMNS: readonly Column[] = listColumns(LOG_FIELDS);

/**
 * Describes the columns of a selection by their types and fields of the schema.
 *
 * @throws UsageError if a log cannot have them.
 */
export function describeColumns(
  fields: readonly Field[],
  columns: readonly Column[],
  operation: string,
): Readonly<Record<string, string>> {
  if (!fields.some(({ name, fields: inner, isList }) => name === "id" && inner === null && !isList)) {
    throw new UsageError({
      sentence: `A folder needs the id of rows, which ${operation} does not select.`,
      hint: "select id, or name a file.",
    });
  }
  const names = namesOf([...columns, ...LOG_COLUMNS]);
  // Databases do not distinguish the case of names.
  const isSame = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase();
  const twice = names.find((name, at) => names.findIndex(isSame(name)) < at);
  if (twice !== undefined) {
    throw new UsageError({
      sentence: `${operation} selects "${twice}", which is the name of another column of an export.`,
      hint: "give the field another name, as in `own: amount`.",
    });
  }
  return Object.fromEntries(describe(fields, ""));
}

/** Returns the names of columns, with those of the text beside them. */
export function namesOf(columns: readonly Pick<Column, "name" | "kind">[]): readonly string[] {
  return columns.flatMap(({ name, kind }) => (hasText(kind) ? [name, `${name}${TEXT}`] : [name]));
}

function describe(fields: readonly Field[], above: string): readonly (readonly [string, string])[] {
  return fields.flatMap(({ name, isList, kind, fields: inner, of }) => {
    if (inner !== null) return describe(inner, `${above}${name}.`);
    const field = of ? ` of ${of.entity}.${of.field}` : "";
    return [[`${above}${name}`, `${SQL_TYPES[kind]}${isList ? "[]" : ""}${field}`] as const];
  });
}
