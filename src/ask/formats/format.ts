import type { Column } from "../column.ts";
import type { Row } from "../row.ts";

/** The forms in which rows are told. */
export type FormatName = "table" | "json" | "ndjson" | "csv";

export const FORMAT_NAMES: readonly FormatName[] = ["table", "json", "ndjson", "csv"];

/** Renders rows as they come: the texts in order make the whole. */
export type Format = {
  /** What stands before the first row. */
  readonly begin: string;
  /** @param isFirst whether no row came before. */
  readonly rows: (rows: readonly Row[], isFirst: boolean) => string;
  /** What stands behind the last row. */
  readonly end: (isEmpty: boolean) => string;
};

/** What a form renders rows of. */
export type FormatOptions = {
  readonly columns: readonly Column[];
  /** Whether the whole answer is one object, or nothing. */
  readonly isRecord: boolean;
  /** How many letters a line of the terminal has; null where nobody looks at one. */
  readonly width: number | null;
};
