import { closeSync, existsSync, fsyncSync, openSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { DISK, TEMPORARY } from "../../base/write-files.ts";
import type { LogBatch, LoggedChain } from "../asked-rows.ts";
import type { Row } from "../rows.ts";
import { explainDisk, type RowSink } from "../sink.ts";
import { takeLock } from "./lock-file.ts";
import { LOG_FIELDS } from "./log-columns.ts";
import {
  type LogState,
  partName,
  readLogState,
  renderLogState,
  requireSameQuestion,
  STATE_NAME,
} from "./log-state.ts";
import { type PartFile, type PartOptions, preparePartFiles, syncFolder } from "./part-file.ts";

/** The options of `createLog`. */
export type LogOptions = PartOptions &
  Pick<LogState, "question"> & {
    /** The types of the columns of the selection, by `describeColumns`. */
    readonly types: LogState["columns"];
    /** The absolute path of the folder. */
    readonly path: string;
    /** The path in errors. */
    readonly shownPath: string;
    /** The column of the chain. */
    readonly chainKey: string;
    /** Whether an earlier run may have written rows. */
    readonly continues: boolean;
    /** How many rows a part has, and how many are in memory. @default SIZES */
    readonly sizes?: typeof SIZES;
  };

/** The rows of a part, and those in memory that count only with later ones. */
const SIZES = { part: 100_000, held: 10_000 };

/** A sink for a log. */
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
  const { path, shownPath } = options;
  const open = await preparePartFiles({
    ...options,
    fields: [...options.fields, ...LOG_FIELDS],
    columns: [...options.columns, ...LOG_FIELDS.map(({ name, kind }) => ({ name, kind, path: [name] }))],
  });
  const onDisk = <T>(action: () => T): T => {
    try {
      return action();
    } catch (cause) {
      throw explainDisk(shownPath, cause, "nothing is lost: run it again with --since-last.");
    }
  };
  const release = onDisk(() => {
    DISK.makeFolder(path);
    return takeLock(join(path, "_lockflow.lock"), shownPath);
  });
  try {
    const { state, columns } = onDisk(() => openState(options));
    return createSink(state, { ...options, allColumns: columns, open, release, onDisk });
  } catch (error) {
    release();
    throw error;
  }
}

function createSink(
  initial: LogState,
  {
    path,
    format,
    chainKey,
    allColumns,
    sizes = SIZES,
    open,
    release,
    onDisk,
  }: LogOptions & {
    /** The columns of all runs, with this one. */
    readonly allColumns: LogState["columns"];
    readonly open: (path: string) => PartFile;
    readonly release: () => void;
    readonly onDisk: <T>(action: () => T) => T;
  },
): LogSink {
  let state = initial;
  let { versions } = state;
  const chains = new Map(state.chains);
  let rows = 0;
  /** The part that is open, with rows that count. */
  let part: PartFile | null = null;
  /** The rows of a chain that do not count yet: in memory, and before them those in files. */
  let held: { readonly chain: string; count: number; rows: Row[]; readonly files: PartFile[] } | null = null;
  let hasFailed = false;
  const openPart = (after: number) => open(join(path, temporaryName(state.parts.length + 1 + after, format)));
  const commit = (files: readonly PartFile[]) => {
    part = null;
    const sizesOfFiles = files.map((file) => file.finish());
    const next = {
      ...state,
      ...{ versions, chains: new Map(chains), temporary: files.length },
      // The view needs a part that has them.
      columns: files.length > 0 ? allColumns : state.columns,
      parts: [...state.parts, ...sizesOfFiles],
    };
    const text = renderLogState(next);
    if (files.length === 0 && text === renderLogState({ ...state, versions, temporary: 0 })) return;
    // The names of the files are on the disk before the state that names them, and this before they change.
    if (files.length > 0) syncFolder(path);
    writeState(path, text);
    state = next;
    nameParts(path, state, format);
  };
  const drop = () => {
    for (const file of held?.files ?? []) DISK.remove(file.path);
    held = null;
  };
  const hold = (chain: string, lines: readonly Row[]) => {
    held ??= { chain, count: 0, rows: [], files: [] };
    for (const line of lines) held.rows.push(line);
    if (held.rows.length <= sizes.held) return;
    // The numbers of the files follow those of committed ones.
    if (part) commit([part]);
    let file = held.files.at(-1);
    if (file === undefined || file.rows() >= sizes.part) {
      file = openPart(held.files.length);
      held.files.push(file);
    }
    file.write(held.rows);
    held.rows = [];
  };
  const write = (lines: readonly Row[]) => {
    if (lines.length === 0) return;
    part ??= openPart(0);
    part.write(lines);
  };
  const take = (batch: LogBatch) => {
    const { chain, next } = batch;
    if (held && (held.chain !== chain || batch.isVoid)) drop();
    const lines = linesOf(batch);
    if (next === null) {
      hold(chain, lines);
      if (held) held.count += batch.rows.length;
      return;
    }
    rows += (held?.count ?? 0) + batch.rows.length;
    if (held && held.files.length > 0) {
      held.files.at(-1)?.write([...held.rows, ...lines]);
      chains.set(chain, next);
      const { files } = held;
      held = null;
      return commit(files);
    }
    write(held?.rows ?? []);
    held = null;
    write(lines);
    chains.set(chain, next);
    if (part && part.rows() >= sizes.part) commit([part]);
  };
  /** Adds the chain and the columns of the log to the rows of a batch. */
  const linesOf = ({ chain, rows: some, gone, block, isVoid }: LogBatch): readonly Row[] => {
    const mark = (id: unknown): Row => ({
      ...{ [chainKey]: chain, id, _version: ++versions },
      ...{ _block: block, _deleted: true },
    });
    const voided = isVoid ? [mark(null)] : [];
    // Rows are completed in place, which takes half the time, unless the order of their keys is written.
    const lines = some.map((row) => {
      const own = format === "ndjson" ? { [chainKey]: chain, ...row } : (row as Record<string, unknown>);
      own[chainKey] = chain;
      own["_version"] = ++versions;
      own["_block"] = block;
      return own;
    });
    return [...voided, ...lines, ...gone.map(mark)];
  };
  const attempt = (action: () => void) => {
    try {
      onDisk(action);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  return {
    chains: new Map(state.chains),
    rows: () => rows,
    hasRows: () => versions > 0,
    take: async (batch) => {
      attempt(() => take(batch));
      return true;
    },
    finish: async () => {
      try {
        attempt(() => {
          drop();
          if (Object.keys(state.columns).length < Object.keys(allColumns).length) part ??= openPart(0);
          commit(part ? [part] : []);
        });
      } finally {
        release();
      }
    },
    stop: () => {
      try {
        drop();
        // After a failure, the open part may have a part of a batch.
        if (hasFailed && part) DISK.remove(part.path);
        else if (!hasFailed) commit(part ? [part] : []);
      } catch {
        // The next run requests the rows again.
      } finally {
        release();
      }
    },
  };
}

/** Writes the state beside its place, and then takes the place: this is the commit. */
function writeState(folder: string, text: string): void {
  const place = join(folder, STATE_NAME);
  const file = openSync(`${place}${TEMPORARY}`, "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  DISK.rename(`${place}${TEMPORARY}`, place);
  syncFolder(folder);
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

/** The names of parts, of rows that were not committed, and of other files that a killed run leaves. */
const PART = /^part-(\d{6,})\.\w+$/;
const LEFT = /^_part-(\d{6,})\.\w+\.lockflow-tmp$/;
const LEFT_BESIDE = /^_lockflow\.(json\.lockflow-tmp|lock-\d+)$/;
/** The files and folders of exports of earlier versions. */
const FORMER = /^(part-\d{4,5}\.|(chain|year|month|day)=)/;

/** Reads the state of a log, finishes what an interrupted run has begun, and removes what it has not committed. */
function openState(options: LogOptions): Pick<LogState, "columns"> & { readonly state: LogState } {
  const { path, shownPath, format, continues, question, types } = options;
  const refuse = (sentence: string, hint: string): never => {
    throw new UsageError({ sentence, hint });
  };
  const names = readdirSync(path).sort();
  const former = existsSync(`${path}.lockflow.json`) || names.some((name) => FORMER.test(name));
  if (former) refuse(`${shownPath} has an export of an earlier version of Lockflow.`, "name another folder.");
  const state = readLogState(path, shownPath);
  if (state === null || !continues) {
    const isOwn = (name: string) => LEFT.test(name) || LEFT_BESIDE.test(name) || name === "_lockflow.lock";
    const other = names.find((name) => !isOwn(name));
    if (continues && names.some((name) => PART.test(name)))
      refuse(
        `${shownPath} has files of an export, but no ${STATE_NAME}.`,
        "restore it, or name another folder.",
      );
    if (!continues && other !== undefined)
      refuse(
        `${shownPath} is not empty: it has ${other}.`,
        "add --since-last to add to it, or name another folder.",
      );
  }
  const columns = state && requireSameQuestion(state, { question, columns: types }, shownPath);
  const count = state?.parts.length ?? 0;
  const above = names.find((name) => Number(PART.exec(name)?.[1] ?? 0) > count);
  if (above !== undefined)
    refuse(
      `${shownPath} has ${above}, which its ${STATE_NAME} does not name.`,
      "restore the folder, or name another one.",
    );
  for (const [index, size] of state?.parts.entries() ?? []) {
    const named = partName(index + 1, format);
    const isUnnamed = index >= count - (state?.temporary ?? 0) && !names.includes(named);
    const found = statSync(join(path, isUnnamed ? temporaryName(index + 1, format) : named), {
      throwIfNoEntry: false,
    });
    if (found?.size === size) continue;
    const reason = found === undefined ? "is missing" : `has ${found.size} bytes instead of ${size}`;
    refuse(`${shownPath} is not complete: ${named} ${reason}.`, "restore the folder, or name another one.");
  }
  if (state) nameParts(path, state, format);
  for (const name of names) {
    const number = LEFT.exec(name)?.[1];
    if (LEFT_BESIDE.test(name) || (number !== undefined && Number(number) > count)) {
      DISK.remove(join(path, name));
    }
  }
  const empty = { question, columns: {}, parts: [], temporary: 0, versions: 0, chains: new Map() };
  return { state: state ?? empty, columns: columns ?? types };
}
