import type { Row, RowValue } from "../../read-view.ts";
import { compareDecimals, compareIntegers, compareText, normalizeDecimal } from "./scalars.ts";

/** What rows are sorted by: a value of each, and its id where values are equal. */
export type SortKey = {
  readonly keyOf: (row: Row) => RowValue;
  /** The scalar the values are of. */
  readonly type: string;
  /** The scalar of the ids. */
  readonly idType: string;
};

/** Sorts rows ascending, nulls last, ties by id (B.3). The rows given are left in their order. */
export function sortRows(rows: readonly Row[], { keyOf, type, idType }: SortKey): readonly Row[] {
  if (rows.length < 2) return rows;
  const byKey = comparePrepared(type, rows.map(keyOf));
  // Most fields have few equal values, or none.
  let byId: ComparePlaces | undefined;
  const compareIds: ComparePlaces = (a, b) => {
    byId ??= comparePrepared(
      idType,
      rows.map((row) => row["id"] ?? null),
    );
    return byId(a, b);
  };
  const places = Uint32Array.from(rows, (_, place) => place);
  places.sort((a, b) => byKey(a, b) || compareIds(a, b));
  return Array.from(places, (place) => rows[place] as Row);
}

type ComparePlaces = (a: number, b: number) => number;

/** Compares values by their places. They are read once, and compared natively where that gives the same order. */
function comparePrepared(type: string, values: readonly RowValue[]): ComparePlaces {
  switch (type) {
    case "Int":
    case "Float":
    case "Boolean":
      return compareNumbers(values.map((value) => (value === null ? null : Number(value))));
    case "BigInt":
    case "Int8":
    case "Timestamp":
      return compareExactly(values.map(textOf), compareIntegers);
    case "BigDecimal":
      return compareExactly(
        values.map((value) => (value === null ? null : (normalizeDecimal(String(value)) ?? String(value)))),
        compareDecimals,
      );
    default: {
      const texts = values.map(textOf);
      // Below U+D800, units of UTF-16 are in the order of their bytes in UTF-8.
      const native = texts.every((text) => text === null || !/[\ud800-\uffff]/.test(text));
      return compareTexts(texts, native ? compareUnits : compareText);
    }
  }
}

function textOf(value: RowValue): string | null {
  return value === null ? null : String(value);
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(values: readonly (number | null)[]): ComparePlaces {
  const keys = Float64Array.from(values, (value) => value ?? Number.POSITIVE_INFINITY);
  return (a, b) => {
    const left = keys[a] as number;
    const right = keys[b] as number;
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

/** Compares big numbers as floats, which keep their order, and exactly only where floats are equal. */
function compareExactly(
  texts: readonly (string | null)[],
  compare: (a: string, b: string) => number,
): ComparePlaces {
  const byFloat = compareNumbers(texts.map((text) => (text === null ? null : Number(text))));
  const byText = compareTexts(texts, compare);
  return (a, b) => byFloat(a, b) || byText(a, b);
}

function compareTexts(
  keys: readonly (string | null)[],
  compare: (a: string, b: string) => number,
): ComparePlaces {
  return (a, b) => {
    const left = keys[a] as string | null;
    const right = keys[b] as string | null;
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return compare(left, right);
  };
}
