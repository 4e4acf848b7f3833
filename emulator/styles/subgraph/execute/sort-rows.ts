import type { Row, RowValue } from "../../read-view.ts";
import { compareValues } from "./scalars.ts";

/** What rows are sorted by: a value of each, and its id where values are equal. */
export type SortKey = {
  /** The value of a row; a row with several stands once for each, as after a join. */
  readonly keysOf: (row: Row) => readonly RowValue[];
  /** The scalar the values are of. */
  readonly type: string;
  /** The scalar of the ids. */
  readonly idType: string;
};

/** Sorts rows ascending, nulls last, ties by id (B.3). The rows given are left in their order. */
export function sortRows(rows: readonly Row[], { keysOf, type, idType }: SortKey): readonly Row[] {
  const keyed = rows.flatMap((row) => keysOf(row).map((key) => ({ row, key })));
  keyed.sort(
    (a, b) =>
      compareNullsLast(type, a.key, b.key) ||
      compareNullsLast(idType, a.row["id"] ?? null, b.row["id"] ?? null),
  );
  return keyed.map(({ row }) => row);
}

/** Compares values of a scalar; null is greater than any. */
function compareNullsLast(type: string, a: RowValue, b: RowValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareValues(type, a, b);
}
