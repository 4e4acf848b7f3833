import type { Row, RowValue } from "../../../model/rows.ts";
import type { Column } from "./catalog.ts";
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  formatDecimal,
  integerDecimal,
  multiplyDecimals,
  parseDecimal,
  rootDecimal,
} from "./decimal.ts";
import { formatFloat8 } from "./float-text.ts";
import { compareKeys, keyText } from "./keys.ts";
import type { Stored } from "./kinds.ts";

/** The operators that compute a number. */
export type NumericOperator =
  | "avg"
  | "stddev"
  | "stddev_pop"
  | "stddev_samp"
  | "sum"
  | "var_pop"
  | "var_samp"
  | "variance";

const NUMERIC_OPERATORS: ReadonlySet<string> = new Set<NumericOperator>([
  "avg",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "sum",
  "var_pop",
  "var_samp",
  "variance",
]);

export function isNumericOperator(name: string): name is NumericOperator {
  return NUMERIC_OPERATORS.has(name);
}

/**
 * Computes a numeric aggregate as the text Postgres would print. Null for no rows, and for the sample forms of
 * one row.
 */
export function aggregateNumber(
  operator: NumericOperator,
  column: Column,
  rows: readonly Row[],
): string | null {
  const values = storedValues(column, rows);
  if (values.length === 0) return null;
  if (column.kind.arithmetic === "float") {
    const result = aggregateFloats(operator, values.map(Number));
    return result === null ? null : formatFloat8(result);
  }
  const result = aggregateDecimals(operator, values);
  return result === null ? null : formatDecimal(result);
}

/** The least or the greatest value of a column; null when there is none. */
export function aggregateExtreme(operator: "max" | "min", column: Column, rows: readonly Row[]): RowValue {
  const sign = operator === "max" ? 1 : -1;
  let best: Stored | null = null;
  for (const value of storedValues(column, rows)) {
    if (best === null || compareKeys(column.kind.key(value), column.kind.key(best)) * sign > 0) best = value;
  }
  return best;
}

/**
 * Counts rows (C.6): all of them without columns, those with a value for one column. Of several columns a row
 * counts whatever it holds, for a row of nulls is not null.
 */
export function countRows(rows: readonly Row[], columns: readonly Column[], distinct: boolean): number {
  const [only] = columns;
  if (!only) return rows.length;
  const counted = columns.length === 1 ? rows.filter((row) => (row[only.field] ?? null) !== null) : rows;
  return distinct ? new Set(counted.map((row) => tupleText(row, columns))).size : counted.length;
}

/** A text that is the same for rows with equal values in these columns; nulls are equal here. */
export function tupleText(row: Row, columns: readonly Column[]): string {
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column.field] ?? null;
      return value === null ? null : keyText(column.kind.key(value));
    }),
  );
}

/** Correlation of two columns over the rows that have both; null when it is not defined. */
export function correlate(x: Column, y: Column, rows: readonly Row[]): number | null {
  const { count, sxx, syy, sxy } = deviations(x, y, rows);
  return count < 1 || sxx === 0 || syy === 0 ? null : sxy / Math.sqrt(sxx * syy);
}

/** Covariance of two columns as of a sample. */
export function sampleCovariance(x: Column, y: Column, rows: readonly Row[]): number | null {
  const { count, sxy } = deviations(x, y, rows);
  return count < 2 ? null : sxy / (count - 1);
}

function storedValues(column: Column, rows: readonly Row[]): Stored[] {
  return rows.flatMap((row) => {
    const value = row[column.field] ?? null;
    return value === null ? [] : [value];
  });
}

function aggregateDecimals(operator: NumericOperator, values: readonly Stored[]): Decimal | null {
  const decimals = values.map((value) => parseDecimal(String(value)) ?? integerDecimal(0n));
  const count = integerDecimal(BigInt(decimals.length));
  const sum = decimals.reduce(addDecimals);
  if (operator === "sum" || sum.rank !== 0) return sum;
  if (operator === "avg") return divideDecimals(sum, count);
  const population = operator.endsWith("_pop");
  if (!population && decimals.length < 2) return null;
  const squares = decimals.map((value) => multiplyDecimals(value, value)).reduce(addDecimals);
  const spread = addDecimals(multiplyDecimals(count, squares), negate(multiplyDecimals(sum, sum)));
  if (spread.units === 0n) return integerDecimal(0n);
  const weight = population ? count.units ** 2n : count.units * (count.units - 1n);
  const variance = divideDecimals(spread, integerDecimal(weight));
  return operator.startsWith("stddev") ? rootDecimal(variance) : variance;
}

function negate(decimal: Decimal): Decimal {
  return { ...decimal, units: -decimal.units };
}

function aggregateFloats(operator: NumericOperator, values: readonly number[]): number | null {
  let sum = 0;
  let squares = 0;
  // Youngs and Cramer's method, which Postgres uses: it loses less than the difference of two big sums.
  for (const [index, value] of values.entries()) {
    const count = index + 1;
    sum += value;
    if (index > 0) squares += (value * count - sum) ** 2 / (count * index);
  }
  if (operator === "sum") return sum;
  if (operator === "avg") return sum / values.length;
  const population = operator.endsWith("_pop");
  if (!population && values.length < 2) return null;
  const variance = squares / (population ? values.length : values.length - 1);
  return operator.startsWith("stddev") ? Math.sqrt(variance) : variance;
}

function deviations(
  x: Column,
  y: Column,
  rows: readonly Row[],
): { readonly count: number; readonly sxx: number; readonly syy: number; readonly sxy: number } {
  const pairs = rows.flatMap((row) => {
    const a = row[x.field] ?? null;
    const b = row[y.field] ?? null;
    return a === null || b === null ? [] : [[Number(a), Number(b)] as const];
  });
  const meanX = pairs.reduce((sum, [a]) => sum + a, 0) / pairs.length;
  const meanY = pairs.reduce((sum, [, b]) => sum + b, 0) / pairs.length;
  return {
    count: pairs.length,
    sxx: pairs.reduce((sum, [a]) => sum + (a - meanX) ** 2, 0),
    syy: pairs.reduce((sum, [, b]) => sum + (b - meanY) ** 2, 0),
    sxy: pairs.reduce((sum, [a, b]) => sum + (a - meanX) * (b - meanY), 0),
  };
}
