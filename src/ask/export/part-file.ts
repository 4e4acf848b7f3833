import { appendFileSync, closeSync, fstatSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { sep } from "node:path";
import type { SchemaElement } from "hyparquet";
import { createFormat, type Format, type FormatName, type TextFormatName } from "../formats.ts";
import type { Row } from "../rows.ts";
import { buildParquetColumns, type ColumnOptions } from "./parquet-columns.ts";
import { createValueSharing } from "./share-values.ts";

/** A file of rows that is being written. */
export type PartFile = {
  readonly path: string;
  /** The number of its rows so far. */
  readonly rows: () => number;
  readonly write: (rows: readonly Row[]) => void;
  /** Completes the file. When it returns, its bytes are on the disk. @returns their number */
  readonly finish: () => number;
};

/** The form of the rows in files. */
export type PartOptions = ColumnOptions & {
  readonly format: FormatName;
  /** Whether the answer is one object or null. @default false */
  readonly isRecord?: boolean;
  /** Whether a CSV file begins with a byte order mark. @default false */
  readonly hasMark?: boolean;
};

/** Returns a function that creates files, which replace those of the same paths. Their bytes depend on the rows only. */
export async function preparePartFiles(options: PartOptions): Promise<(path: string) => PartFile> {
  const { columns, format: name, isRecord = false, hasMark = false } = options;
  const library = name === "parquet" ? await import("hyparquet-writer") : null;
  const text = { columns, isRecord, width: null, hasMark };
  return (path) => {
    const format: Format<Bytes> =
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

type Bytes = string | Uint8Array;

/** The rows of a row group. Larger groups take more memory and time, and make files of the same size. */
const GROUP = 5_000;

function createParquet(
  options: ColumnOptions,
  { ByteWriter, ParquetWriter }: typeof import("hyparquet-writer"),
): Format<Bytes> {
  const { columns, schema } = buildParquetColumns(options);
  const bytes = new ByteWriter(1 << 18);
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "lockflow" });
  /** Returns what was written since the last call. */
  const takeBytes = () => {
    const taken = bytes.getBytes();
    bytes.index = 0;
    return taken;
  };
  const shareValues = createValueSharing();
  let waiting: Row[] = [];
  const writeGroup = () => {
    const group = waiting;
    waiting = [];
    const columnData = columns.map(({ values, ...column }) => ({
      ...column,
      data: lazyColumn(group.length, () => values(group)),
    }));
    void writer.write({ columnData, rowGroupSize: GROUP });
  };
  return {
    begin: "",
    rows: (rows) => {
      shareValues(rows);
      for (const row of rows) {
        waiting.push(row);
        if (waiting.length === GROUP) writeGroup();
      }
      return takeBytes();
    },
    end: () => {
      if (waiting.length > 0) writeGroup();
      // Until now, values of 16 bytes were written as they are.
      for (const element of schema) {
        if (element.type === "FIXED_LEN_BYTE_ARRAY") Object.assign(element, decimalType(element));
      }
      void writer.finish();
      return takeBytes();
    },
  };
}

/**
 * Creates the values of a column when the library takes them, so that memory holds those of one column at a time. The
 * library reads only the length of a column and takes one slice per row group, here of all rows.
 */
function lazyColumn(length: number, read: () => unknown[]): unknown[] {
  return { length, slice: read } as unknown as unknown[];
}

function decimalType({ scale = 0 }: SchemaElement): Partial<SchemaElement> {
  const size = { precision: 38, scale };
  return { converted_type: "DECIMAL", ...size, logical_type: { type: "DECIMAL", ...size } };
}

/** Returns the size of a written file in bytes, once it is on the disk. */
export function syncFile(path: string): number {
  return sync(openSync(path, "r+"));
}

/** Returns once the names in a folder are on the disk. Windows opens no folders, and needs none. */
export function syncFolder(path: string): void {
  if (sep !== "\\") sync(openSync(path, "r"));
}

function sync(file: number): number {
  try {
    fsyncSync(file);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}
