import { appendFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { SchemaElement } from "hyparquet";
import type { ParquetWriter } from "hyparquet-writer";
import type { Row } from "../rows.ts";
import { readLines, syncFile } from "./growing-file.ts";
import {
  buildParquetColumns,
  type ColumnOptions,
  decodeDecimal,
  type ParquetColumns,
} from "./parquet-columns.ts";

/** A Parquet file that is being written. It is complete once `finish` returns. */
export type ParquetFile = {
  /** Takes rows. They are in the file once there are enough for a row group. */
  readonly write: (rows: readonly Row[]) => void;
  /** The number of rows that are not in the file yet. */
  readonly waiting: () => number;
  /** Moves the waiting rows to a file beside this one, because a small row group would take more than its rows. */
  readonly flush: () => void;
  readonly finish: () => void;
};

/** The most rows of a row group. Larger groups take more memory and time, and make files of the same size. */
const GROUP = 5_000;

/** The bytes of an empty buffer. */
const LEAST = 1 << 10;

/** The libraries, which only exports to Parquet load. */
export type ParquetLibrary = typeof import("hyparquet-writer");

/**
 * Creates a Parquet file. Its bytes depend on the rows and the columns only.
 *
 * @param path absolute; the file must not exist.
 * @param run the run that writes it.
 */
export function createParquetFile(
  path: string,
  columns: ParquetColumns,
  { library: { ByteWriter, ParquetWriter }, run }: { readonly library: ParquetLibrary; readonly run: number },
): ParquetFile {
  const { schema, names, enums, decimals, types } = columns;
  const bytes = new ByteWriter(LEAST);
  const file = Object.assign(bytes, {
    flush: () => {
      appendFileSync(path, bytes.getBytes());
      bytes.index = 0;
      // Thousands of files can be open at the same time, each with the buffer of its largest group.
      bytes.buffer = new ArrayBuffer(LEAST);
      bytes.view = new DataView(bytes.buffer);
    },
  });
  const writer = new ParquetWriter({
    ...{ writer: file, schema: [...schema], createdBy: "lockflow" },
    kvMetadata: [
      { key: COLUMNS, value: JSON.stringify(types) },
      { key: RUN, value: String(run) },
    ],
  });
  const aside = `${path}-rows`;
  let group: Row[] = [];
  let hasAside = false;
  const writeGroup = (rows: readonly Row[]) => {
    const columnData = names.map((name, index) => ({
      ...{ name, data: lazyColumn(rows, (row) => columns.value(row, index)) },
      ...(enums.has(name) && { encoding: "RLE_DICTIONARY" as const }),
    }));
    void writer.write({ columnData, rowGroupSize: GROUP });
  };
  const flush = () => {
    const text = group.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(aside, text, { flag: hasAside ? "a" : "w" });
    hasAside = true;
    group = [];
  };
  const write = (rows: Iterable<Row>) => {
    for (const row of rows) {
      group.push(row);
      if (group.length < GROUP) continue;
      if (hasAside) flush();
      else {
        writeGroup(group);
        group = [];
      }
    }
  };
  return {
    ...{ flush, write },
    waiting: () => group.length,
    finish: () => {
      const last = group;
      group = [];
      if (hasAside) {
        hasAside = false;
        for (const lines of readLines(aside, statSync(aside).size))
          write(lines.map((line) => JSON.parse(line) as Row));
        rmSync(aside);
      }
      write(last);
      if (group.length > 0) writeGroup(group);
      declareDecimals(writer, decimals);
      void writer.finish();
      file.flush();
      syncFile(path);
    },
  };
}

/** Creates the values of a column when the library takes them, so that memory holds those of one column at a time. */
function lazyColumn(rows: readonly Row[], read: (row: Row) => unknown): unknown[] {
  const lazy = {
    length: rows.length,
    slice: (start: number, end: number) => rows.slice(start, end).map(read),
  };
  return lazy as unknown as unknown[];
}

/** Declares values of 16 bytes as the decimals that they are, with their statistics. */
function declareDecimals(writer: ParquetWriter, decimals: ReadonlySet<string>): void {
  for (const { columns } of writer.row_groups) {
    for (const { meta_data: data } of columns) {
      if (!data?.statistics || !decimals.has(data.path_in_schema.join("."))) continue;
      const { min_value, max_value, ...others } = data.statistics;
      const isNegative = (value: unknown) => value instanceof Uint8Array && (value[0] ?? 0) > 127;
      // Bytes are compared without a sign, so that the order of both signs together is wrong.
      const isMixed = isNegative(max_value) && !isNegative(min_value);
      const decimalOf = (value: unknown) =>
        value instanceof Uint8Array && !isMixed ? BigInt(decodeDecimal(value)) : undefined;
      data.statistics = {
        ...others,
        min_value: decimalOf(min_value),
        max_value: decimalOf(max_value),
      } as typeof data.statistics;
    }
  }
  writer.schema = writer.schema.map((element) =>
    element.type === "FIXED_LEN_BYTE_ARRAY" ? { ...element, ...decimalType(element.scale) } : element,
  );
}

function decimalType(scale = 0): Partial<SchemaElement> {
  const size = { precision: 38, scale };
  return { converted_type: "DECIMAL", ...size, logical_type: { type: "DECIMAL", ...size } };
}

/** The keys of the metadata: the types of the columns, and the run that wrote the file. */
const COLUMNS = "lockflow.columns";
const RUN = "lockflow.run";

/** A file of `createParquetFile`. */
export type ReadParquetFile = {
  /** The run that wrote it. */
  readonly run: number;
  /** The paths of its columns that are text. */
  readonly wide: ReadonlySet<string>;
  /** Reads its rows, or some columns of them, a row group at a time. */
  readonly rows: (columns?: string[]) => AsyncGenerator<readonly Row[], void, undefined>;
};

/** Opens a file of `createParquetFile` with these columns, whose types may have changed. */
export async function openParquetFile(
  path: string,
  options: Omit<ColumnOptions, "wide">,
): Promise<ReadParquetFile> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const facts = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  const types = Object.entries(JSON.parse(facts.get(COLUMNS) ?? "{}"));
  const wide = new Set(types.filter(([, type]) => String(type).startsWith("TEXT")).map(([name]) => name));
  const columns = buildParquetColumns({ ...options, wide });
  // Decimals are read as their bytes, because numbers would lose digits.
  const schema = metadata.schema.map(({ converted_type, logical_type, ...element }) =>
    converted_type === "DECIMAL" ? element : { ...element, converted_type, logical_type },
  );
  return {
    run: Number(facts.get(RUN)),
    wide,
    rows: async function* (only) {
      let rowStart = 0;
      for (const { num_rows } of metadata.row_groups) {
        const rowEnd = rowStart + Number(num_rows);
        const rows = await parquetReadObjects({
          ...{ file, metadata: { ...metadata, schema } as typeof metadata, rowStart, rowEnd },
          ...(only && { columns: only }),
          parsers: { timestampFromMicroseconds: (micros) => micros as unknown as Date },
        });
        yield rows.map((row) => columns.row(row as Readonly<Record<string, unknown>>));
        rowStart = rowEnd;
      }
    },
  };
}
