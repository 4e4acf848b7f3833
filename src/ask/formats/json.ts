import { jsonWithoutCommands } from "../../base/without-commands.ts";
import type { Row } from "../row.ts";
import type { Format, FormatOptions } from "./format.ts";

/** JSON: a list with a line for each row; or the object, and `null` where there is none. */
export function createJson({ isRecord }: FormatOptions): Format {
  if (isRecord) {
    return {
      begin: "",
      rows: (rows) => rows.map((row) => `${jsonWithoutCommands(JSON.stringify(row, null, 2))}\n`).join(""),
      end: (isEmpty) => (isEmpty ? "null\n" : ""),
    };
  }
  return {
    begin: "[",
    rows: (rows, isFirst) => {
      const lines = rows.map((row) => `\n  ${renderJsonRow(row)}`).join(",");
      return isFirst || rows.length === 0 ? lines : `,${lines}`;
    },
    end: (isEmpty) => (isEmpty ? "]\n" : "\n]\n"),
  };
}

/** JSON with a row a line, and nothing else. */
export function createNdjson(): Format {
  return {
    begin: "",
    rows: (rows) => rows.map((row) => `${renderJsonRow(row)}\n`).join(""),
    end: () => "",
  };
}

/** A row on one line, in which no terminal and no log finds anything to obey. */
function renderJsonRow(row: Row): string {
  return jsonWithoutCommands(JSON.stringify(row));
}
