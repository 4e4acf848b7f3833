import { appendFileSync, closeSync, fsyncSync, openSync, statSync, writeFileSync } from "node:fs";
import { sep } from "node:path";
import type { SchemaElement } from "hyparquet";
import { createFormat, type FormatName } from "../formats.ts";
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
  if (options.format !== "parquet") return (path) => createTextFile(path, options);
  const library = await import("hyparquet-writer");
  return (path) => createParquetFile(path, options, library);
}

function createTextFile(path: string, options: PartOptions): PartFile {
  const { columns, format: name, isRecord = false, hasMark = false } = options;
  const format = createFormat(name === "parquet" ? "json" : name, {
    columns,
    isRecord,
    width: null,
    hasMark,
  });
  let text = format.begin;
  let rows = 0;
  writeFileSync(path, "");
  const flush = () => {
    appendFileSync(path, text);
    text = "";
  };
  return {
    path,
    rows: () => rows,
    write: (some) => {
      text += format.rows(some, rows === 0);
      rows += some.length;
      if (text.length > 1 << 20) flush();
    },
    finish: () => {
      text += format.end(rows === 0);
      flush();
      syncFile(path);
      return statSync(path).size;
    },
  };
}

/** The rows of a row group. Larger groups take more memory and time, and make files of the same size. */
const GROUP = 5_000;

function createParquetFile(
  path: string,
  options: ColumnOptions,
  { ByteWriter, ParquetWriter }: typeof import("hyparquet-writer"),
): PartFile {
  const { columns, schema: elements, types } = buildParquetColumns(options);
  const schema = elements.map((element) => ({ ...element }));
  const bytes = new ByteWriter(1 << 18);
  const flush = () => {
    appendFileSync(path, bytes.getBytes());
    bytes.index = 0;
  };
  const kvMetadata = [{ key: "lockflow.columns", value: JSON.stringify(types) }];
  const writer = new ParquetWriter({
    writer: Object.assign(bytes, { flush }),
    schema,
    createdBy: "lockflow",
    kvMetadata,
  });
  const shareValues = createValueSharing();
  let waiting: Row[] = [];
  let rows = 0;
  writeFileSync(path, "");
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
    path,
    rows: () => rows,
    write: (some) => {
      rows += some.length;
      shareValues(some);
      for (const row of some) {
        waiting.push(row);
        if (waiting.length === GROUP) writeGroup();
      }
    },
    finish: () => {
      if (waiting.length > 0) writeGroup();
      // Until now, values of 16 bytes were written as they are.
      for (const element of schema) {
        if (element.type === "FIXED_LEN_BYTE_ARRAY") Object.assign(element, decimalType(element));
      }
      void writer.finish();
      flush();
      syncFile(path);
      return statSync(path).size;
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

/** Returns once a written file is on the disk. */
export function syncFile(path: string): void {
  sync(openSync(path, "r+"));
}

/** Returns once the names in a folder are on the disk. Windows opens no folders, and needs none. */
export function syncFolder(path: string): void {
  if (sep !== "\\") sync(openSync(path, "r"));
}

function sync(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
