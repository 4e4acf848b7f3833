import { type Column, cellText } from "../column.ts";
import type { Format, FormatOptions } from "./format.ts";

/** CSV by RFC 4180: a header, lines that end in CR LF, and quotes where a cell needs them. */
export function createCsv({ columns }: FormatOptions): Format {
  return {
    begin: renderLine(columns.map(({ name }) => name)),
    rows: (rows) => rows.map((row) => renderLine(columns.map((column) => renderCell(row, column)))).join(""),
    end: () => "",
  };
}

function renderLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

function renderCell(row: unknown, column: Column): string {
  // A reader that knows strings with an end mark takes the rest of the file for gone.
  const text = guardCell(cellText(row, column).replaceAll("\0", "\uFFFD"));
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before what a spreadsheet would run: names of tokens are made by strangers. A number stays a
 * number, also below zero.
 */
function guardCell(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
    ? `'${text}`
    : text;
}
