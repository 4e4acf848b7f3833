import { listSome } from "../../base/list-some.ts";
import { withoutCommands } from "../../base/without-commands.ts";
import { cellText } from "../column.ts";
import type { Row } from "../row.ts";
import type { Format, FormatOptions } from "./format.ts";
import { cutToWidth, textWidth } from "./text-width.ts";

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
