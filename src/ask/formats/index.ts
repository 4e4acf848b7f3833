import { createCsv } from "./csv.ts";
import type { Format, FormatOptions } from "./format.ts";
import { createJson, createNdjson } from "./json.ts";
import { createTable } from "./table.ts";

export type { Format, FormatOptions };

/** The forms in which rows are told. */
export type FormatName = "table" | "json" | "ndjson" | "csv";

export const FORMAT_NAMES: readonly FormatName[] = ["table", "json", "ndjson", "csv"];

const FORMATS: Readonly<Record<FormatName, (options: FormatOptions) => Format>> = {
  table: createTable,
  json: createJson,
  ndjson: createNdjson,
  csv: createCsv,
};

/** Creates what renders rows in a form. */
export function createFormat(name: FormatName, options: FormatOptions): Format {
  return FORMATS[name](options);
}
