import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { DISK, TEMPORARY } from "../../base/write-files.ts";
import type { LogBatch, LoggedChain } from "../asked-rows.ts";
import type { Row } from "../rows.ts";
import { explainDisk, type RowSink } from "../sink.ts";
import { LOG_COLUMNS, LOG_FIELDS } from "./columns.ts";
import { takeLock } from "./lock-file.ts";
import {
  type LoggedQuestion,
  type LogState,
  partName,
  readLogState,
  renderLogState,
  requireSameQuestion,
  STATE_NAME,
} from "./log-state.ts";
import { type PartFile, type PartOptions, preparePartFiles, syncFile, syncFolder } from "./part-file.ts";

type LogOptions = PartOptions &
  LoggedQuestion & {
    /** The absolute path of the folder. */
    readonly path: string;
    readonly chainKey: string;
    /** Whether an earlier run may have written rows. */
    readonly continues: boolean;
    /** How many rows a part has, and how many are in memory. @default SIZES */
    readonly sizes?: typeof SIZES;
  };

/** The rows of a part, and those in memory that count only with later ones. */
const SIZES = { part: 100_000, held: 10_000 };

const LOCK_NAME = "_lockflow.lock";

export type LogSink = RowSink<LogBatch> & {
  /** How far the log has its chains. */
  readonly chains: ReadonlyMap<string, LoggedChain>;
};

/**
 * Creates a sink that adds rows to a folder. A part never changes once it has its name. The state names what is committed, so
 * that rows are there with everything that belongs to them or not at all, whatever interrupts a run.
 *
 * @throws UsageError if the folder has another export, or not all of this one, and while another process writes it.
 */
export async function createLog(options: LogOptions): Promise<LogSink> {
  const { path, shownPath, format, chainKey, sizes = SIZES } = options;
  const open = await preparePartFiles({
    ...options,
    fields: [...options.fields, ...LOG_FIELDS],
    columns: [...options.columns, ...LOG_COLUMNS],
  });
  const onDisk = explainDisk(shownPath, "nothing is lost: run it again with --since-last.");
  const { release, columns, ...opened } = onDisk(() => {
    DISK.makeFolder(path);
    const release = takeLock(join(path, LOCK_NAME), shownPath);
    try {
      return { release, ...openState(options) };
    } catch (error) {
      release();
      throw error;
    }
  });
  let { state } = opened;
  let { versions } = state;
  const chains = new Map(state.chains.map((chain) => [chain.chain, chain]));
  let rows = 0;
  /** The part that is open, with rows that count. */
  let part: PartFile | null = null;
  /** The rows of a chain that do not count yet: in memory, and before them those in files. */
  let held = holdRows(null);
  /** Whether the chains are further than in the state. */
  let hasNews = false;
  /** Whether an action was not completed, so that the open part may have a part of a batch. */
  let isBroken = false;
  const openPart = (after: number) => open(join(path, temporaryName(state.parts.length + 1 + after, format)));
  const commit = (files: readonly PartFile[] = part ? [part] : []) => {
    if (files.length === 0 && !hasNews) return;
    part = null;
    hasNews = false;
    state = {
      ...state,
      versions,
      chains: [...chains.values()],
      temporary: files.length,
      // The view needs a part that has them.
      columns: files.length > 0 ? columns : state.columns,
      parts: [...state.parts, ...files.map((file) => ({ size: file.finish() }))],
    };
    // The names of the files are on the disk before the state that names them, and this before they change.
    if (files.length > 0) syncFolder(path);
    const place = join(path, STATE_NAME);
    writeFileSync(`${place}${TEMPORARY}`, renderLogState(state));
    syncFile(`${place}${TEMPORARY}`);
    DISK.rename(`${place}${TEMPORARY}`, place);
    syncFolder(path);
    nameParts(path, state, format);
  };
  const drop = (next: string | null) => {
    for (const file of held.files) DISK.remove(file.path);
    held = holdRows(next);
  };
  const take = (batch: LogBatch) => {
    const { chain, next, block } = batch;
    // A void row makes those void that wait, too.
    if (held.chain !== chain || batch.gone.includes(null)) drop(chain);
    const hold = (row: Row) => {
      // Rows are completed in place, which takes half the time, unless the order of their keys is written.
      const line = format === "ndjson" ? { [chainKey]: chain, ...row } : (row as Record<string, unknown>);
      line[chainKey] = chain;
      line["_version"] = ++versions;
      line["_block"] = block;
      held.rows.push(line);
    };
    for (const id of batch.gone) hold({ id, _version: 0, _block: null, _deleted: true });
    for (const row of batch.rows) hold(row);
    held.count += batch.rows.length;
    const { files } = held;
    if (next === null) {
      if (held.rows.length <= sizes.held) return;
      // The numbers of the files follow those of committed ones.
      if (part) commit();
      if ((files.at(-1)?.rows() ?? sizes.part) >= sizes.part) files.push(openPart(files.length));
      files.at(-1)?.write(held.rows);
      held.rows = [];
      return;
    }
    if (files.length === 0 && held.rows.length > 0) part ??= openPart(0);
    (files.at(-1) ?? part)?.write(held.rows);
    rows += held.count;
    held = holdRows(null);
    chains.set(chain, { chain, ...next });
    hasNews = true;
    if (files.length > 0) commit(files);
    else if (part && part.rows() >= sizes.part) commit();
  };
  const attempt = (action: () => void) => {
    isBroken = true;
    onDisk(action);
    isBroken = false;
  };
  return {
    chains,
    rows: () => rows,
    hasRows: () => versions > 0,
    take: async (batch) => {
      attempt(() => take(batch));
      return true;
    },
    finish: async () => {
      try {
        attempt(() => {
          drop(null);
          if (Object.keys(state.columns).length < Object.keys(columns).length) part ??= openPart(0);
          commit();
        });
      } finally {
        release();
      }
    },
    stop: () => {
      try {
        drop(null);
        if (!isBroken) commit();
        else if (part) DISK.remove(part.path);
      } catch {
        // The next run requests the rows again.
      } finally {
        release();
      }
    },
  };
}

/** Gives committed parts their names. */
function nameParts(folder: string, { parts, temporary }: LogState, format: string): void {
  if (temporary === 0) return;
  for (let number = parts.length - temporary + 1; number <= parts.length; number++) {
    const name = join(folder, partName(number, format));
    // Naming never replaces a file.
    if (!existsSync(name)) DISK.rename(join(folder, temporaryName(number, format)), name);
  }
  syncFolder(folder);
}

function temporaryName(number: number, format: string): string {
  return `_${partName(number, format)}${TEMPORARY}`;
}

/** The rows of a chain that do not count yet. */
function holdRows(chain: string | null) {
  return { chain, count: 0, rows: [] as Row[], files: [] as PartFile[] };
}

/** The names of parts, and of files that a killed run leaves. */
const PART = /^part-(\d{6,})\.\w+$/;
const LEFT = /^_(part-\d{6,}\.\w+\.lockflow-tmp|lockflow\.(json\.lockflow-tmp|lock-\d+))$/;
/** The files and folders of exports of earlier versions. */
const FORMER = /^(part-\d{4,5}\.|(chain|year|month|day)=)/;

/** Reads the state of a log, finishes what an interrupted run has begun, and removes what it has not committed. */
function openState(options: LogOptions): Pick<LogState, "columns"> & { readonly state: LogState } {
  const { path, shownPath, format, continues, question } = options;
  const refuse = (problem: string, hint = "restore the folder, or name another one."): never => {
    throw new UsageError({ sentence: `${shownPath} ${problem}.`, hint });
  };
  const names = readdirSync(path).sort();
  const isFormer = existsSync(`${path}.lockflow.json`) || names.some((name) => FORMER.test(name));
  if (isFormer) refuse("has an export of an earlier version of Lockflow", "name another folder.");
  const written = readLogState(path, shownPath);
  const other = names.find((name) => !LEFT.test(name) && name !== LOCK_NAME);
  if (!continues && other !== undefined)
    refuse(`is not empty: it has ${other}`, "add --since-last to add to it, or name another folder.");
  if (written === null && names.some((name) => PART.test(name)))
    refuse(`has files of an export, but no ${STATE_NAME}`, "restore it, or name another folder.");
  const none = { columns: {}, parts: [], temporary: 0, versions: 0, chains: [] };
  const state: LogState = written ?? { lockflow: 2, question, ...none };
  const columns = requireSameQuestion(state, options);
  const { parts, temporary } = state;
  const above = names.find((name) => Number(PART.exec(name)?.[1] ?? 0) > parts.length);
  if (above !== undefined) refuse(`has ${above}, which its ${STATE_NAME} does not name`);
  for (const [index, { size }] of parts.entries()) {
    const name = partName(index + 1, format);
    const isUnnamed = index >= parts.length - temporary && !names.includes(name);
    const file = join(path, isUnnamed ? temporaryName(index + 1, format) : name);
    const bytes = statSync(file, { throwIfNoEntry: false })?.size;
    const reason = bytes === undefined ? "is missing" : `has ${bytes} bytes instead of ${size}`;
    if (bytes !== size) refuse(`is not complete: ${name} ${reason}`);
  }
  nameParts(path, state, format);
  for (const name of readdirSync(path)) if (LEFT.test(name)) DISK.remove(join(path, name));
  return { state, columns };
}
