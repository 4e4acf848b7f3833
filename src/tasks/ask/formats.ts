import { jsonWithoutCommands, listSome, withoutCommands } from "../../base/clean-text.ts";
import { type Column, cellText, type Row } from "./rows.ts";

/** The forms in which rows are told. */
export type FormatName = "table" | "json" | "ndjson" | "csv";

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

/**
 * A table for people: as many columns as the terminal is wide for, numbers to the right; one object has a line for each
 * of its columns. It is rendered at the end, because a column is as wide as its widest cell.
 */
export function createTable({ columns, isRecord, width }: FormatOptions): Format {
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
        // What is looked at is whole, but a list, which may have hundreds of lines.
        return [name, cell.startsWith("[") ? cutToWidth(cell, room) : cell];
      });
      return renderLines(lines, [names, null]);
    },
  };
}

/** What a stranger wrote, without what moves or colours a terminal, turns its direction, is not seen, or is obeyed. */
function displayCell(text: string): string {
  return withoutCommands(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").toWellFormed());
}

function renderColumns(lines: readonly (readonly string[])[], width: number | null): string {
  const [head = [], ...rows] = lines;
  const columns = head.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? "");
    const isNumber = cells.some((cell) => cell !== "") && cells.every((cell) => NUMBER.test(cell));
    const natural = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(name));
    // A number that is cut is another number.
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

/** How narrow a column of text may become, and what lies between two. */
const LEAST = 10;
const GAP = 2;

type Width = { readonly natural: number; readonly least: number };

/** The widest columns give way first. */
function fitWidths(columns: readonly Width[], room: number): number[] {
  let most = Math.max(0, ...columns.map(({ natural }) => natural));
  const widthsAt = () => columns.map(({ natural, least }) => Math.max(least, Math.min(natural, most)));
  while (most > LEAST && sum(widthsAt()) > room) most--;
  return widthsAt();
}

/** @param widths null for a column that is as wide as it is. */
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
  return numbers.reduce((total, one) => total + one, 0);
}

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
 * Puts an apostrophe before what a spreadsheet would run: names of tokens are made by strangers. Some spreadsheets ignore
 * quotes and begin a cell after a semicolon, a tab or a line end as well. A number stays a number, also below zero.
 */
function guardCell(text: string): string {
  if (/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return text;
  return text
    .replaceAll(/(?<=[;\t\r\n]["'\s]*)(?=[=+\-@＝＋－＠])/g, "'")
    .replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'");
}

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

/** How many columns of a terminal a text takes: two for wide letters, none for marks on others. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

/** Cuts a text to so many columns, and says so by its last one. */
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
