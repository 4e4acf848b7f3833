import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { groupBy } from "../../../base/collections.ts";
import { DISK, TEMPORARY } from "../../../base/write-files.ts";
import { createFormat, type FormatName, type TextFormatName } from "../formats.ts";
import type { Column, Field, Row } from "../rows.ts";
import { type RowFilter, readRecords, rewriteFile } from "./drop-rows.ts";
import { buildParquetColumns } from "./parquet-columns.ts";
import {
  createParquetFile,
  openParquetFile,
  type ParquetFile,
  type ReadParquetFile,
} from "./parquet-file.ts";
import { decodeGroup, type ParquetGroup } from "./parquet-group.ts";
import { folderFunction, listParts, type PartitionKey, partName } from "./partition.ts";
import { LOG_SIZES, type LogSizes } from "./row-log.ts";
import { createTextPart, type PartWriter } from "./text-part.ts";

/** Where rows are written to. */
export type Target = {
  /** The absolute path of the file or folder. */
  readonly path: string;
  /** The path in errors. */
  readonly shownPath: string;
  readonly format: Exclude<FormatName, "table">;
  /** The keys that rows are divided into folders by; null for one file. */
  readonly partition: readonly PartitionKey[] | null;
  /** Whether fields of references are columns with dots and lists are JSON, in Parquet. */
  readonly isFlat: boolean;
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** The key of the chain in rows; null if all are of one chain. */
  readonly chainKey: string | null;
  /** How many rows are handled at once. @default LOG_SIZES */
  readonly sizes?: LogSizes;
};

/** The rows of a run. */
export type RunRows = {
  /** The number of the run, from 1. */
  readonly run: number;
  readonly wide: readonly string[];
  /** Decides which rows of earlier runs stay. */
  readonly filter: RowFilter;
  /** The rows of the run by folder. */
  readonly parts: Iterable<RunPart>;
  /** The chain of rows without a column for it. */
  readonly chain: string;
  /** Called once all files are written, before the first one takes its place. @default not called */
  readonly onStaged?: () => void;
};

/** The rows of a run for a folder. */
export type RunPart = {
  readonly folder: string;
  /** The new rows, some at a time. */
  readonly rows: Iterable<readonly Row[] | ParquetGroup>;
  /** The current versions of earlier rows, which follow the new rows. */
  readonly changed: readonly Row[];
};

/**
 * Adds the rows of a run to a Parquet file or a folder. Every file is written beside its place first, and the places are
 * taken once all are on the disk, so that a file is complete or absent. Doing it again has the same result.
 */
export async function writeParts(target: Target, run: RunRows): Promise<void> {
  const { path, partition, format } = target;
  const staged = new Map<string, Writer>();
  const open = await partOpener(target, run);
  const placeOf = (folder: string, number = run.run) =>
    partition === null ? path : join(path, folder, partName(number, format));
  const stage = (place: string): Writer => {
    const found = staged.get(place);
    if (found) return found;
    const temporary = `${place}${TEMPORARY}`;
    DISK.makeFolder(dirname(place));
    DISK.remove(temporary);
    const part = open(temporary);
    staged.set(place, part);
    return part;
  };
  const emptied = new Set<string>();
  for (const part of run.run === 1 ? [] : listPlaces(target, run.run)) {
    const { place, folder } = part;
    const folderChain = chainOfFolder(folder);
    const isConcerned =
      !run.filter.isEmpty && (folderChain === null || run.filter.concernsChain(folderChain));
    if (format !== "parquet") {
      const kept = isConcerned ? rewriteRecords(place, { ...target, format }, run, folder) : null;
      if (kept === 0) emptied.add(place);
      if (kept !== null) staged.set(place, DONE);
      continue;
    }
    const isWhole = partition === null;
    if (!isWhole && !isConcerned && run.wide.length === 0) continue;
    const old = await openParquetFile(place, { ...fileColumns(target), isFlat: target.isFlat });
    // An interrupted run may have taken this place already.
    if (isWhole && old.run >= run.run) return run.onStaged?.();
    const isStale = !run.wide.every((name) => old.wide.has(name));
    if (!isWhole && !isStale && !(isConcerned && (await hasConcerned(part, old, { target, run })))) continue;
    const kept = await rewriteParquet(stage(place), part, { old, target, run });
    // Otherwise the groups of the new rows would depend on when they were encoded.
    if (isWhole) staged.get(place)?.endGroup?.();
    if (isWhole) continue;
    if (kept === 0) emptied.add(place);
    // Nothing more is written to the part of an earlier run.
    staged.get(place)?.finish();
    staged.set(place, DONE);
  }
  for (const { folder, rows, changed } of run.parts) {
    const place = placeOf(folder);
    for (const some of rows) await writeNew(() => stage(place), some, { folder, target, run });
    if (changed.length > 0) stage(place).write(changed);
    if (partition === null) continue;
    // One file is open at a time, whatever the number of folders.
    staged.get(place)?.finish();
    if (staged.has(place)) staged.set(place, DONE);
  }
  // Readers of an export without rows need its columns.
  if (staged.size === 0 && run.run === 1 && (partition ?? []).length === 0) stage(placeOf(""));
  for (const part of staged.values()) part.finish();
  run.onStaged?.();
  for (const place of staged.keys()) {
    if (emptied.has(place)) DISK.remove(`${place}${TEMPORARY}`);
    else DISK.rename(`${place}${TEMPORARY}`, place);
  }
  for (const place of emptied) {
    DISK.remove(place);
    removeEmpty(path, relative(path, dirname(place)));
  }
  if (partition !== null) removeOthers(target, run.run, new Set(staged.keys()));
}

/** A file that is being written. Parquet takes row groups, too. */
type Writer = PartWriter & Partial<Pick<ParquetFile, "append" | "endGroup">>;

/** Writes new rows that stay. */
async function writeNew(
  stage: () => Writer,
  some: readonly Row[] | ParquetGroup,
  { folder, target, run }: { readonly folder: string; readonly target: Target; readonly run: RunRows },
): Promise<void> {
  const isGroup = "bytes" in some;
  if (isGroup && run.filter.isEmpty) return stage().append?.(some);
  const rows = isGroup ? await decodeGroup(some, columnsOf(target, some.wide)) : some;
  const folderChain = chainOfFolder(folder);
  const kept = rows.filter((row) =>
    run.filter.keeps(folderChain ?? chainOf(row, target, run.chain), row["id"], "new"),
  );
  if (kept.length > 0) stage().write(kept);
}

/** A file of earlier runs. */
type Place = { readonly place: string; readonly folder: string };

/** Lists the files of the runs before one, in the order of these. */
function listPlaces({ path, partition }: Target, run: number): readonly Place[] {
  if (partition === null) return existsSync(path) ? [{ place: path, folder: "" }] : [];
  return listParts(path)
    .filter((part) => !part.isTemporary && part.run < run)
    .sort((a, b) => a.run - b.run)
    .map(({ folder, name }) => ({ place: join(path, folder, name), folder }));
}

/** The reasons to write a Parquet file again. */
type Rewriting = { readonly old: ReadParquetFile; readonly target: Target; readonly run: RunRows };

/** Writes the rows of a Parquet file that stay. @returns their number */
async function rewriteParquet(
  part: PartWriter,
  { folder }: Place,
  { old, target, run }: Rewriting,
): Promise<number> {
  const folderChain = chainOfFolder(folder);
  let count = 0;
  for await (const rows of old.rows()) {
    const kept = rows.filter((row) =>
      run.filter.keeps(folderChain ?? chainOf(row, target, run.chain), row["id"], "earlier"),
    );
    count += kept.length;
    part.write(kept);
  }
  return count;
}

/** Returns whether a Parquet file has rows that do not stay. Reads only their ids and chains. */
async function hasConcerned(
  { folder }: Place,
  old: ReadParquetFile,
  { target, run }: Omit<Rewriting, "old">,
): Promise<boolean> {
  const folderChain = chainOfFolder(folder);
  const key = folderChain === null && target.chainKey !== null ? [target.chainKey] : [];
  const chainOfRow = (row: Row) => folderChain ?? chainOf(row, target, run.chain);
  for await (const rows of old.rows(["id", ...key])) {
    if (rows.some((row) => run.filter.concerns(chainOfRow(row), row["id"]))) return true;
  }
  return false;
}

/** Reads the chains and ids of the rows of a file or folder, in the order of the runs that wrote them. */
export async function* readKeys(
  target: Target,
  only: string,
): AsyncGenerator<readonly { readonly chain: string; readonly id: unknown }[], void, undefined> {
  const { format, chainKey } = target;
  const { columns } = fileColumns(target);
  for (const { place, folder } of listPlaces(target, Number.POSITIVE_INFINITY)) {
    const folderChain = chainOfFolder(folder);
    if (format !== "parquet") {
      const source = { format, columns, chainKey: folderChain === null ? chainKey : null };
      yield* readRecords(place, source, folderChain ?? only);
      continue;
    }
    const old = await openParquetFile(place, { ...fileColumns(target), isFlat: target.isFlat });
    const key = folderChain === null && chainKey !== null ? [chainKey] : [];
    for await (const rows of old.rows(["id", ...key])) {
      yield rows.map((row) => ({ chain: folderChain ?? chainOf(row, target, only), id: row["id"] }));
    }
  }
}

/** Returns the chain in the path of a folder; null without one. */
function chainOfFolder(folder: string): string | null {
  return /(?:^|\/)chain=([^/]+)/.exec(folder)?.[1] ?? null;
}

/**
 * Writes a text file without the dropped rows, beside its place.
 *
 * @returns the number of its rows; null if all stay, so that nothing was written.
 */
function rewriteRecords(
  place: string,
  target: Target & { readonly format: TextFormatName },
  { filter, chain }: RunRows,
  folder: string,
): number | null {
  const { columns } = fileColumns(target);
  const chainKey = chainOfFolder(folder) === null ? target.chainKey : null;
  const format = createFormat(target.format, { columns, isRecord: false, width: null });
  const file = rewriteFile(`${place}${TEMPORARY}`, target.format, format);
  let hasDropped = false;
  for (const records of readRecords(
    place,
    { format: target.format, columns, chainKey },
    chainOfFolder(folder) ?? chain,
  )) {
    const kept = records.filter((record) => filter.keeps(record.chain, record.id, "earlier"));
    hasDropped ||= kept.length < records.length;
    file.write(kept.map(({ text }) => text));
  }
  const rows = file.finish();
  if (hasDropped) return rows;
  DISK.remove(`${place}${TEMPORARY}`);
  return null;
}

/** A part that is written already. */
const DONE: Writer = { write: () => {}, finish: () => {} };

/** Removes the files of other exports in the folder, and those that an interrupted run has left. */
function removeOthers({ path, format }: Target, run: number, written: ReadonlySet<string>): void {
  for (const part of listParts(path)) {
    const place = join(path, part.folder, part.name);
    if (
      written.has(place) ||
      (part.run < run && !part.isTemporary && part.name === partName(part.run, format))
    ) {
      continue;
    }
    rmSync(place, { force: true });
    removeEmpty(path, part.folder);
  }
}

function removeEmpty(root: string, folder: string): void {
  try {
    for (let path = folder; path !== "." && path !== ""; path = dirname(path)) rmdirSync(join(root, path));
  } catch {
    // It is not empty.
  }
}

function chainOf(row: Row, { chainKey }: Target, only: string): string {
  return chainKey === null ? only : String(row[chainKey]);
}

/** Returns the function from a row to its folder. @param only the chain of rows without a column for it. */
export function folderOfRow(target: Target, only: string): (row: Row) => string {
  const folderOf = folderFunction(target.partition ?? [], target.columns);
  return (row) => folderOf(row, chainOf(row, target, only));
}

/** Divides the rows of a run that are all in memory. */
export function divideRows(target: Target, rows: readonly Row[], only: string): readonly RunPart[] {
  return [...groupBy(rows, folderOfRow(target, only))].map(([folder, some]) => {
    return { folder, rows: [some], changed: [] };
  });
}

/** Returns the columns of a Parquet file by the paths of those with values that do not fit. */
export function columnsOf(target: Target, wide: readonly string[]) {
  return buildParquetColumns({ ...fileColumns(target), isFlat: target.isFlat, wide: new Set(wide) });
}

async function partOpener(
  target: Target,
  { run, wide }: Pick<RunRows, "run" | "wide">,
): Promise<(path: string) => Writer> {
  const { format, sizes = LOG_SIZES } = target;
  if (format !== "parquet") {
    const hidden = target.partition?.includes("chain") ? target.chainKey : null;
    return (path) => createTextPart(path, { format, columns: fileColumns(target).columns, hidden });
  }
  const library = await import("hyparquet-writer");
  const options = { library, run, wide, groupSize: sizes.group };
  return (path) => createParquetFile(path, { ...options, columnsOf: (own) => columnsOf(target, own) });
}

/** Leaves out the column of the chain, if the folders have it: readers refuse a column in both. */
export function fileColumns({
  fields,
  columns,
  partition,
  chainKey,
}: Pick<Target, "fields" | "columns" | "partition" | "chainKey">) {
  if (!partition?.includes("chain")) return { fields, columns };
  return {
    fields: fields.filter(({ name }) => name !== chainKey),
    columns: columns.filter(({ name }) => name !== chainKey),
  };
}
