import { dirname } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { DISK, TEMPORARY, unwritable } from "../../../base/write-files.ts";
import { createFormat } from "../formats.ts";
import type { Row } from "../rows.ts";
import type { RowSink } from "../sink.ts";
import { findWide } from "./column-types.ts";
import { type DroppedRows, isKept, NOTHING, rowKey } from "./drop-rows.ts";
import {
  type ChainState,
  type ExportState,
  type Extent,
  isUnfinished,
  type PendingRows,
  renderState,
  statePath,
} from "./export-state.ts";
import { EMPTY, type GrowingFile, openGrowingFile, readLines } from "./growing-file.ts";
import { takeLock } from "./lock-file.ts";
import { type ExportOptions, readEarlier } from "./read-earlier.ts";
import { type Target, writeParts } from "./write-parts.ts";
import { appendText, placeText, replaceText } from "./write-text.ts";

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
  { target, question, chains: keys, renews = false, isLatest = false }: ExportOptions,
  earlier: ExportState | null,
  release: () => void,
): Promise<RowSink> {
  const { path, shownPath, fields, columns, chainKey } = target;
  const spool = `${path}.lockflow-rows`;
  const changesSpool = `${path}.lockflow-changes`;
  const format = spoolFormat(target);
  const ndjson = createFormat("ndjson", { columns, isRecord: false, width: null });
  let state: ExportState = earlier ?? {
    ...{ question, run: 0, rows: 0, extent: null, wide: [], versions: 0 },
    ...{ chains: new Map(keys.map((key) => [key, UNREAD])), pending: null },
  };
  let file: GrowingFile | null = null;
  let changes: GrowingFile | null = null;
  const keep = (next: ExportState) => {
    DISK.write(`${statePath(path)}${TEMPORARY}`, renderState(next), undefined);
    DISK.rename(`${statePath(path)}${TEMPORARY}`, statePath(path));
    state = next;
  };
  const rows = () => state.rows + (state.pending?.rows ?? 0);
  const pendingRows = (): PendingRows => state.pending ?? { ...NO_ROWS, isLatest };
  const openSpool = (place: string, extent: Extent): GrowingFile => {
    const opened = openGrowingFile(place, extent);
    if (opened) return opened;
    throw new UsageError({
      sentence: `${shownPath} cannot be continued: ${place} was changed or removed.`,
      hint: `delete ${statePath(shownPath)} to start again.`,
    });
  };
  const open = (): GrowingFile => {
    if (file) return file;
    const { extent } = pendingRows();
    // The state is written first: from now on, the rows belong to this export.
    if (extent.length === 0) keep({ ...state, pending: pendingRows() });
    file = openSpool(spool, extent);
    if (extent.length === 0 && state.run === 0 && isText(target)) file.append(format.begin);
    return file;
  };
  /** Reads the current version of each changed row, and the rows of earlier runs that are not valid any more. */
  const readChanges = ({ changes: extent, restarts, isLatest: dropsVersions }: PendingRows) => {
    const found = new Map<string, Row | null>();
    const lines = extent.length === 0 ? [] : readLines(changesSpool, extent.length);
    for (const some of lines) {
      for (const line of some) {
        const { chain, id, row } = JSON.parse(line) as { chain: string; id: string; row: Row | null };
        found.delete(rowKey(chain, id));
        found.set(rowKey(chain, id), row);
      }
    }
    return {
      changed: [...found.values()].filter((row) => row !== null),
      dropped: { chains: new Set(restarts), keys: new Set(dropsVersions ? found.keys() : []) },
    };
  };
  /** Moves the rows of the run to their place. */
  const move = async () => {
    file?.close();
    changes?.close();
    file = null;
    changes = null;
    if (!pendingRows().isEnded) keep({ ...state, pending: { ...pendingRows(), isEnded: true } });
    const pending = pendingRows();
    const { changed, dropped } = readChanges(pending);
    const run = state.run + 1;
    const counts = [...state.chains.values()].reduce((sum, one) => sum + one.rows, 0);
    const versions = pending.isLatest ? state.versions : state.versions + changed.length;
    const next = { ...state, run, rows: counts + versions, versions, pending: null };
    const chain = keys[0] ?? "";
    if (!isText(target)) {
      await writeParts(target, {
        ...{ run, wide: state.wide, dropped, chain },
        rows: runRows(spoolRows(spool, pending.extent.length), { changed, dropped, chainKey, chain }),
      });
      keep(next);
    } else {
      const end = format.end(next.rows === 0);
      const isReplaced = state.run > 0 && dropped.chains.size + dropped.keys.size > 0;
      if (isReplaced && target.format !== "parquet") {
        const parts = { target: { ...target, format: target.format }, spool, end, dropped, chain };
        const result = pending.result ?? replaceText({ ...parts, changes: changed }, state.extent);
        keep({ ...state, pending: { ...pending, result } });
        placeText(target, result);
        keep({ ...next, extent: result });
      } else {
        const grown = changed.length === 0 ? null : openSpool(spool, pending.extent);
        grown?.append(format.rows(changed, rows() === 0));
        const extent = grown?.extent() ?? pending.extent;
        grown?.close();
        keep({ ...next, extent: appendText({ target, spool, end }, state.extent, extent) });
      }
    }
    DISK.remove(spool);
    DISK.remove(changesSpool);
  };
  // An interrupted run may have ended before its rows were in their place.
  if (state.pending?.isEnded || (renews && state.pending)) await explain(shownPath, move);
  if (renews) {
    const known = [...state.chains].map(([key, one]) => [key, { ...one, isDone: false }] as const);
    state = { ...state, chains: new Map([...keys.map((key) => [key, UNREAD] as const), ...known]) };
  }
  return {
    ...{ chains: new Map(state.chains), renews: renews && earlier !== null, rows },
    take: async ({ chain, rows: taken, place, isLast, head, kind, gone = [], mark }) => {
      onDisk(shownPath, () => {
        const growing = open();
        const chains = new Map(state.chains);
        const before = chains.get(chain ?? "") ?? UNREAD;
        const pending = pendingRows();
        const next = { ...pending };
        if (kind === "changes") {
          changes ??= openSpool(changesSpool, pending.changes);
          const lines = [
            ...taken.map((row) => ({ chain, id: row["id"], row })),
            ...gone.map((id) => ({ chain, id, row: null })),
          ];
          const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
          if (text !== "") changes.append(text);
          next.changes = changes.extent();
          next.changed += taken.length;
        } else {
          const text = (isText(target) ? format : ndjson).rows(taken, rows() === 0);
          if (text !== "") growing.append(text);
          next.rows += taken.length;
        }
        if (kind === "restart" && chain !== null) next.restarts = [...pending.restarts, chain];
        next.extent = growing.extent();
        if (chain !== null) {
          chains.set(chain, {
            ...{ place, isDone: isLast, head: head ?? before.head, mark: mark ?? before.mark },
            rows: kind === "restart" ? 0 : before.rows + (kind === "changes" ? 0 : taken.length),
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
      changes?.close();
      release();
    },
  };
}

/** Yields the new rows of a run, without earlier versions of the changed ones, and then these. */
function* runRows(
  rows: Iterable<readonly Row[]>,
  {
    changed,
    dropped,
    chainKey,
    chain,
  }: {
    readonly changed: readonly Row[];
    readonly dropped: DroppedRows;
    readonly chainKey: string | null;
    readonly chain: string;
  },
): Generator<readonly Row[], void, undefined> {
  const without = { chains: NOTHING.chains, keys: dropped.keys };
  for (const some of rows) {
    const keptRow = (row: Row) =>
      isKept(without, chainKey === null ? chain : String(row[chainKey]), row["id"]);
    yield dropped.keys.size === 0 ? some : some.filter(keptRow);
  }
  if (changed.length > 0) yield changed;
}

/** The rows of a run that has begun. */
const NO_ROWS: PendingRows = {
  ...{ extent: EMPTY, rows: 0, changes: EMPTY, changed: 0, restarts: [] },
  ...{ isLatest: false, isEnded: false, result: null },
};

/** The state of a chain without pages so far. */
const UNREAD: ChainState = { place: null, isDone: false, rows: 0, head: null, mark: null };

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
