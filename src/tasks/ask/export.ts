import { createHash } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { hash, shortHash } from "../../base/hash.ts";
import { isMissing, readText } from "../../base/read-files.ts";
import { DISK, TEMPORARY, unwritable } from "../../base/write-files.ts";
import type { Format } from "./formats.ts";
import {
  type Extent,
  type ProcessId,
  parseResumeState,
  type ResumeState,
  refuseUnfinished,
  renderResumeState,
  resumePath,
} from "./resume-state.ts";
import type { RowSink } from "./sink.ts";

/** The options of `createExport`. */
export type ExportOptions = {
  /** Absolute. */
  readonly path: string;
  /** The path in errors. */
  readonly shownPath: string;
  readonly format: Format;
  /** The question by aspect. An export is only resumed with the same question. */
  readonly question: Readonly<Record<string, string>>;
  /** Whether to continue the export of an earlier run. */
  readonly resumes: boolean;
};

/**
 * Creates a sink for pages that another run can continue, whenever this one ends, or continues such an export. Writes
 * nothing before there are rows. No row is written twice: what follows the last state of an earlier run is cut off.
 *
 * @throws UsageError if an unfinished export exists and `resumes` is not set, or the export is of another question.
 */
export async function createExport(options: ExportOptions): Promise<RowSink> {
  const { path, shownPath, format, question } = options;
  const earlier = await readEarlier(options);
  const chains = new Map(earlier?.chains);
  let rows = earlier?.rows ?? 0;
  let file: GrowingFile | null = null;
  const keep = (extent: Extent) => {
    const state = { question, writer: thisProcess(), extent, rows, chains };
    const temporary = `${resumePath(path)}${TEMPORARY}`;
    DISK.write(temporary, renderResumeState(state), undefined);
    DISK.rename(temporary, resumePath(path));
  };
  const open = (): GrowingFile => {
    if (file) return file;
    const known = earlier?.extent ?? EMPTY;
    if (known.length === 0) {
      // The state is written first: from now on, the content of the file belongs to this export.
      DISK.makeFolder(dirname(path));
      keep(EMPTY);
    }
    file = openGrowingFile(path, known);
    if (file === null) {
      throw new UsageError({
        sentence: `${shownPath} was changed after the export was interrupted.`,
        hint: `delete ${resumePath(shownPath)} to start again.`,
      });
    }
    if (known.length === 0) file.append(format.begin);
    return file;
  };
  return {
    chains: new Map(chains),
    rows: () => rows,
    take: async ({ chain, rows: taken, place, isLast }) => {
      onDisk(shownPath, () => {
        const text = format.rows(taken, rows === 0);
        const growing = open();
        if (text !== "") growing.append(text);
        rows += taken.length;
        if (chain !== null) chains.set(chain, { place, isDone: isLast });
        keep(growing.extent());
      });
      return true;
    },
    finish: async (isComplete) => {
      // Without rows or an earlier run there is nothing to continue.
      if (!isComplete && file === null && earlier === null) return;
      onDisk(shownPath, () => {
        const growing = open();
        growing.append(format.end(rows === 0));
        growing.close();
        if (isComplete) DISK.remove(resumePath(path));
      });
    },
    stop: () => file?.close(),
  };
}

/** Reads the state of the run to continue; null to begin a new export. */
async function readEarlier({
  path,
  shownPath,
  question,
  resumes,
}: ExportOptions): Promise<ResumeState | null> {
  const place = resumePath(shownPath);
  const text = await readText(resumePath(path));
  if (text === null) {
    if (!resumes || !isFileThere(path)) return null;
    throw new UsageError({
      sentence: `Nothing to resume: ${place} does not exist, so ${shownPath} is complete or not an export of pages.`,
      hint: "omit --resume to replace it.",
    });
  }
  const state = parseResumeState(text, place);
  if (!resumes) return refuseUnfinished(shownPath, state.rows);
  if (isRunning(state.writer) && state.writer.process !== thisProcess().process) {
    throw new UsageError({
      sentence: `${shownPath} is still being written by process ${state.writer.process}.`,
      hint: `wait until it ends. If that process is another program, delete ${place} to start again.`,
    });
  }
  const names = new Set([...Object.keys(question), ...Object.keys(state.question)]);
  const others = [...names].filter((name) => question[name] !== state.question[name]);
  if (others.length > 0) {
    throw new UsageError({
      sentence: `${shownPath} is an export with another ${others.join(", ")}.`,
      hint: `repeat the command of the first run, or delete ${place} to start again.`,
    });
  }
  return state;
}

/** Runs an action on the disk, and explains its failure. */
function onDisk(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw unwritable(path, cause as NodeJS.ErrnoException, "its rows are kept: continue with --resume.");
  }
}

/** Identifies the running process in the state of an export. */
function thisProcess(): ProcessId {
  return { host: shortHash(hash(hostname())), process: process.pid };
}

/** Returns whether a process runs; null if it is on another machine. */
function isRunning(id: ProcessId): boolean | null {
  if (id.host !== thisProcess().host) return null;
  try {
    process.kill(id.process, 0);
    return true;
  } catch (error) {
    // The process of another user runs, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A file that grows step by step, with a known hash after each. */
type GrowingFile = {
  /** Appends a text. When it returns, the text is on the disk. */
  readonly append: (text: string) => void;
  readonly extent: () => Extent;
  readonly close: () => void;
};

/** The extent of an empty file. */
const EMPTY: Extent = { length: 0, hash: createHash("sha256").digest("hex") };

/** Opens a file to append after a known beginning, and cuts off the rest; null if it does not begin like that. */
function openGrowingFile(path: string, known: Extent): GrowingFile | null {
  const file = openFile(path, known.length === 0);
  if (file === null) return null;
  const hash = createHash("sha256");
  const digest = () => hash.copy().digest("hex");
  let length = 0;
  const chunk = Buffer.alloc(Math.min(known.length, 1 << 20));
  while (length < known.length) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, known.length - length), length);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    length += read;
  }
  if (length < known.length || digest() !== known.hash) {
    closeSync(file);
    return null;
  }
  ftruncateSync(file, length);
  return {
    append: (text) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, length + at);
      fsyncSync(file);
      hash.update(bytes);
      length += bytes.length;
    },
    extent: () => ({ length, hash: digest() }),
    close: () => closeSync(file),
  };
}

/** Opens a file; null if it is missing and should exist. */
function openFile(path: string, isNew: boolean): number | null {
  try {
    return openSync(path, isNew ? "w" : "r+");
  } catch (error) {
    if (isMissing(error) && !isNew) return null;
    throw error;
  }
}

function isFileThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
