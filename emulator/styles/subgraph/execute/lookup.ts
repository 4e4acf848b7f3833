import { cached } from "../../../../src/base/collections.ts";
import type { Row, RowValue } from "../../read-view.ts";
import type { Tables } from "./tables.ts";

/** The rows of an object type among which all matching ones are, found without going through its table. */
export type Lookup = (type: string) => readonly Row[];

/** Looks up the rows whose field is, or as a list holds, one of these values. */
export function valuesLookup({ store }: Tables, field: string, given: readonly RowValue[]): Lookup {
  const lookUp = (type: string, value: RowValue): readonly Row[] => {
    if (field !== "id") return store.matching(type, field, value);
    const row = store.find(type, String(value));
    return row ? [row] : [];
  };
  // One value may be given twice.
  const [only, ...others] = new Set(given);
  if (only !== undefined && others.length === 0) return (type) => lookUp(type, only);
  // The children of thousands of parents are looked up one parent after the other.
  const found = new Map<string, readonly Row[]>();
  return (type) => cached(found, type, () => [...new Set(given)].flatMap((value) => lookUp(type, value)));
}

/** The fewest rows that one of the lookups gives; null when there is none. */
export function lookUp(lookups: readonly Lookup[], type: string): readonly Row[] | null {
  let fewest: readonly Row[] | null = null;
  for (const lookup of lookups) {
    const rows = lookup(type);
    if (fewest === null || rows.length < fewest.length) fewest = rows;
  }
  return fewest;
}
