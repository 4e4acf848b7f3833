import type { RowValue } from "../../read-view.ts";
import { compareKeys, type Key } from "./keys.ts";
import type { QueryValue } from "./query-value.ts";
import type { Reading } from "./reading.ts";

/** How the values of a column behave: one for every scalar of the platform, and one for lists of each. */
export type ColumnKind = {
  /** What numeric operators compute with; null where the column is no number. */
  readonly arithmetic: "exact" | "float4" | "float8" | null;
  /** Whether numbers travel as JSON strings (C.6). */
  readonly stringified: boolean;
  /** The form a stored value is compared in. */
  readonly key: (value: Stored) => Key;
  /** The order of two stored values. */
  readonly compare: (a: Stored, b: Stored) => number;
  /**
   * Reads an operand. Null when the database refuses it: that error is postponed, and the result does not
   * matter any more.
   */
  readonly operand: (reading: Reading, input: QueryValue, type: string, path: string) => Key | null;
  /** The stored value that alone equals this operand; undefined when several may, as `1.0` and `1` do. */
  readonly stored: (key: Key) => Stored | undefined;
  /** The JSON of a stored value. */
  readonly serialize: (value: Stored) => unknown;
};

/** A value that is there. */
export type Stored = Exclude<RowValue, null>;

/** Completes a kind with what most kinds have in common. */
export function defineKind(own: Pick<ColumnKind, "key" | "operand"> & Partial<ColumnKind>): ColumnKind {
  const { key } = own;
  const compare = own.compare ?? ((a: Stored, b: Stored) => compareKeys(key(a), key(b)));
  return {
    arithmetic: null,
    stringified: false,
    compare,
    stored: () => undefined,
    serialize: (value) => value,
    ...own,
  };
}
