import type { RowValue } from "../../../model/rows.ts";
import type { Input } from "./input.ts";
import type { Key } from "./keys.ts";
import type { Scope } from "./scope.ts";

/** How the values of a column behave: one for every scalar of the platform, and one for lists of each. */
export type ColumnKind = {
  /** What numeric operators compute with; null where the column is no number. */
  readonly arithmetic: "exact" | "float" | null;
  /** Whether `like`, `regex` and their kin apply. */
  readonly text: boolean;
  /** Whether numbers travel as JSON strings (C.6). */
  readonly stringified: boolean;
  /** The form a stored value is compared in. */
  readonly key: (value: Stored) => Key;
  /**
   * Reads an operand. Null when the database refuses it: that fault is postponed, and the result does not
   * matter any more.
   */
  readonly operand: (scope: Scope, input: Input, type: string, path: string) => Key | null;
  /** The stored value that alone equals this operand; undefined when several may, as `1.0` and `1` do. */
  readonly stored: (key: Key) => Stored | undefined;
  /** The JSON of a stored value. */
  readonly serialize: (value: Stored) => unknown;
};

/** A value that is there. */
export type Stored = Exclude<RowValue, null>;
