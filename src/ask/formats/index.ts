import { createCsv } from "./csv.ts";
import type { Format, FormatName, FormatOptions } from "./format.ts";
import { createJson, createNdjson } from "./json.ts";
import { createTable } from "./table.ts";

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
