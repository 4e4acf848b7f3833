import { compareText } from "../compare.ts";
import { compareDecimals, type Decimal, formatDecimal } from "./decimal.ts";
import { compareJson, type Json, jsonKeyText } from "./jsonb.ts";

/**
 * A value in comparable form: text, booleans and enum members as numbers, other numbers and times (microseconds) as
 * decimals. List items may be null.
 */
export type Key = string | number | Decimal | { readonly json: Json } | readonly (Key | null)[];

/** Compares two values of one column like Postgres. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
  if (isList(a) && isList(b)) return compareLists(a, b);
  if (isDecimal(a) && isDecimal(b)) return compareDecimals(a, b);
  if (isJson(a) && isJson(b)) return compareJson(a.json, b.json);
  throw new TypeError("Keys of one column are of one kind.");
}

/** A text that is equal for equal values of one column. */
export function keyText(key: Key): string {
  if (typeof key === "string") return key;
  if (typeof key === "number") return String(key === 0 ? 0 : key);
  if (isList(key)) return JSON.stringify(key.map((item) => (item === null ? null : keyText(item))));
  if (isJson(key)) return jsonKeyText(key.json);
  const text = formatDecimal(key);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** NaN equals itself and is the greatest. */
export function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Item by item; null equals null and is the greatest. */
function compareLists(a: readonly (Key | null)[], b: readonly (Key | null)[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order =
      item === null || other === null
        ? Number(item === null) - Number(other === null)
        : compareKeys(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function isList(key: Key): key is readonly (Key | null)[] {
  return Array.isArray(key);
}

function isDecimal(key: Key): key is Decimal {
  return typeof key === "object" && "units" in key;
}

function isJson(key: Key): key is { readonly json: Json } {
  return typeof key === "object" && "json" in key;
}
