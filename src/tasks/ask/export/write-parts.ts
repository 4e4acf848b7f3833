import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { DISK, TEMPORARY } from "../../../base/write-files.ts";
import { createFormat, type FormatName, type TextFormatName } from "../formats.ts";
import type { Column, Field, Row } from "../rows.ts";
import { type DroppedRows, isKept, readRecords, rewriteFile } from "./drop-rows.ts";
import { buildParquetColumns } from "./parquet-columns.ts";
import { createParquetFile, GROUP, openParquetFile, type ParquetLibrary } from "./parquet-file.ts";
import { folderFunction, listParts, type PartitionKey, partName } from "./partition.ts";

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
};

/** The rows of a run. */
export type RunRows = {
  /** The number of the run, from 1. */
  readonly run: number;
  readonly wide: readonly string[];
  /** The rows of earlier runs to leave out. */
  readonly dropped: DroppedRows;
  readonly rows: Iterable<readonly Row[]>;
  /** The chain of rows without a column for it. */
  readonly chain: string;
};

/**
 * Adds the rows of a run to a Parquet file or a folder. Every file is written beside its place first, and the places are
 * taken once all are on the disk, so that a file is complete or absent. Doing it again has the same result.
 */
export async function writeParts(target: Target, run: RunRows): Promise<void> {
  const { path, partition, format } = target;
  const staged = new Map<string, PartWriter>();
  const open = await partOpener(target, run);
  const placeOf = (folder: string, number = run.run) =>
    partition === null ? path : join(path, folder, partName(number, format));
  const stage = (place: string): PartWriter => {
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
  for (const { place, folder } of run.run === 1 ? [] : oldPlaces(target, run)) {
    if (format !== "parquet") {
      const kept = rewriteRecords(place, { ...target, format }, run, folder);
      if (kept === 0) emptied.add(place);
      if (kept !== null) staged.set(place, DONE);
      continue;
    }
    const old = await openParquetFile(place, { ...fileColumns(target), isFlat: target.isFlat });
    // An interrupted run may have taken this place already.
    if (partition === null && old.run >= run.run) return;
    const part = stage(place);
    let before = 0;
    let after = 0;
    for await (const rows of old.rows()) {
      const kept = rows.filter((row) =>
        isKept(run.dropped, chainOfFolder(folder) ?? chainOf(row, target, run.chain), row["id"]),
      );
      before += rows.length;
      after += kept.length;
      part.write(kept);
    }
    part.flush();
    if (partition === null) continue;
    if (after === 0) emptied.add(place);
    else if (after === before && run.wide.every((name) => old.wide.has(name))) {
      staged.delete(place);
      DISK.remove(`${place}${TEMPORARY}`);
    }
  }
  const folderOf = folderFunction(partition ?? [], target.columns);
  for (const rows of run.rows) {
    for (const { folder, some } of groupRows(rows, (row) => folderOf(row, chainOf(row, target, run.chain)))) {
      stage(placeOf(folder)).write(some);
    }
    limitWaiting(staged.values());
  }
  // Readers of an export without rows need its columns.
  if (staged.size === 0 && run.run === 1 && (partition ?? []).length === 0) stage(placeOf(""));
  for (const part of staged.values()) part.finish();
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

/** Returns the files whose rows may have to be written again: the one file, or all if columns may have another type now. */
function oldPlaces({ path, partition, format }: Target, { run, wide, dropped }: RunRows) {
  if (partition === null) return existsSync(path) ? [{ place: path, folder: "" }] : [];
  const isChanged = dropped.chains.size > 0 || dropped.keys.size > 0;
  if (!isChanged && (format !== "parquet" || wide.length === 0)) return [];
  const before = listParts(path).filter((part) => !part.isTemporary && part.run < run);
  return before.map(({ folder, name }) => ({ place: join(path, folder, name), folder }));
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
  { dropped, chain }: RunRows,
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
    const kept = records.filter((record) => isKept(dropped, record.chain, record.id));
    hasDropped ||= kept.length < records.length;
    file.write(kept.map(({ text }) => text));
  }
  const rows = file.finish();
  if (hasDropped) return rows;
  DISK.remove(`${place}${TEMPORARY}`);
  return null;
}

/** A part that is written already. */
const DONE: PartWriter = { write: () => {}, waiting: () => 0, flush: () => {}, finish: () => {} };

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

/** Groups rows by folder, in the order of their first rows. */
function groupRows(rows: readonly Row[], folderOf: (row: Row) => string) {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const folder = folderOf(row);
    const some = groups.get(folder);
    if (some) some.push(row);
    else groups.set(folder, [row]);
  }
  return [...groups].map(([folder, some]) => ({ folder, some }));
}

/** A file that is being written. */
type PartWriter = {
  readonly write: (rows: readonly Row[]) => void;
  readonly waiting: () => number;
  readonly flush: () => void;
  readonly finish: () => void;
};

/** Writes out the largest parts while more rows wait than memory should hold. */
function limitWaiting(parts: Iterable<PartWriter>): void {
  const waiting = [...parts].map((part) => ({ part, rows: part.waiting() })).sort((a, b) => b.rows - a.rows);
  let total = waiting.reduce((sum, { rows }) => sum + rows, 0);
  for (const { part, rows } of waiting) {
    if (total <= GROUP) return;
    part.flush();
    total -= rows;
  }
}

async function partOpener(
  target: Target,
  { run, wide }: Pick<RunRows, "run" | "wide">,
): Promise<(path: string) => PartWriter> {
  const { format } = target;
  if (format !== "parquet") return (path) => createTextFile(path, { ...target, format });
  const library: ParquetLibrary = await import("hyparquet-writer");
  const columns = buildParquetColumns({
    ...fileColumns(target),
    isFlat: target.isFlat,
    wide: new Set(wide),
  });
  return (path) => createParquetFile(path, columns, { library, run });
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

function createTextFile(path: string, target: Target & { readonly format: TextFormatName }): PartWriter {
  const { columns } = fileColumns(target);
  const format = createFormat(target.format, { columns, isRecord: false, width: null });
  let text = format.begin;
  let rows = 0;
  let waiting = 0;
  const flush = () => {
    appendFileSync(path, text);
    text = "";
    waiting = 0;
  };
  const isInFolder = target.partition?.includes("chain") === true && target.chainKey !== null;
  return {
    flush,
    waiting: () => waiting,
    write: (some) => {
      text += format.rows(isInFolder ? some.map((row) => without(row, target.chainKey)) : some, rows === 0);
      rows += some.length;
      waiting += some.length;
    },
    finish: () => {
      text += format.end(rows === 0);
      flush();
      const descriptor = openSync(path, "r+");
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

function without(row: Row, key: string | null): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key));
}
