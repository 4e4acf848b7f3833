import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, statSync } from "node:fs";
import { UsageError } from "../../../base/errors.ts";
import { DISK, TEMPORARY } from "../../../base/write-files.ts";
import { createFormat, type TextFormatName } from "../formats.ts";
import type { Row } from "../rows.ts";
import { type RowFilter, readRecords, rewriteFile } from "./drop-rows.ts";
import { type Extent, statePath } from "./export-state.ts";
import { openGrowingFile, readChunks, writeAll } from "./growing-file.ts";
import type { Target } from "./write-parts.ts";

/** The rows of a run, in the format of the file. */
type TextRows = {
  readonly target: Pick<Target, "path" | "shownPath">;
  /** The file that has them. */
  readonly spool: string;
  /** The end of the file. */
  readonly end: string;
};

/**
 * Appends the rows of a run to a text file, which is replaced in one step. Doing it again has the same result.
 *
 * @param known the rows of the file; null for a new file, which replaces an existing one.
 * @param added the rows of the run.
 * @returns the rows of the file, without its end.
 */
export function appendText(rows: TextRows, known: Extent | null, added: Extent): Extent {
  const { target, spool, end } = rows;
  if (known === null) {
    // Without its rows, an interrupted run had moved them already.
    if (added.length > 0 && !existsSync(spool) && existsSync(target.path)) return added;
    const file = openGrowingFile(spool, added);
    if (file === null) throw changed(target);
    file.append(end);
    file.close();
    DISK.rename(spool, target.path);
    return added;
  }
  const temporary = `${target.path}${TEMPORARY}`;
  const hash = createHash("sha256");
  const file = openSync(temporary, "w");
  try {
    if (copyTo(file, target.path, known, hash) !== known.hash) throw changed(target);
    const digest = copyTo(file, spool, added, hash);
    writeAll(file, Buffer.from(end));
    fsyncSync(file);
    DISK.rename(temporary, target.path);
    return { length: known.length + added.length, hash: digest };
  } finally {
    closeSync(file);
  }
}

/** Copies the beginning of a file to the end of another, and returns the hash of all that was copied to it. */
function copyTo(file: number, path: string, { length }: Extent, hash: ReturnType<typeof createHash>): string {
  if (length > 0) {
    const source = openSync(path, "r");
    try {
      for (const chunk of readChunks(source, length)) {
        hash.update(chunk);
        writeAll(file, chunk);
      }
    } finally {
      closeSync(source);
    }
  }
  return hash.copy().digest("hex");
}

/** Text rows of a run that replaces some rows of earlier runs. */
type ReplacingRows = Omit<TextRows, "end"> & {
  readonly target: Target & { readonly format: Exclude<TextFormatName, "table"> };
  readonly filter: RowFilter;
  /** The rows of the run in its file. */
  readonly added: Extent;
  /** Changed rows, which follow the others. */
  readonly changes: readonly Row[];
  /** The chain of rows without a column for it. */
  readonly chain: string;
};

/**
 * Writes a text file again, beside its place: its rows without the dropped ones, then those of the run.
 *
 * @returns the rows of the new file, without its end.
 */
export function replaceText(rows: ReplacingRows, known: Extent | null): Extent {
  const { target, spool, filter, added, changes, chain } = rows;
  const { path, format: name, columns } = target;
  if (known !== null && hashOf(path, known.length) !== known.hash) throw changed(target);
  const format = createFormat(name, { columns, isRecord: false, width: null });
  const temporary = `${path}${TEMPORARY}`;
  const file = rewriteFile(temporary, name, format);
  for (const [place, age, length] of [
    [path, "earlier", known?.length ?? 0],
    [spool, "new", added.length],
  ] as const) {
    if (length === 0) continue;
    // The rows of a run have no header.
    const source = { ...target, hasHeader: place === path, length };
    for (const records of readRecords(place, source, chain)) {
      file.write(records.filter((one) => filter.keeps(one.chain, one.id, age)).map(({ text }) => text));
    }
  }
  const text = format.rows(changes, true);
  const records = name === "json" ? text.split(/,?\n {2}/).slice(1) : text.split("\n").slice(0, -1);
  file.write(name === "csv" && text !== "" ? [text.slice(0, -1)] : records);
  const end = format.end(file.finish() === 0);
  const length = statSync(temporary).size - Buffer.byteLength(end);
  return { length, hash: hashOf(temporary, length) };
}

/** Takes the place of a text file, unless that has happened already. */
export function placeText({ path }: Pick<Target, "path">, { length, hash }: Extent): void {
  if (existsSync(`${path}${TEMPORARY}`)) DISK.rename(`${path}${TEMPORARY}`, path);
  if (hashOf(path, length) !== hash) throw changed({ shownPath: path });
}

function hashOf(path: string, length: number): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    for (const chunk of readChunks(file, length)) hash.update(chunk);
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

function changed({ shownPath }: Pick<Target, "shownPath">): UsageError {
  return new UsageError({
    sentence: `${shownPath} was changed since its last export.`,
    hint: `delete ${statePath(shownPath)} to start again.`,
  });
}
