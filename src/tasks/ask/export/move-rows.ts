import { groupBy } from "../../../base/collections.ts";
import { UsageError } from "../../../base/errors.ts";
import { DISK } from "../../../base/write-files.ts";
import { createFormat, type TextFormatName } from "../formats.ts";
import type { Row } from "../rows.ts";
import { createFilter, type DroppedRows, rowKey } from "./drop-rows.ts";
import {
  countRows,
  type ExportState,
  type Extent,
  type MovedRows,
  type PendingRows,
  statePath,
} from "./export-state.ts";
import { EMPTY, type GrowingFile, openGrowingFile, readLines } from "./growing-file.ts";
import { encodeGroup } from "./parquet-group.ts";
import { measureFiles } from "./partition.ts";
import { createRowLog, LOG_SIZES, type OpenRowLog, openRowLog, type RowSpool } from "./row-log.ts";
import { columnsOf, folderOfRow, type RunPart, readKeys, type Target, writeParts } from "./write-parts.ts";
import { appendText, placeText, replaceText } from "./write-text.ts";

/** The files with the rows of a run, and with the changes of earlier rows. */
export function spoolPaths(path: string): { readonly rows: string; readonly changes: string } {
  return { rows: `${path}.lockflow-rows`, changes: `${path}.lockflow-changes` };
}

/** Opens a file of a run to append after what is known of it. */
export function openSpool({ shownPath }: Target, path: string, known: Extent): GrowingFile {
  const opened = openGrowingFile(path, known);
  if (opened) return opened;
  throw new UsageError({
    sentence: `${shownPath} cannot be continued: ${path} was changed or removed.`,
    hint: `delete ${statePath(shownPath)} to start again.`,
  });
}

/** Returns whether the rows are kept in the format of a text file, so that they are only appended to it. */
export function isText({ format, partition }: Target): boolean {
  return format !== "parquet" && partition === null;
}

/**
 * Opens the file that takes the rows of a run, after what is known of it.
 *
 * @param only the chain of rows without a column for it.
 */
export async function openRows(target: Target, state: ExportState, only: string): Promise<RowSpool> {
  const path = spoolPaths(target.path).rows;
  const known = state.pending?.extent ?? EMPTY;
  const isEncoded = target.format === "parquet";
  const library = isEncoded ? await import("hyparquet-writer") : null;
  const file = openSpool(target, path, known);
  if (isText(target)) {
    const format = textFormat(target);
    if (known.length === 0 && state.run === 0) file.append(format.begin);
    let count = countRows(state);
    return {
      take: (rows) => {
        const text = format.rows(rows, count === 0);
        if (text !== "") file.append(text);
        count += rows.length;
      },
      ...{ isDue: () => true, save: () => file.extent(), close: () => file.close() },
    };
  }
  return createRowLog(file, {
    ...{ path, folderOf: folderOfRow(target, only), sizes: target.sizes ?? LOG_SIZES },
    encode: library && ((rows, wide) => encodeGroup(rows, columnsOf(target, wide), { library })),
  });
}

function textFormat({ format, columns }: Target) {
  return createFormat(format as TextFormatName, { columns, isRecord: false, width: null });
}

/** The rows to move, and where their state is kept. */
type Moving = {
  readonly state: ExportState;
  /** Writes the state. */
  readonly keep: (state: ExportState) => void;
  /** The chain of rows without a column for it. */
  readonly only: string;
};

/** Returns whether a run has anything to move, or versions to merge. */
export function hasRows({ versions, pending }: ExportState): boolean {
  if (pending === null) return false;
  const { extent, changes, restarts, isLatest } = pending;
  return extent.length + changes.length + restarts.length > 0 || (isLatest && versions > 0);
}

/** Moves the rows of a run to the file or folder. A run that does it again has the same result. */
export async function moveRows(target: Target, { state, keep, only }: Moving): Promise<void> {
  if (state.pending === null) return;
  const pending = { ...state.pending, isEnded: true };
  if (!hasRows(state) && state.run > 0) keep({ ...state, pending: null });
  else {
    const ended = { ...state, pending };
    if (!state.pending.isEnded) keep(ended);
    const { extent, counts, versions } = await placeRows(target, { state: ended, keep, only }, pending);
    const chains = [...state.chains].map(([chain, one]) => {
      return [chain, { ...one, rows: one.rows + (counts.get(chain) ?? 0) }] as const;
    });
    const moved = { run: state.run + 1, chains: new Map(chains), files: measureFiles(target) };
    keep({ ...state, ...moved, versions, extent, pending: null });
  }
  const spools = spoolPaths(target.path);
  DISK.remove(spools.rows);
  DISK.remove(spools.changes);
}

async function placeRows(
  target: Target,
  { state, keep, only }: Moving,
  pending: PendingRows,
): Promise<MovedRows> {
  const { path, chainKey } = target;
  const spools = spoolPaths(path);
  if (pending.result?.extent) {
    placeText(target, pending.result.extent);
    return pending.result;
  }
  const { changed, ids } = readChanges(spools.changes, pending.changes);
  const chainOf = (row: Row) => (chainKey === null ? only : String(row[chainKey]));
  const counts = new Map<string, number>();
  const count = (chain: string, rows: number) => counts.set(chain, (counts.get(chain) ?? 0) + rows);
  for (const row of changed) count(chainOf(row), 1);
  const isMerged = pending.isLatest && state.versions > 0;
  const dropped = { chains: new Set(pending.restarts), keys: new Set(pending.isLatest ? ids : []) };
  const surplus = isMerged ? await countSurplus(target, dropped, only) : new Map<string, number>();
  const filter = createFilter({ ...dropped, surplus }, (chain) => count(chain, -1));
  const versions = pending.isLatest ? 0 : state.versions + changed.length;
  /** Keeps the result before the first place is taken, because rows cannot be counted again after that. */
  const settle = (extent: Extent | null): MovedRows => {
    if (pending.result) return pending.result;
    const result = { extent, counts, versions };
    keep({ ...state, pending: { ...pending, result } });
    return result;
  };
  if (!isText(target)) {
    let moved = pending.result;
    const log = openLog(target, pending.extent);
    await writeParts(target, {
      ...{ run: state.run + 1, wide: state.wide, filter, chain: only },
      parts: runParts(log, changed, folderOfRow(target, only)),
      onStaged: () => {
        moved = settle(null);
      },
    });
    log?.close();
    return moved ?? settle(null);
  }
  if (state.run > 0 && !filter.isEmpty && target.format !== "parquet") {
    const whole = {
      target: { ...target, format: target.format },
      spool: spools.rows,
      added: pending.extent,
      filter,
    };
    const extent = replaceText({ ...whole, changes: changed, chain: only }, state.extent);
    const moved = settle(extent);
    placeText(target, extent);
    return moved;
  }
  const spool = changed.length === 0 ? null : openSpool(target, spools.rows, pending.extent);
  spool?.append(textFormat(target).rows(changed, countRows(state) === 0));
  const added = spool?.extent() ?? pending.extent;
  spool?.close();
  const end = textFormat(target).end(countRows(state) + changed.length === 0);
  const extent = appendText({ target, spool: spools.rows, end }, state.extent, added);
  return { extent, counts, versions };
}

/** Reads the current version of each changed row, and the ids of changed and vanished rows. */
function readChanges(path: string, { length }: Extent) {
  const found = new Map<string, Row | null>();
  for (const lines of length === 0 ? [] : readLines(path, length)) {
    for (const line of lines) {
      const { chain, id, row } = JSON.parse(line) as { chain: string; id: string; row: Row | null };
      found.delete(rowKey(chain, id));
      found.set(rowKey(chain, id), row);
    }
  }
  return { changed: [...found.values()].filter((row) => row !== null), ids: found.keys() };
}

/** Counts the versions of rows before the last one. */
async function countSurplus(target: Target, { chains }: Pick<DroppedRows, "chains">, only: string) {
  const surplus = new Map<string, number>();
  const seen = new Set<string>();
  for await (const keys of readKeys(target, only)) {
    for (const { chain, id } of keys) {
      const key = rowKey(chain, id);
      if (chains.has(chain)) continue;
      if (seen.has(key)) surplus.set(key, (surplus.get(key) ?? 0) + 1);
      seen.add(key);
    }
  }
  return surplus;
}

/** Opens the rows of a run; null if it has none. */
function openLog(target: Target, extent: Extent): OpenRowLog | null {
  if (extent.length === 0) return null;
  const { rows } = spoolPaths(target.path);
  // Rows that were changed since an interrupted run are not read.
  openSpool(target, rows, extent).close();
  return openRowLog(rows, extent.length);
}

/** Yields the rows of a run by folder. */
function* runParts(
  log: OpenRowLog | null,
  changed: readonly Row[],
  folderOf: (row: Row) => string,
): Generator<RunPart, void, undefined> {
  const groups = groupBy(changed, folderOf);
  for (const folder of log?.folders.keys() ?? []) {
    yield { folder, rows: log?.read(folder) ?? [], changed: groups.get(folder) ?? [] };
    groups.delete(folder);
  }
  for (const [folder, some] of groups) yield { folder, rows: [], changed: some };
}
