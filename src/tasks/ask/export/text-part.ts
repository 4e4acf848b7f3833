import { appendFileSync } from "node:fs";
import { createFormat, type TextFormatName } from "../formats.ts";
import type { Column, Row } from "../rows.ts";
import { syncFile } from "./growing-file.ts";

/** A file of an export that is being written. */
export type PartWriter = {
  readonly write: (rows: readonly Row[]) => void;
  readonly finish: () => void;
};

/**
 * Creates a text file.
 *
 * @param hidden the column that the folders have, which is left out; null if there is none.
 */
export function createTextPart(
  path: string,
  {
    format: name,
    columns,
    hidden,
  }: {
    readonly format: TextFormatName;
    readonly columns: readonly Column[];
    readonly hidden: string | null;
  },
): PartWriter {
  const format = createFormat(name, { columns, isRecord: false, width: null });
  let text = format.begin;
  let rows = 0;
  const flush = () => {
    appendFileSync(path, text);
    text = "";
  };
  return {
    write: (some) => {
      text += format.rows(hidden === null ? some : some.map((row) => without(row, hidden)), rows === 0);
      rows += some.length;
      if (text.length > MOST) flush();
    },
    finish: () => {
      text += format.end(rows === 0);
      flush();
      syncFile(path);
    },
  };
}

/** The most characters in memory. */
const MOST = 1 << 20;

function without(row: Row, key: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key));
}
