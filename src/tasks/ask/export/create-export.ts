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
import { hasRows, moveRows, openRows, openSpool, spoolPaths } from "./move-rows.ts";
import { type ExportOptions, readEarlier } from "./read-earlier.ts";
import type { RowSpool } from "./row-log.ts";
import { createValueSharing } from "./share-values.ts";

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
  let state: ExportState = earlier ?? {
    ...{ question, run: 0, extent: null, files: null, wide: [], versions: 0, pending: null },
    chains: new Map(keys.map((key) => [key, UNREAD])),
  };
  const only = keys[0] ?? "";
  let spool: RowSpool | null = null;
  let changes: GrowingFile | null = null;
  let isTaking = false;
  const shareValues = createValueSharing();
  const keep = (next: ExportState) => {
    DISK.write(`${statePath(path)}${TEMPORARY}`, renderState(next), undefined);
    DISK.rename(`${statePath(path)}${TEMPORARY}`, statePath(path));
    state = next;
  };
  const pendingRows = (): PendingRows => state.pending ?? { ...NO_ROWS, isLatest };
  const openFiles = async (): Promise<RowSpool> => {
    if (spool) return spool;
    // The state is written first: from now on, the rows belong to this export.
    if (pendingRows().extent.length === 0) keep({ ...state, pending: pendingRows() });
    spool = await openRows(target, state, only);
    return spool;
  };
  /** Saves the rows, and how far they are. */
  const save = (rows: RowSpool) => keep({ ...state, pending: { ...pendingRows(), extent: rows.save() } });
  const close = () => {
    spool?.close();
    changes?.close();
    spool = null;
    changes = null;
  };
  const move = async () => {
    close();
    await moveRows(target, { state, keep, only });
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
      isTaking = true;
      await explain(shownPath, async () => {
        const rows = await openFiles();
        const chains = new Map(state.chains);
        const before = chains.get(chain ?? "") ?? UNREAD;
        const pending = pendingRows();
        const next = { ...pending };
        const wide = new Set(state.wide);
        if (target.format === "parquet") {
          shareValues(taken);
          findWide(taken, fields, wide);
        }
        if (kind === "changes") {
          changes ??= openSpool(target, spools.changes, pending.changes);
          const lines = [
            ...taken.map((row) => ({ chain, id: row["id"], row })),
            ...gone.map((id) => ({ chain, id, row: null })),
          ];
          const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
          if (text !== "") changes.append(text);
          next.changes = changes.extent();
        } else rows.take(taken, [...wide]);
        const isRestart = chain !== null && (kind === "restart" || restarting.delete(chain));
        if (isRestart) next.restarts = [...pending.restarts, chain];
        if (chain !== null) {
          chains.set(chain, {
            ...{ place, isDone: isLast, head: head ?? before.head, mark: mark ?? before.mark },
            rows: before.rows + (kind === "changes" ? 0 : taken.length),
            isStale: !isRestart && (before.isStale || (!isLatest && gone.length > 0)),
          });
        }
        state = { ...state, chains, wide: [...wide].sort(), pending: next };
        if (isLast || rows.isDue()) save(rows);
      });
      isTaking = false;
      return true;
    },
    finish: async (isComplete) => {
      try {
        // Without rows or an earlier run there is nothing to continue.
        if (!isComplete && state.pending === null) return;
        // An export that was complete before is left as it is.
        if (!renews && earlier !== null && !isUnfinished(state)) return;
        await explained(async () => {
          save(await openFiles());
          await move();
        });
      } finally {
        release();
      }
    },
    stop: () => {
      try {
        // After a failure, the rows in memory may be more than the state says.
        if (spool && !isTaking) save(spool);
      } catch {
        // The next run requests the rows again.
      } finally {
        close();
        release();
      }
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
