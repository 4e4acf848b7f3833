import { dirname } from "node:path";
import { DISK, TEMPORARY, unwritable } from "../../../base/write-files.ts";
import type { RowSink } from "../sink.ts";
import { findWide } from "./column-types.ts";
import {
  type ChainState,
  countRows,
  type ExportState,
  isUnfinished,
  type PendingRows,
  renderState,
  statePath,
} from "./export-state.ts";
import { EMPTY, type GrowingFile } from "./growing-file.ts";
import { takeLock } from "./lock-file.ts";
import { hasRows, isText, moveRows, openSpool, spoolFormat, spoolPaths } from "./move-rows.ts";
import { type ExportOptions, readEarlier } from "./read-earlier.ts";

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
  const lock = () => {
    DISK.makeFolder(dirname(path));
    return takeLock(`${path}.lockflow.lock`, shownPath);
  };
  const release = onDisk(shownPath, lock, "name another place.");
  try {
    const earlier = await readEarlier(options);
    return openExport(options, earlier, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function openExport(
  { target, question, chains: keys, renews = false, isLatest = false }: ExportOptions,
  earlier: ExportState | null,
  release: () => void,
): Promise<RowSink> {
  const { path, shownPath, fields } = target;
  const spools = spoolPaths(path);
  const format = spoolFormat(target);
  let state: ExportState = earlier ?? {
    ...{ question, run: 0, extent: null, files: null, wide: [], versions: 0, pending: null },
    chains: new Map(keys.map((key) => [key, UNREAD])),
  };
  let file: GrowingFile | null = null;
  let changes: GrowingFile | null = null;
  const keep = (next: ExportState) => {
    DISK.write(`${statePath(path)}${TEMPORARY}`, renderState(next), undefined);
    DISK.rename(`${statePath(path)}${TEMPORARY}`, statePath(path));
    state = next;
  };
  const pendingRows = (): PendingRows => state.pending ?? { ...NO_ROWS, isLatest };
  const openFiles = (): GrowingFile => {
    if (file) return file;
    const { extent } = pendingRows();
    // The state is written first: from now on, the rows belong to this export.
    if (extent.length === 0) keep({ ...state, pending: pendingRows() });
    file = openSpool(target, spools.rows, extent);
    if (extent.length === 0 && state.run === 0 && isText(target)) file.append(format.begin);
    return file;
  };
  const move = async () => {
    file?.close();
    changes?.close();
    file = null;
    changes = null;
    await moveRows(target, { state, keep, only: keys[0] ?? "" });
  };
  const explained = (action: () => Promise<void>) => explain(shownPath, action);
  // An interrupted run may have ended before its rows were in their place.
  const isMoved = state.pending && (state.pending.isEnded || (renews && hasRows(state)));
  if (isMoved) await explained(move);
  else if (renews) state = { ...state, pending: null };
  if (renews) {
    const asked = keys.map((key) => [key, { ...(state.chains.get(key) ?? UNREAD), isDone: false }] as const);
    const others = [...state.chains].filter(([key]) => !keys.includes(key));
    state = { ...state, chains: new Map([...asked, ...others]) };
  }
  // Rows that do not match any more are unknown, so that --latest reads their chain again.
  const restarting = new Set(isLatest ? keys.filter((key) => state.chains.get(key)?.isStale) : []);
  const places = [...state.chains].map(([key, one]) => {
    return [key, restarting.has(key) ? { ...one, place: null, mark: null } : one] as const;
  });
  return {
    ...{ chains: new Map(places), renews: renews && earlier !== null, rows: () => countRows(state) },
    take: async ({ chain, rows: taken, place, isLast, head, kind, gone = [], mark }) => {
      onDisk(shownPath, () => {
        const growing = openFiles();
        const chains = new Map(state.chains);
        const before = chains.get(chain ?? "") ?? UNREAD;
        const pending = pendingRows();
        const next = { ...pending };
        if (kind === "changes") {
          changes ??= openSpool(target, spools.changes, pending.changes);
          const lines = [
            ...taken.map((row) => ({ chain, id: row["id"], row })),
            ...gone.map((id) => ({ chain, id, row: null })),
          ];
          const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
          if (text !== "") changes.append(text);
          next.changes = changes.extent();
        } else {
          const text = isText(target)
            ? format.rows(taken, countRows(state) === 0)
            : taken.map((row) => `${JSON.stringify(row)}\n`).join("");
          if (text !== "") growing.append(text);
        }
        const isRestart = chain !== null && (kind === "restart" || restarting.delete(chain));
        if (isRestart) next.restarts = [...pending.restarts, chain];
        next.extent = growing.extent();
        if (chain !== null) {
          chains.set(chain, {
            ...{ place, isDone: isLast, head: head ?? before.head, mark: mark ?? before.mark },
            rows: before.rows + (kind === "changes" ? 0 : taken.length),
            isStale: !isRestart && (before.isStale || (!isLatest && gone.length > 0)),
          });
        }
        const wide = new Set(state.wide);
        if (target.format === "parquet") findWide(taken, fields, wide);
        keep({ ...state, chains, wide: [...wide].sort(), pending: next });
      });
      return true;
    },
    finish: async (isComplete) => {
      try {
        // Without rows or an earlier run there is nothing to continue.
        if (!isComplete && state.pending === null) return;
        // An export that was complete before is left as it is.
        if (!renews && earlier !== null && !isUnfinished(state)) return;
        await explained(async () => {
          openFiles();
          await move();
        });
      } finally {
        release();
      }
    },
    stop: () => {
      file?.close();
      changes?.close();
      release();
    },
  };
}

/** The rows of a run that has begun. */
const NO_ROWS: PendingRows = {
  ...{ extent: EMPTY, changes: EMPTY, restarts: [], isLatest: false, isEnded: false, result: null },
};

/** The state of a chain without pages so far. */
const UNREAD: ChainState = {
  ...{ place: null, isDone: false, rows: 0, head: null, mark: null, isStale: false },
};

/** Runs an action on the disk, and explains its failure. */
function onDisk<T>(path: string, action: () => T, hint?: string): T {
  try {
    return action();
  } catch (cause) {
    throw explained(path, cause, hint);
  }
}

async function explain(path: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (cause) {
    throw explained(path, cause);
  }
}

function explained(path: string, cause: unknown, hint = ROWS_KEPT): unknown {
  if (!(cause instanceof Error && "syscall" in cause)) return cause;
  return unwritable(path, cause as NodeJS.ErrnoException, hint);
}

const ROWS_KEPT = "its rows are kept: continue with --resume.";
