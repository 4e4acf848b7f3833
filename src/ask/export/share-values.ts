import { isObject } from "../../base/parse-json.ts";
import type { Row } from "../rows.ts";

/**
 * Returns a function that replaces values of rows by the equal ones of the row before. Neighbours often have the same
 * asset, sender or contract. Rows that wait for others take half of the memory then, and equal values are found at once.
 */
export function createValueSharing(): (rows: readonly Row[]) => void {
  let previous: Row = {};
  return (rows) => {
    for (const row of rows) {
      share(row, previous);
      previous = row;
    }
  };
}

/** @returns whether all values are equal. */
function share(object: Row, previous: Row): boolean {
  let isEqual = true;
  for (const key in object) {
    const value = object[key];
    const other = Object.hasOwn(previous, key) ? previous[key] : undefined;
    if (value === other || (isObject(value) && isObject(other) && share(value, other))) {
      (object as Record<string, unknown>)[key] = other;
    } else isEqual = false;
  }
  return isEqual && Object.keys(object).length === Object.keys(previous).length;
}
