import { appendFileSync, closeSync, fstatSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { sep } from "node:path";
import { isObject } from "../../base/parse-json.ts";
import {
  createFormat,
  type Format,
  type FormatName,
  type FormatOptions,
  type TextFormatName,
} from "../formats.ts";
import type { Row } from "../rows.ts";
import { buildParquetColumns, type ColumnOptions } from "./parquet-columns.ts";

/** A file of rows that is being written. */
export type PartFile = {
  readonly path: string;
  readonly rows: () => number;
  readonly write: (rows: readonly Row[]) => void;
  /** Completes the file. When it returns, its bytes are on the disk. @returns their number */
  readonly finish: () => number;
};

/** The form of the rows in files. */
export type PartOptions = ColumnOptions &
  Partial<Pick<FormatOptions, "isRecord" | "hasMark">> & { readonly format: FormatName };

/** Returns a function that creates files, which replace those of the same paths. Their bytes depend on the rows only. */
export async function preparePartFiles(options: PartOptions): Promise<(path: string) => PartFile> {
  const { columns, format: name, isRecord = false, hasMark = false } = options;
  const library = name === "parquet" ? await import("hyparquet-writer") : null;
  const text = { columns, isRecord, width: null, hasMark };
  return (path) => {
    const format: Format<string | Uint8Array> =
      library === null ? createFormat(name as TextFormatName, text) : createParquet(options, library);
    let rows = 0;
    writeFileSync(path, format.begin);
    return {
      path,
      rows: () => rows,
      write: (some) => {
        appendFileSync(path, format.rows(some, rows === 0));
        rows += some.length;
      },
      finish: () => {
        appendFileSync(path, format.end(rows === 0));
        return syncFile(path);
      },
    };
  };
}

/** The rows of a row group. Larger groups take more memory and time, and make files of the same size. */
const GROUP = 5_000;

function createParquet(
  options: ColumnOptions,
  { ByteWriter, ParquetWriter }: typeof import("hyparquet-writer"),
): Format<string | Uint8Array> {
  const { columns, schema } = buildParquetColumns(options);
  const bytes = new ByteWriter(1 << 18);
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "lockflow" });
  /** Returns what was written since the last call. */
  const takeBytes = () => {
    const taken = bytes.getBytes();
    bytes.index = 0;
    return taken;
  };
  let previous: Row = {};
  let waiting: Row[] = [];
  const writeGroup = () => {
    const group = waiting;
    waiting = [];
    const columnData = columns.map(({ values, ...column }) => ({
      ...column,
      // The library takes one slice of all rows when it writes the column, so that memory holds the values of one.
      data: { length: group.length, slice: () => values(group) } as unknown as unknown[],
    }));
    void writer.write({ columnData, rowGroupSize: GROUP });
  };
  return {
    begin: "",
    rows: (rows) => {
      for (const row of rows) {
        shareValues(row, previous);
        previous = row;
        waiting.push(row);
        if (waiting.length === GROUP) writeGroup();
      }
      return takeBytes();
    },
    end: () => {
      if (waiting.length > 0) writeGroup();
      // Until now, values of 16 bytes were written as they are.
      for (const element of schema) {
        if (element.type !== "FIXED_LEN_BYTE_ARRAY") continue;
        const size = { precision: 38, scale: element.scale ?? 0 };
        const logical_type = { type: "DECIMAL", ...size } as const;
        Object.assign(element, { converted_type: "DECIMAL", ...size, logical_type });
      }
      void writer.finish();
      return takeBytes();
    },
  };
}

/**
 * Replaces values of a row by the equal ones of the row before. Neighbours often have the same asset, sender or contract. Rows
 * that wait for others take half of the memory then, and equal values are found at once.
 *
 * @returns whether all values are equal.
 */
function shareValues(object: Row, previous: Row): boolean {
  let isEqual = true;
  for (const key in object) {
    const value = object[key];
    const other = Object.hasOwn(previous, key) ? previous[key] : undefined;
    if (value === other || (isObject(value) && isObject(other) && shareValues(value, other))) {
      (object as Record<string, unknown>)[key] = other;
    } else isEqual = false;
  }
  return isEqual && Object.keys(object).length === Object.keys(previous).length;
}

/** Returns the size of a written file in bytes, once it is on the disk. */
export function syncFile(path: string, flags = "r+"): number {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

/** Returns once the names in a folder are on the disk. Windows opens no folders, and needs none. */
export function syncFolder(path: string): void {
  if (sep !== "\\") syncFile(path, "r");
}
