import { hostname } from "node:os";
import { dirname } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { hash, shortHash } from "../../base/hash.ts";
import { readText } from "../../base/read-files.ts";
import { DISK, TEMPORARY, unwritable } from "../../base/write-files.ts";
import type { Format } from "./formats.ts";
import { EMPTY, type Extent, type GrowingFile, isFileThere, openGrowingFile } from "./growing-file.ts";
import {
  type ProcessId,
  parseResumeState,
  type ResumeState,
  type RowSink,
  refuseUnfinished,
  renderResumeState,
  resumePath,
} from "./sink.ts";

/** What is exported to which file. */
export type ExportOptions = {
  /** Absolute. */
  readonly path: string;
  /** What errors call it. */
  readonly shownPath: string;
  readonly format: Format;
  /** What is exported, by aspect. */
  readonly question: Readonly<Record<string, string>>;
  /** Whether to go on with what an earlier run has left. */
  readonly resumes: boolean;
};

/**
 * Creates an export, a file that takes rows page after page, or goes on with one: whenever it is ended, another run can go on. Nothing is on the disk before there are rows, and no row is there twice: what
 * an earlier run wrote behind its last state is cut off.
 *
 * @throws UsageError where nobody said whether to go on with an earlier export, or it is one of something else.
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
      // From now on whatever is in the file belongs to this export.
      DISK.makeFolder(dirname(path));
      keep(EMPTY);
    }
    file = openGrowingFile(path, known);
    if (file === null) {
      throw new UsageError({
        sentence: `${shownPath} is not as the interrupted export left it.`,
        hint: `delete ${resumePath(shownPath)} to begin anew.`,
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
      // Where nothing came at all, there is nothing to go on with.
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

/** What an earlier run has left to go on with; null where this one begins. */
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
      sentence: `There is nothing to resume: no ${place} is beside ${shownPath}, so it is complete, or no export of pages.`,
      hint: "leave --resume out to replace it.",
    });
  }
  const state = parseResumeState(text, place);
  if (!resumes) return refuseUnfinished(shownPath, state.rows);
  if (isRunning(state.writer) && state.writer.process !== thisProcess().process) {
    throw new UsageError({
      sentence: `${shownPath} is still being written, by the process ${state.writer.process}.`,
      hint: `wait for it. If that is another program, delete ${place} to begin anew.`,
    });
  }
  const names = new Set([...Object.keys(question), ...Object.keys(state.question)]);
  const others = [...names].filter((name) => question[name] !== state.question[name]);
  if (others.length > 0) {
    throw new UsageError({
      sentence: `${shownPath} is an export of something else: not of the same ${others.join(", ")}.`,
      hint: `ask as it was asked then, or delete ${place} to begin anew.`,
    });
  }
  return state;
}

/** Does what changes the disk, and tells where that fails. */
function onDisk(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw unwritable(
      path,
      cause as NodeJS.ErrnoException,
      "the rows that it has are kept: go on with --resume.",
    );
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
