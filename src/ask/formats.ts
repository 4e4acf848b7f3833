import { jsonWithoutCommands, listSome, withoutCommands } from "../base/clean-text.ts";
import { type Column, cellText, type Row } from "./rows.ts";

/** The output formats of rows. */
export type FormatName = TextFormatName | "parquet";

/** The formats that are text. */
export type TextFormatName = "table" | "json" | "ndjson" | "csv";

/** Renders rows as they arrive. The texts in order are the output. */
export type Format<T = string> = {
  /** The text before the first row. */
  readonly begin: T;
  /** @param isFirst whether these are the first rows. */
  readonly rows: (rows: readonly Row[], isFirst: boolean) => T;
  /** Returns the text after the last row. */
  readonly end: (isEmpty: boolean) => T;
};

/** The options of a format. */
export type FormatOptions = {
  readonly columns: readonly Column[];
  /** Whether the answer is one object or null. */
  readonly isRecord: boolean;
  /** The columns of the terminal; null if the output is not a terminal. */
  readonly width: number | null;
  /** Whether CSV begins with a byte order mark. @default false */
  readonly hasMark?: boolean;
};

/**
 * Creates a table with as many columns as fit the terminal and numbers aligned right. One object has a line per column.
 * The table is rendered at the end, because the widest cell decides the width of a column.
 */
function createTable({ columns, isRecord, width }: FormatOptions): Format {
  const all: Row[] = [];
  return {
    begin: "",
    rows: (rows) => {
      for (const row of rows) all.push(row);
      return "";
    },
    end: () => {
      const cells = all.map((row) => columns.map((column) => displayCell(cellText(row, column))));
      if (!isRecord) return renderColumns([columns.map(({ name }) => name), ...cells], width);
      const [record] = cells;
      if (record === undefined) return "";
      const names = Math.max(0, ...columns.map(({ name }) => name.length));
      const room = Math.max(LEAST, (width ?? Number.POSITIVE_INFINITY) - names - GAP);
      const lines = columns.map(({ name }, index) => {
        const cell = record[index] ?? "";
        // Only lists are cut, because they may fill hundreds of lines.
        return [name, cell.startsWith("[") ? cutToWidth(cell, room) : cell];
      });
      return renderLines(lines, [names, null]);
    },
  };
}

/** Replaces invisible and control characters, and log commands: cells contain text of third parties. */
function displayCell(text: string): string {
  return withoutCommands(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").toWellFormed());
}

function renderColumns(lines: readonly (readonly string[])[], width: number | null): string {
  const [head = [], ...rows] = lines;
  const columns = head.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? "");
    const isNumber = cells.some((cell) => cell !== "") && cells.every((cell) => NUMBER.test(cell));
    const natural = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(name));
    // A cut number would be a wrong number.
    return { isNumber, natural, least: isNumber ? natural : Math.min(natural, LEAST) };
  });
  const room = width ?? Number.POSITIVE_INFINITY;
  let count = columns.length;
  while (count > 1 && sum(columns.slice(0, count).map(({ least }) => least)) + GAP * (count - 1) > room) {
    count--;
  }
  const shown = columns.slice(0, count);
  const widths = fitWidths(shown, room - GAP * (count - 1));
  const table = renderLines(
    lines.map((line) => line.slice(0, count)),
    widths,
    shown.map(({ isNumber }) => isNumber),
  );
  const hidden = head.slice(count);
  if (hidden.length === 0) return table;
  const what = hidden.length === 1 ? "One more column does" : `${hidden.length} more columns do`;
  return `${table}${what} not fit: ${listSome(hidden, 3)}. \`--format csv\` has all.\n`;
}

const NUMBER = /^(-?\d+(\.\d+)?)?$/;

/** The minimum width of a text column, and the gap between columns. */
const LEAST = 10;
const GAP = 2;

type Width = { readonly natural: number; readonly least: number };

/** Shrinks the widest columns first. */
function fitWidths(columns: readonly Width[], room: number): number[] {
  let most = Math.max(0, ...columns.map(({ natural }) => natural));
  const widthsAt = () => columns.map(({ natural, least }) => Math.max(least, Math.min(natural, most)));
  while (most > LEAST && sum(widthsAt()) > room) most--;
  return widthsAt();
}

/** @param widths null for a column that is not padded or cut. */
function renderLines(
  lines: readonly (readonly string[])[],
  widths: readonly (number | null)[],
  toRight: readonly boolean[] = [],
): string {
  return lines
    .map((line) => {
      const cells = line.map((cell, at) => {
        const width = widths[at] ?? null;
        if (width === null) return cell;
        const shown = cutToWidth(cell, width);
        const blanks = " ".repeat(Math.max(0, width - textWidth(shown)));
        return toRight[at] ? blanks + shown : shown + blanks;
      });
      return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
    })
    .join("");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Creates JSON: a list with one row per line; or one object, `null` if there is none. */
function createJson({ isRecord }: FormatOptions): Format {
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

/** Creates NDJSON: one row per line. */
function createNdjson(): Format {
  return {
    begin: "",
    rows: (rows) => rows.map((row) => `${renderJsonRow(row)}\n`).join(""),
    end: () => "",
  };
}

/** Renders a row on one line, without terminal or log commands. */
function renderJsonRow(row: Row): string {
  return jsonWithoutCommands(JSON.stringify(row));
}

/** Creates CSV by RFC 4180: a header, CRLF line ends, and quotes where needed. */
function createCsv({ columns, hasMark = false }: FormatOptions): Format {
  return {
    begin: `${hasMark ? "\uFEFF" : ""}${renderLine(columns.map(({ name }) => name))}`,
    rows: (rows) => rows.map((row) => renderLine(columns.map((column) => renderCell(row, column)))).join(""),
    end: () => "",
  };
}

function renderLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

function renderCell(row: unknown, column: Column): string {
  const value = cellText(row, column);
  if (PLAIN.test(value)) return value;
  // Readers with NUL-terminated strings would stop at a NUL.
  const text = guardCell(value.replaceAll("\0", "\uFFFD"));
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell that needs neither quotes nor an apostrophe, as most do. */
const PLAIN = /^(?:[\da-z][\w.:-]*)?$/i;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula: anyone can choose the name of a token. Some
 * spreadsheets ignore quotes and also start a cell after a semicolon, tab or line end, and skip blanks, controls and invisible
 * characters before it. Negative numbers stay numbers.
 */
function guardCell(text: string): string {
  if (/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) || !FORMULA.test(text)) return text;
  // A lookbehind over many blanks takes quadratic time.
  let guarded = "";
  let isStart = true;
  for (const letter of text) {
    if (isStart && FORMULA.test(letter)) guarded += "'";
    guarded += letter;
    isStart = SEPARATOR.test(letter) || (isStart && SKIPPED.test(letter));
  }
  return /^[\t\r\n]/.test(guarded) ? `'${guarded}` : guarded;
}

const FORMULA = /[=+\-@＝＋－＠]/;
const SEPARATOR = /[;\t\r\n]/;
const SKIPPED = /["'\s\p{Cc}\p{Cf}\uFFFD]/u;

const FORMATS: Readonly<Record<TextFormatName, (options: FormatOptions) => Format>> = {
  table: createTable,
  json: createJson,
  ndjson: createNdjson,
  csv: createCsv,
};

/** Creates a format of text by name. */
export function createFormat(name: TextFormatName, options: FormatOptions): Format {
  return FORMATS[name](options);
}

/** Returns the columns of a text on a terminal: two for wide letters, none for combining marks. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** Cuts a text to a number of columns, with `…` at the end. */
export function cutToWidth(text: string, most: number): string {
  if (textWidth(text) <= most) return text;
  let cut = "";
  let width = 1;
  for (const letter of text) {
    width += letterWidth(letter);
    if (width > most) break;
    cut += letter;
  }
  return `${cut}…`;
}

function letterWidth(letter: string): number {
  return /\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
