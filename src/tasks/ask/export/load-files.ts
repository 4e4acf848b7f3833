import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { isObject } from "../../../base/parse-json.ts";
import { type Column, valueAt } from "../rows.ts";
import { fitsNumber } from "./column-types.ts";
import { readCells, readRecords } from "./drop-rows.ts";
import { type Database, LIMITS_OF, renderLoad } from "./load-statement.ts";
import { listParts } from "./partition.ts";
import { fileColumns, type Target } from "./write-parts.ts";

/** The files of an export, as text. */
type TextTarget = Omit<Target, "format" | "isFlat"> & { readonly format: "csv" | "ndjson" };

/**
 * Renders the statements that load the files of an export into a database. Columns have the types of the operation. If
 * the files exist, a column with a number that does not fit its type is text, as in Parquet.
 *
 * @throws UsageError for files that a statement cannot load, and for a CSV file with other columns.
 */
export function loadStatement(target: TextTarget, database: Database): string {
  const { path, shownPath, format, partition, chainKey } = target;
  const { fields, columns } = fileColumns(target);
  // It would end the command or comment that it is in.
  if (/\p{Cc}/u.test(shownPath)) {
    throw new UsageError({
      sentence: "--schema cannot load a file with a control character in its name.",
      hint: "give the file another name.",
    });
  }
  const places =
    partition === null
      ? [path].filter((place) => existsSync(place))
      : listParts(path)
          .filter(({ name, isTemporary }) => !isTemporary && name.endsWith(`.${format}`))
          .map(({ folder, name }) => join(path, folder, name));
  const wide = new Set<string>();
  const numbers = columns.flatMap((column, at) =>
    column.kind === "amount" || column.kind === "units" || column.kind === "time"
      ? [{ ...column, kind: column.kind, at }]
      : [],
  );
  for (const place of places) {
    for (const cells of readRows(place, { format, columns, chainKey, shownPath })) {
      for (const { name, kind, at } of numbers) {
        const value = cells[at] ?? "";
        if (value !== "" && !fitsNumber(value, kind, LIMITS_OF[database])) wide.add(name);
      }
    }
  }
  return renderLoad(database, {
    ...{ format, fields, columns, path: shownPath, isFolder: partition !== null },
    folders: partition ?? [],
    wide: places.length === 0 ? null : [...wide].sort(),
  });
}

/** Reads the cells of each row of a file. */
function* readRows(
  place: string,
  { format, columns, chainKey, shownPath }: Pick<TextTarget, "format" | "columns" | "chainKey" | "shownPath">,
): Generator<readonly unknown[], void, undefined> {
  let isHead = format === "csv";
  for (const records of readRecords(place, { format, columns, chainKey, hasHeader: false }, "")) {
    for (const { text } of records) {
      if (format === "ndjson") {
        const row: unknown = JSON.parse(text);
        if (isObject(row)) yield columns.map(({ path }) => valueAt(row, path));
        continue;
      }
      const cells = readCells(text);
      if (!isHead) yield cells;
      else if (cells.join() !== columns.map(({ name }: Column) => name).join()) {
        throw new UsageError({
          sentence: `${shownPath} has other columns than the operation.`,
          hint: "repeat the command that wrote it, with --schema.",
        });
      }
      isHead = false;
    }
  }
}
