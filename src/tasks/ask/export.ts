import { statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { readText } from "../../base/read-files.ts";
import { DISK, TEMPORARY, unwritable } from "../../base/write-files.ts";
import {
  type ChainState,
  type ExportState,
  isUnfinished,
  parseState,
  refuseUnfinished,
  renderState,
  statePath,
} from "./export-state.ts";
import { createFormat } from "./formats.ts";
import { EMPTY, type GrowingFile, openGrowingFile, readLines } from "./growing-file.ts";
import { takeLock } from "./lock-file.ts";
import { findWide } from "./parquet-columns.ts";
import { listParts } from "./partition.ts";
import type { Row } from "./rows.ts";
import type { RowSink } from "./sink.ts";
import { type Target, writeParts } from "./write-parts.ts";
import { appendText } from "./write-text.ts";

/** The options of `createExport`. */
export type ExportOptions = {
  readonly target: Target;
  /** The question by aspect. An export is only continued with the same question. */
  readonly question: Readonly<Record<string, string>>;
  readonly chains: readonly string[];
  /** Whether to continue the export of an earlier run. */
  readonly resumes: boolean;
};

/**
 * Creates a sink for pages that a later run can continue. Rows go to a file beside the export first, and to their place
 * when the run has ended. Writes nothing before there are rows. Whatever interrupts a run, no row is missing or written
 * twice.
 *
 * @throws UsageError if an unfinished export exists and `resumes` is not set, if the export is of another question, and
 *   while another process writes it.
 */
export async function createExport(options: ExportOptions): Promise<RowSink> {
  const { path, shownPath } = options.target;
  const release = onDisk(shownPath, () => {
    DISK.makeFolder(dirname(path));
    return takeLock(`${path}.lockflow.lock`, shownPath);
  });
  try {
    const earlier = await readEarlier(options);
    return openExport(options, earlier, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function openExport(
  { target, question, chains: keys }: ExportOptions,
  earlier: ExportState | null,
  release: () => void,
): Promise<RowSink> {
  const { path, shownPath, fields } = target;
  const spool = `${path}.lockflow-rows`;
  const format = spoolFormat(target);
  let state: ExportState = earlier ?? {
    ...{ question, run: 0, rows: 0, extent: null, wide: [] },
    ...{ chains: new Map(keys.map((key) => [key, UNREAD])), pending: null },
  };
  let file: GrowingFile | null = null;
  const keep = (next: ExportState) => {
    DISK.write(`${statePath(path)}${TEMPORARY}`, renderState(next), undefined);
    DISK.rename(`${statePath(path)}${TEMPORARY}`, statePath(path));
    state = next;
  };
  const rows = () => state.rows + (state.pending?.rows ?? 0);
  const open = (): GrowingFile => {
    if (file) return file;
    const { extent, ...counts } = state.pending ?? { extent: EMPTY, rows: 0, isEnded: false };
    // The state is written first: from now on, the rows belong to this export.
    if (extent.length === 0) keep({ ...state, pending: { extent, ...counts } });
    file = openGrowingFile(spool, extent);
    if (file === null) {
      throw new UsageError({
        sentence: `${shownPath} cannot be continued: ${spool} was changed or removed.`,
        hint: `delete ${statePath(shownPath)} to start again.`,
      });
    }
    if (extent.length === 0 && state.run === 0 && isText(target)) file.append(format.begin);
    return file;
  };
  /** Moves the rows of the run to their place. */
  const move = async () => {
    const pending = state.pending ?? { extent: EMPTY, rows: 0, isEnded: true };
    if (!pending.isEnded) keep({ ...state, pending: { ...pending, isEnded: true } });
    const run = state.run + 1;
    const next = { ...state, run, rows: rows(), pending: null };
    if (isText(target)) {
      file?.close();
      const end = format.end(next.rows === 0);
      keep({ ...next, extent: appendText({ target, spool, end }, state.extent, pending.extent) });
    } else {
      file?.close();
      await writeParts(target, {
        ...{ run, wide: state.wide },
        rows: spoolRows(spool, pending.extent.length),
        chain: [...state.chains.keys()][0] ?? "",
      });
      keep(next);
    }
    file = null;
    DISK.remove(spool);
  };
  // An interrupted run may have ended before its rows were in their place.
  if (state.pending?.isEnded) await explain(shownPath, move);
  return {
    chains: new Map(state.chains),
    rows,
    take: async ({ chain, rows: taken, place, isLast, head }) => {
      onDisk(shownPath, () => {
        const text = format.rows(taken, rows() === 0);
        const growing = open();
        if (text !== "") growing.append(text);
        const chains = new Map(state.chains);
        if (chain !== null) {
          const before = chains.get(chain) ?? UNREAD;
          const count = before.rows + taken.length;
          chains.set(chain, { place, isDone: isLast, rows: count, head: head ?? before.head });
        }
        const wide = new Set(state.wide);
        if (target.format === "parquet") findWide(taken, fields, wide);
        const pending = {
          ...{ extent: growing.extent(), isEnded: false },
          rows: (state.pending?.rows ?? 0) + taken.length,
        };
        keep({ ...state, chains, wide: [...wide].sort(), pending });
      });
      return true;
    },
    finish: async (isComplete) => {
      try {
        // Without rows or an earlier run there is nothing to continue.
        if (!isComplete && state.pending === null) return;
        await explain(shownPath, async () => {
          open();
          await move();
        });
      } finally {
        release();
      }
    },
    stop: () => {
      file?.close();
      release();
    },
  };
}

/** The state of a chain without pages so far. */
const UNREAD: ChainState = { place: null, isDone: false, rows: 0, head: null };

/** Returns whether the rows are kept in the format of a text file, so that they are only appended to it. */
function isText({ format, partition }: Target): boolean {
  return format !== "parquet" && partition === null;
}

function spoolFormat(target: Target) {
  const { format, columns } = target;
  const options = { columns, isRecord: false, width: null };
  return createFormat(format !== "parquet" && isText(target) ? format : "ndjson", options);
}

/** Reads the rows that are kept, some at a time. */
function* spoolRows(path: string, length: number): Generator<readonly Row[], void, undefined> {
  for (const lines of readLines(path, length)) yield lines.map((line) => JSON.parse(line) as Row);
}

/** Reads the state of the run to continue; null to begin a new export. */
async function readEarlier({ target, question, resumes }: ExportOptions): Promise<ExportState | null> {
  const { path, shownPath, partition } = target;
  const place = statePath(shownPath);
  const text = await readText(statePath(path));
  if (text === null) {
    if (partition !== null && listParts(path).length > 0) {
      throw new UsageError({
        sentence: `${shownPath} has files of an export, but ${place} does not exist.`,
        hint: "name another folder, or delete its files to start again.",
      });
    }
    if (!resumes || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    throw new UsageError({
      sentence: `Nothing to resume: ${place} does not exist, so ${shownPath} is not an export of pages.`,
      hint: "omit --resume to replace it.",
    });
  }
  const state = parseState(text, place);
  if (!resumes) return isUnfinished(state) ? refuseUnfinished(shownPath, countRows(state)) : null;
  const names = new Set([...Object.keys(question), ...Object.keys(state.question)]);
  const others = [...names].filter((name) => question[name] !== state.question[name]);
  if (others.length > 0) {
    throw new UsageError({
      sentence: `${shownPath} is an export with another ${others.join(", ")}.`,
      hint: `repeat the command of the first run, or delete ${place} to start again.`,
    });
  }
  if (isUnfinished(state)) return state;
  throw new UsageError({
    sentence: `Nothing to resume: ${shownPath} is complete.`,
    hint: "omit --resume to replace it.",
  });
}

function countRows({ rows, pending }: ExportState): number {
  return rows + (pending?.rows ?? 0);
}

/** Runs an action on the disk, and explains its failure. */
function onDisk<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw explained(path, cause);
  }
}

async function explain(path: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (cause) {
    throw explained(path, cause);
  }
}

function explained(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && "syscall" in cause)) return cause;
  return unwritable(path, cause as NodeJS.ErrnoException, "its rows are kept: continue with --resume.");
}
