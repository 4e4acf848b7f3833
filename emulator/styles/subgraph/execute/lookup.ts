import type { Row, RowValue } from "../../read-view.ts";
import type { Bucket } from "./bucket-cache.ts";
import { type KeyRange, partOf, sizeOf, walkRows } from "./ordered-rows.ts";
import { idOf, type Tables } from "./tables.ts";

/** A way to find rows without going through their table. */
export type Lookup = {
  /** The rows of an object type among which all matching ones are; null when they are more than `most`. */
  readonly rows: (type: string, most: number) => readonly Row[] | null;
  /** About how many they are, where that is known without finding them. */
  readonly size: ((type: string) => number) | null;
  /** The field and value that all of its rows hold, and that no other row does. */
  readonly bucket: Omit<Bucket, "type"> | null;
};

/** A range of a single-valued field that every matching row lies in. */
export type FieldRange = KeyRange & { readonly field: string; readonly valueType: string };

/** Looks up the rows whose field is, or as a list holds, a value. */
export function valueLookup(tables: Tables, field: string, value: RowValue): Lookup {
  if (field === "id") {
    return {
      bucket: null,
      size: () => 1,
      rows: (type) => {
        const row = tables.store.find(type, String(value));
        return row ? [row] : [];
      },
    };
  }
  // A store that is based on another has to put its rows together, of which there are about as many.
  const { matching } = tables.store.basis?.store ?? tables.store;
  return {
    bucket: { field, value },
    size: (type) => matching(type, field, value).length,
    rows: (type, most) => {
      const rows = tables.matching(type, field, value);
      return rows.length > most ? null : rows;
    },
  };
}

/** Looks up the rows whose field is one of these values. */
export function valuesLookup(tables: Tables, field: string, given: readonly RowValue[]): Lookup {
  const [only, another] = given;
  if (only !== undefined && another === undefined) return valueLookup(tables, field, only);
  // One value may be given twice.
  const lookups = [...new Set(given)].map((value) => valueLookup(tables, field, value));
  return {
    bucket: null,
    size: null,
    rows: (type, most) => {
      const found: Row[] = [];
      for (const lookup of lookups) {
        const rows = lookup.rows(type, most - found.length);
        if (rows === null) return null;
        for (const row of rows) found.push(row);
      }
      return found;
    },
  };
}

/** Looks up the rows of a range in the order of its field. */
export function rangeLookup(tables: Tables, range: FieldRange): Lookup {
  return lookupOf((type, most) => {
    const ordered = tables.ordered(type, { field: range.field, child: null, valueType: range.valueType });
    const part = partOf(ordered, [range]);
    if (sizeOf(part) > most) return null;
    const found: Row[] = [];
    walkRows(ordered, part, false, (row) => found.push(row) > 0);
    return found;
  });
}

/** Looks up the rows that any of several lookups finds. */
export function anyLookup(lookups: readonly Lookup[]): Lookup {
  return remembered((type, most) => {
    const found = new Map<string, Row>();
    for (const lookup of lookups) {
      const rows = lookup.rows(type, most);
      if (rows === null) return null;
      for (const row of rows) found.set(idOf(row), row);
      if (found.size > most) return null;
    }
    return [...found.values()];
  });
}

/** A lookup that is dear and, in a collection of each of many entities, asked again and again. */
export function remembered(find: Lookup["rows"]): Lookup {
  const known = new Map<string, { readonly most: number; readonly rows: readonly Row[] | null }>();
  return lookupOf((type, most) => {
    const before = known.get(type);
    if (before?.rows) return before.rows.length > most ? null : before.rows;
    if (before && before.most >= most) return null;
    const rows = find(type, most);
    known.set(type, { most, rows });
    return rows;
  });
}

function lookupOf(rows: Lookup["rows"]): Lookup {
  return { rows, size: null, bucket: null };
}

/** So few rows that looking for fewer costs more. */
const FEW = 32;

/** The fewest rows that one of the lookups gives. */
export function lookUp(lookups: readonly Lookup[], type: string, most: number): readonly Row[] | null {
  let fewest: readonly Row[] | null = null;
  for (const lookup of lookups) {
    const limit = fewest === null ? most : fewest.length - 1;
    if (lookup.size !== null && lookup.size(type) > limit * 2 + FEW) continue;
    const rows: readonly Row[] | null = lookup.rows(type, limit);
    if (rows !== null) fewest = rows;
    if (fewest !== null && fewest.length <= FEW) break;
  }
  return fewest;
}

/** The lookup that says it gives the least, and how much; null when none says. */
export function leastLookup(
  lookups: readonly Lookup[],
  type: string,
): { readonly lookup: Lookup; readonly size: number } | null {
  let least: { readonly lookup: Lookup; readonly size: number } | null = null;
  for (const lookup of lookups) {
    const size = lookup.size?.(type) ?? null;
    if (size !== null && (least === null || size < least.size)) least = { lookup, size };
  }
  return least;
}
