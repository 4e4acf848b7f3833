import type { SchemaElement } from "hyparquet";
import type { ParquetWriter } from "hyparquet-writer";
import type { Row } from "../rows.ts";
import type { ParquetColumns } from "./parquet-columns.ts";

/** The library that writes, which only exports to Parquet load. */
export type ParquetLibrary = typeof import("hyparquet-writer");

/** Encoded columns of a row group, with their places in bytes. */
type Encoded = ParquetWriter["pendingIndexes"];

/** A row group of a Parquet file. Its bytes are the beginning of a file that has only this group. */
export type ParquetGroup = {
  /** The number of its rows. */
  readonly rows: number;
  /** The paths of its columns that are text because of values that do not fit the type of their kind. */
  readonly wide: readonly string[];
  readonly columns: Encoded;
  readonly bytes: Uint8Array;
};

/** The bytes before the first column of a file. */
export const BEGINNING = 4;

/** Encodes rows as a row group. @param names the columns at the top. @default all */
export function encodeGroup(
  rows: readonly Row[],
  { schema, enums, values, wide, ...columns }: ParquetColumns,
  {
    library: { ByteWriter, ParquetWriter },
    names = columns.names,
  }: { readonly library: ParquetLibrary; readonly names?: readonly string[] },
): ParquetGroup {
  const bytes = new ByteWriter(1 << 18);
  const writer = new ParquetWriter({ writer: bytes, schema: [...schema] });
  const columnData = names.map((name) => ({
    ...{ name, data: lazyColumn(rows.length, () => values(rows, name)) },
    ...(enums.has(name) && { encoding: "RLE_DICTIONARY" as const }),
  }));
  void writer.write({ columnData, rowGroupSize: rows.length });
  return { rows: rows.length, wide, columns: writer.pendingIndexes, bytes: bytes.getBytes() };
}

/**
 * Creates the values of a column when the library takes them, so that memory holds those of one column at a time. The
 * library reads only the length of a column and takes one slice per row group, here of all rows.
 */
function lazyColumn(length: number, read: () => unknown[]): unknown[] {
  return { length, slice: read } as unknown as unknown[];
}

/**
 * Decodes the rows of a row group, or some columns of them.
 *
 * @param columns those that it was encoded with.
 */
export async function decodeGroup(
  { rows: count, columns: encoded, bytes }: ParquetGroup,
  columns: ParquetColumns,
  only?: readonly string[],
): Promise<readonly Row[]> {
  const num_rows = BigInt(count);
  const chunks = encoded.map(({ chunk }) => chunk);
  const { total_byte_size } = sizesOf(encoded);
  return readRows(
    {
      file: {
        byteLength: bytes.byteLength,
        slice: (start, end) => Uint8Array.from(bytes.subarray(start, end)).buffer,
      },
      metadata: {
        ...{ version: 2, schema: [...columns.schema], num_rows, metadata_length: 0 },
        row_groups: [{ columns: chunks, total_byte_size, num_rows }],
      },
    },
    columns,
    { start: 0, end: count, only },
  );
}

type ReadOptions = Parameters<typeof import("hyparquet").parquetReadObjects>[0];

/** Reads some rows of a file. Decimals must have no logical type in its schema: numbers would lose digits. */
export async function readRows(
  source: Pick<ReadOptions, "file" | "metadata">,
  columns: ParquetColumns,
  {
    start,
    end,
    only,
  }: { readonly start: number; readonly end: number; readonly only?: readonly string[] | undefined },
): Promise<readonly Row[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const rows = await parquetReadObjects({
    ...{ ...source, rowStart: start, rowEnd: end },
    ...(only && { columns: [...only] }),
    parsers: { timestampFromMicroseconds: (micros) => micros as unknown as Date },
  });
  return rows.map((row) => columns.row(row as Readonly<Record<string, unknown>>));
}

/**
 * Encodes those columns of a row group again that have other types now, and keeps the bytes of the others.
 *
 * @param columnsOf returns the columns with the types that some wide columns give.
 */
export async function widenGroup(
  group: ParquetGroup,
  wide: readonly string[],
  { library, columnsOf }: { readonly library: ParquetLibrary; readonly columnsOf: ColumnsOf },
): Promise<ParquetGroup> {
  const changed = [...wide, ...group.wide].filter(
    (path) => !(wide.includes(path) && group.wide.includes(path)),
  );
  if (changed.length === 0) return group;
  const columns = columnsOf(wide);
  const isChanged = (name: string) => changed.some((path) => path === name || path.startsWith(`${name}.`));
  const names = columns.names.filter(isChanged);
  const rows = await decodeGroup(group, columnsOf(group.wide), names);
  const encoded = encodeGroup(rows, columns, { library, names });
  const parts: Uint8Array[] = [group.bytes.subarray(0, BEGINNING)];
  let length = BEGINNING;
  const moved: Encoded = [];
  for (const name of columns.names) {
    const source = isChanged(name) ? encoded : group;
    for (const one of source.columns) {
      const data = one.chunk.meta_data;
      if (data?.path_in_schema[0] !== name) continue;
      const start = Number(data.dictionary_page_offset ?? data.data_page_offset);
      const bytes = source.bytes.subarray(start, start + Number(data.total_compressed_size));
      moved.push(moveColumn(one, length - start));
      parts.push(bytes);
      length += bytes.byteLength;
    }
  }
  return { rows: group.rows, wide, columns: moved, bytes: Buffer.concat(parts) };
}

/** Returns the columns of a file by the paths of the columns that are wide. */
export type ColumnsOf = (wide: readonly string[]) => ParquetColumns;

/** Returns an encoded column with other places, after its bytes were moved. */
export function moveColumn({ chunk, offsetIndex, ...more }: Encoded[number], by: number): Encoded[number] {
  const { meta_data: data } = chunk;
  const offset = BigInt(by);
  return {
    ...more,
    chunk: {
      ...chunk,
      file_offset: chunk.file_offset + offset,
      ...(data && {
        meta_data: {
          ...data,
          data_page_offset: data.data_page_offset + offset,
          ...(data.dictionary_page_offset !== undefined && {
            dictionary_page_offset: data.dictionary_page_offset + offset,
          }),
        },
      }),
    },
    ...(offsetIndex && {
      offsetIndex: {
        ...offsetIndex,
        page_locations: offsetIndex.page_locations.map((page) => ({ ...page, offset: page.offset + offset })),
      },
    }),
  };
}

/** Returns the bytes of encoded columns, before and after compression. */
export function sizesOf(columns: Encoded) {
  let total_byte_size = 0n;
  let total_compressed_size = 0n;
  for (const { chunk } of columns) {
    total_byte_size += chunk.meta_data?.total_uncompressed_size ?? 0n;
    total_compressed_size += chunk.meta_data?.total_compressed_size ?? 0n;
  }
  return { total_byte_size, total_compressed_size };
}

/** Removes the logical type of decimals from a schema, so that they are read as their bytes. */
export function withoutDecimals(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map(({ converted_type, logical_type, ...element }) =>
    converted_type === "DECIMAL" ? element : ({ ...element, converted_type, logical_type } as SchemaElement),
  );
}
