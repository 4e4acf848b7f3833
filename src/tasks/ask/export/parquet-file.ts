import { appendFileSync } from "node:fs";
import type { SchemaElement } from "hyparquet";
import type { ParquetWriter } from "hyparquet-writer";
import type { Row } from "../rows.ts";
import { syncFile } from "./growing-file.ts";
import { buildParquetColumns, type ColumnOptions, decodeDecimal } from "./parquet-columns.ts";
import {
  BEGINNING,
  type ColumnsOf,
  encodeGroup,
  moveColumn,
  type ParquetGroup,
  type ParquetLibrary,
  readRows,
  sizesOf,
  widenGroup,
  withoutDecimals,
} from "./parquet-group.ts";
import type { PartWriter } from "./text-part.ts";

/** A Parquet file that is being written. It is complete once `finish` returns. */
export type ParquetFile = PartWriter & {
  /** Appends a row group after all rows so far. */
  readonly append: (group: ParquetGroup) => Promise<void>;
  /** Ends the row group of the rows so far. */
  readonly endGroup: () => void;
};

/** How the rows of a Parquet file are written. */
export type ParquetFileOptions = {
  readonly library: ParquetLibrary;
  readonly columnsOf: ColumnsOf;
  readonly wide: readonly string[];
  /** The run that writes it. */
  readonly run: number;
  /** The number of rows of a row group. */
  readonly groupSize: number;
};

/**
 * Creates a Parquet file. Its bytes depend on the rows and the columns only.
 *
 * @param path absolute; the file must not exist.
 */
export function createParquetFile(path: string, options: ParquetFileOptions): ParquetFile {
  const { library, columnsOf, wide, run, groupSize } = options;
  const columns = columnsOf(wide);
  const bytes = new library.ByteWriter();
  const file = Object.assign(bytes, {
    flush: () => {
      appendFileSync(path, bytes.getBytes());
      bytes.index = 0;
    },
  });
  const writer = new library.ParquetWriter({
    ...{ writer: file, schema: [...columns.schema], createdBy: "lockflow" },
    kvMetadata: [
      { key: COLUMNS, value: JSON.stringify(columns.types) },
      { key: RUN, value: String(run) },
    ],
  });
  let waiting: Row[] = [];
  const add = ({ columns: encoded, rows, bytes: own }: ParquetGroup) => {
    const moved = encoded.map((column) => moveColumn(column, file.offset - BEGINNING));
    const num_rows = BigInt(rows);
    writer.row_groups.push({ columns: moved.map(({ chunk }) => chunk), num_rows, ...sizesOf(moved) });
    // The library writes the places of pages, which only large columns have several of.
    for (const one of moved) if (one.offsetIndex) writer.pendingIndexes.push(one);
    writer.num_rows += num_rows;
    file.appendBytes(own.subarray(BEGINNING));
    file.flush();
  };
  const endGroup = () => {
    if (waiting.length > 0) add(encodeGroup(waiting, columns, { library }));
    waiting = [];
  };
  return {
    endGroup,
    write: (rows) => {
      for (const row of rows) {
        waiting.push(row);
        if (waiting.length === groupSize) endGroup();
      }
    },
    append: async (group) => {
      endGroup();
      add(await widenGroup(group, wide, { library, columnsOf }));
    },
    finish: () => {
      endGroup();
      declareDecimals(writer, columns.decimals);
      void writer.finish();
      file.flush();
      syncFile(path);
    },
  };
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
  readonly rows: (columns?: readonly string[]) => AsyncGenerator<readonly Row[], void, undefined>;
};

/** Opens a file of `createParquetFile` with these columns, whose types may have changed. */
export async function openParquetFile(
  path: string,
  options: Omit<ColumnOptions, "wide">,
): Promise<ReadParquetFile> {
  const { asyncBufferFromFile, parquetMetadataAsync } = await import("hyparquet");
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const facts = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  const types = Object.entries(JSON.parse(facts.get(COLUMNS) ?? "{}"));
  const wide = new Set(types.filter(([, type]) => String(type).startsWith("TEXT")).map(([name]) => name));
  const columns = buildParquetColumns({ ...options, wide });
  const source = { file, metadata: { ...metadata, schema: withoutDecimals(metadata.schema) } };
  return {
    run: Number(facts.get(RUN)),
    wide,
    rows: async function* (only) {
      let start = 0;
      for (const { num_rows } of metadata.row_groups) {
        const end = start + Number(num_rows);
        yield readRows(source, columns, { start, end, only });
        start = end;
      }
    },
  };
}
