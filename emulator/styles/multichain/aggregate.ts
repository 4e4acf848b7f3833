import type { Row, RowValue } from "../read-view.ts";
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  formatDecimal,
  formatFloat8,
  integerDecimal,
  multiplyDecimals,
  rootDecimal,
  shortestFloat4,
} from "./decimal.ts";
import { keyText } from "./keys.ts";
import type { Stored } from "./kinds.ts";
import { messages } from "./messages.ts";
import type { Column } from "./schema-index.ts";

type NumericOperator = (typeof NUMERIC_OPERATORS)[number];

const NUMERIC_OPERATORS = [
  ...(["avg", "sum", "stddev", "stddev_pop", "stddev_samp"] as const),
  ...(["var_pop", "var_samp", "variance"] as const),
] as const;

export function isNumericOperator(name: string): name is NumericOperator {
  return NUMERIC_OPERATORS.some((operator) => operator === name);
}

/** Computes a numeric aggregate as Postgres prints it. Null without rows, and for sample forms of one row. */
export function aggregateNumber(
  operator: NumericOperator,
  column: Column,
  rows: readonly Row[],
): string | null {
  const values = rows.flatMap((row) => {
    const value = row[column.field] ?? null;
    return value === null ? [] : [value];
  });
  if (values.length === 0) return null;
  const { arithmetic } = column.kind;
  if (arithmetic !== "exact") {
    const round = arithmetic === "float4" ? Math.fround : Number;
    const floats = values.map((value) => round(Number(value)));
    // A sum of `real` is rounded to `real` at every step.
    const result =
      operator === "sum"
        ? floats.reduce((sum, value) => unlessOverflown(round(sum + value), sum, value))
        : aggregateFloats(operator, floats);
    if (result === null) return null;
    return operator === "sum" && arithmetic === "float4"
      ? String(shortestFloat4(result))
      : formatFloat8(result);
  }
  const result = aggregateDecimals(
    operator,
    values.map((value) => exactly(column, value)),
  );
  return result === null ? null : formatDecimal(result);
}

/** The least or greatest value of a column, the last of equal ones; null without values. */
export function aggregateExtreme(operator: "max" | "min", column: Column, rows: readonly Row[]): RowValue {
  const { field, kind } = column;
  const sign = operator === "max" ? 1 : -1;
  let best: Stored | null = null;
  for (const row of rows) {
    const value = row[field] ?? null;
    if (value !== null && (best === null || kind.compare(value, best) * sign >= 0)) best = value;
  }
  return best;
}

/**
 * Counts rows: all rows without columns, those with a value for one column. With several columns every row
 * counts: a row of nulls is not null.
 */
export function countRows(rows: readonly Row[], columns: readonly Column[], distinct: boolean): number {
  const [only] = columns;
  if (!only) return rows.length;
  const counted = columns.length === 1 ? rows.filter((row) => (row[only.field] ?? null) !== null) : rows;
  return distinct ? new Set(counted.map((row) => tupleText(row, columns))).size : counted.length;
}

/** A text that is equal for rows with equal values in these columns; nulls count as equal. */
export function tupleText(row: Row, columns: readonly Column[]): string {
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column.field] ?? null;
      return value === null ? null : keyText(column.kind.key(value));
    }),
  );
}

/** The correlation of two columns over rows with both; null if it is undefined. */
export function correlate(x: Column, y: Column, rows: readonly Row[]): number | null {
  const { count, sxx, syy, sxy } = deviations(x, y, rows);
  return count < 1 || sxx === 0 || syy === 0 ? null : sxy / Math.sqrt(sxx * syy);
}

/** The sample covariance of two columns. */
export function sampleCovariance(x: Column, y: Column, rows: readonly Row[]): number | null {
  const { count, sxy } = deviations(x, y, rows);
  return count < 2 ? null : sxy / (count - 1);
}

/** An `Int` key is a JavaScript number, any other an exact decimal. */
function exactly({ kind }: Column, value: Stored): Decimal {
  const key = kind.key(value);
  return typeof key === "number" ? integerDecimal(BigInt(key)) : (key as Decimal);
}

function aggregateDecimals(operator: NumericOperator, decimals: readonly Decimal[]): Decimal | null {
  const count = integerDecimal(BigInt(decimals.length));
  const sum = decimals.reduce(addDecimals);
  if (operator === "sum") return sum;
  if (operator === "avg") return sum.rank === 0 ? divideDecimals(sum, count) : sum;
  const population = operator.endsWith("_pop");
  if (!population && decimals.length < 2) return null;
  if (sum.rank !== 0) return NOT_A_NUMBER;
  const squares = decimals.map((value) => multiplyDecimals(value, value)).reduce(addDecimals);
  const squared = multiplyDecimals(sum, sum);
  const spread = addDecimals(multiplyDecimals(count, squares), { ...squared, units: -squared.units });
  if (spread.units === 0n) return integerDecimal(0n);
  const weight = population ? count.units ** 2n : count.units * (count.units - 1n);
  const variance = divideDecimals(spread, integerDecimal(weight));
  return operator.startsWith("stddev") ? rootDecimal(variance) : variance;
}

const NOT_A_NUMBER: Decimal = { units: 0n, scale: 0, rank: 2 };

/** @throws QueryError for an infinity that does not come from an operand. */
function unlessOverflown(result: number, ...from: readonly number[]): number {
  if (isInfinite(result) && !from.some(isInfinite)) throw messages.floatOverflow();
  return result;
}

function isInfinite(value: number): boolean {
  return Math.abs(value) === Number.POSITIVE_INFINITY;
}

function aggregateFloats(
  operator: Exclude<NumericOperator, "sum">,
  values: readonly number[],
): number | null {
  let sum = 0;
  let squares = 0;
  // The Youngs-Cramer method of Postgres, which loses less than the difference of two large sums.
  for (const [index, value] of values.entries()) {
    const before = sum;
    const count = index + 1;
    sum += value;
    // The variance with an infinity is NaN, even of a single value.
    if (index === 0) squares = value - value;
    else {
      squares += (value * count - sum) ** 2 / (count * index);
      for (const result of [sum, squares]) unlessOverflown(result, before, value);
    }
    if (isInfinite(squares)) squares = Number.NaN;
  }
  if (operator === "avg") return sum / values.length;
  const population = operator.endsWith("_pop");
  if (!population && values.length < 2) return null;
  const variance = squares / (population ? values.length : values.length - 1);
  return operator.startsWith("stddev") ? Math.sqrt(variance) : variance;
}

type Spread = [sxx: number, syy: number, sxy: number];

type Deviations = {
  readonly count: number;
  readonly sxx: number;
  readonly syy: number;
  readonly sxy: number;
};

/** The sums of squares and products for both functions, with the method of a single column. */
function deviations(x: Column, y: Column, rows: readonly Row[]): Deviations {
  const read = (row: Row, { field }: Column): number | null =>
    (row[field] ?? null) === null ? null : Number(row[field]);
  let [count, sumX, sumY, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (const row of rows) {
    const a = read(row, x);
    const b = read(row, y);
    if (a === null || b === null) continue;
    const [beforeX, beforeY] = [sumX, sumY];
    sumX += a;
    sumY += b;
    if (count++ === 0) [sxx, syy, sxy] = [a - a, b - b, a - a + b - b];
    else {
      const [distanceX, distanceY] = [a * count - sumX, b * count - sumY];
      const scale = 1 / (count * (count - 1));
      sxx += distanceX * distanceX * scale;
      syy += distanceY * distanceY * scale;
      sxy += distanceX * distanceY * scale;
      for (const result of [sumX, sxx]) unlessOverflown(result, beforeX, a);
      for (const result of [sumY, syy]) unlessOverflown(result, beforeY, b);
      unlessOverflown(sxy, beforeX, a, beforeY, b);
    }
    [sxx, syy, sxy] = [sxx, syy, sxy].map((sum) => (isInfinite(sum) ? Number.NaN : sum)) as Spread;
  }
  return { count, sxx, syy, sxy };
}
