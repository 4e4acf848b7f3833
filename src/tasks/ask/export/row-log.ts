import { deserialize, serialize } from "node:v8";
import { groupBy } from "../../../base/collections.ts";
import type { Row } from "../rows.ts";
import type { Extent } from "./export-state.ts";
import { type GrowingFile, openReader } from "./growing-file.ts";
import type { ParquetGroup } from "./parquet-group.ts";

/** Takes the rows of a run until they are moved to their place. */
export type RowSpool = {
  /** @param wide the columns with values so far that do not fit the type of their kind. */
  readonly take: (rows: readonly Row[], wide: readonly string[]) => void;
  /** Whether enough rows wait to be saved. */
  readonly isDue: () => boolean;
  /** Writes all rows to the disk, and returns the extent of the file that has them. */
  readonly save: () => Extent;
  readonly close: () => void;
};

/** How many rows are handled at once. */
export type LogSizes = {
  /** The rows of a row group. Larger groups take more memory and time, and make files of the same size. */
  readonly group: number;
  /** The rows that an interrupted process may lose, so that they are requested again. */
  readonly unsaved: number;
  /** The rows in memory. */
  readonly waiting: number;
};

export const LOG_SIZES: LogSizes = { group: 5_000, unsaved: 10_000, waiting: 10_000 };

/** How rows are logged. */
type LogOptions = {
  /** The path of the log. */
  readonly path: string;
  /** Returns the folder that a row belongs to. */
  readonly folderOf: (row: Row) => string;
  /** Encodes the rows of a row group; null if rows stay text. */
  readonly encode: ((rows: readonly Row[], wide: readonly string[]) => ParquetGroup) | null;
  readonly sizes: LogSizes;
};

/** The rows of a folder that are in memory. */
type Waiting = {
  rows: Row[];
  /** How many of them are saved as text. */
  saved: number;
  /** Whether all rows from now on stay text until the run ends, because too many rows were in memory. */
  isText: boolean;
};

/**
 * Creates a log of rows by folder, which is a file of segments: row groups as soon as a folder has enough rows, and other
 * rows as text. A row group replaces the text of its rows.
 */
export function createRowLog(file: GrowingFile, { path, folderOf, encode, sizes }: LogOptions): RowSpool {
  // The folders in the order of their last rows.
  const folders = resumeLog(path, file.extent().length, { encode, sizes });
  let waiting = [...folders.values()].reduce((sum, { rows }) => sum + rows.length, 0);
  let unsaved = 0;
  let hasGroup = false;
  const takeGroup = (folder: string, one: Waiting, wide: readonly string[]) => {
    if (encode === null) return;
    const { bytes, ...group } = encode(one.rows, wide);
    file.append(segment({ folder, group }, bytes));
    hasGroup = true;
    waiting -= one.rows.length;
    unsaved -= one.rows.length - one.saved;
    one.rows = [];
    one.saved = 0;
  };
  const drop = (one: Waiting) => {
    waiting -= one.rows.length;
    one.rows = [];
    one.saved = 0;
  };
  return {
    take: (rows, wide) => {
      for (const [folder, some] of groupBy(rows, folderOf)) {
        const one = folders.get(folder) ?? { rows: [], saved: 0, isText: encode === null };
        folders.delete(folder);
        folders.set(folder, one);
        for (const row of some) {
          one.rows.push(row);
          waiting++;
          unsaved++;
          if (!one.isText && one.rows.length === sizes.group) takeGroup(folder, one, wide);
        }
      }
    },
    isDue: () => hasGroup || unsaved >= sizes.unsaved,
    save: () => {
      const texts: Buffer[] = [];
      const blocks: TextBlock[] = [];
      for (const [folder, one] of folders) {
        if (one.rows.length > one.saved) {
          const text = Buffer.from(renderLines(one.rows, one.saved));
          blocks.push({ folder, length: text.byteLength });
          texts.push(text);
          one.saved = one.rows.length;
        }
        if (one.isText) drop(one);
      }
      if (texts.length > 0) file.append(segment({ blocks }, Buffer.concat(texts)));
      unsaved = 0;
      hasGroup = false;
      for (const one of waiting > sizes.waiting ? folders.values() : []) {
        if (waiting <= sizes.waiting / 2) break;
        if (one.rows.length > 0) one.isText = true;
        drop(one);
      }
      return file.extent();
    },
    close: () => file.close(),
  };
}

/** Reads the rows back that an interrupted run has saved as text, unless they are too many. */
function resumeLog(path: string, length: number, { encode, sizes }: Pick<LogOptions, "encode" | "sizes">) {
  const folders = new Map<string, Waiting>();
  if (length === 0) return folders;
  const log = openRowLog(path, length);
  let waiting = 0;
  for (const [folder, { texts }] of log.folders) {
    const one: Waiting = { rows: [], saved: 0, isText: encode === null };
    folders.set(folder, one);
    for (const block of one.isText ? [] : texts) {
      one.rows.push(...log.readText(block));
      if (waiting + one.rows.length <= sizes.waiting && one.rows.length < sizes.group) continue;
      one.rows = [];
      one.isText = true;
      break;
    }
    one.saved = one.rows.length;
    waiting += one.saved;
  }
  log.close();
  return folders;
}

function renderLines(rows: readonly Row[], start: number): string {
  let text = "";
  for (let at = start; at < rows.length; at++) text += `${JSON.stringify(rows[at])}\n`;
  return text;
}

/** The rows of a folder in a segment with text. */
type TextBlock = { readonly folder: string; readonly length: number };

/** The header of a segment. */
type SegmentHead =
  | { readonly folder: string; readonly group: Omit<ParquetGroup, "bytes"> }
  | { readonly blocks: readonly TextBlock[] };

/** Each segment begins with the lengths of its head and of its bytes. */
const LENGTHS = 8;

function segment(head: SegmentHead, bytes: Uint8Array): Uint8Array {
  const rendered = serialize(head);
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32LE(rendered.byteLength, 0);
  lengths.writeUInt32LE(bytes.byteLength, 4);
  return Buffer.concat([lengths, rendered, bytes]);
}

/** A place in a log. */
type Place = { readonly at: number; readonly length: number };

/** The rows of a folder in a log: row groups, and then text. */
type LoggedFolder = { readonly groups: Place[]; texts: Place[] };

/** A log that is read. */
export type OpenRowLog = {
  /** The folders in the order of their first rows. */
  readonly folders: ReadonlyMap<string, LoggedFolder>;
  readonly readText: (place: Place) => readonly Row[];
  /** Reads the rows of a folder, some at a time. */
  readonly read: (folder: string) => Generator<readonly Row[] | ParquetGroup, void, undefined>;
  readonly close: () => void;
};

/** Opens the beginning of a log. */
export function openRowLog(path: string, length: number): OpenRowLog {
  const { read, close } = openReader(path);
  const folders = new Map<string, LoggedFolder>();
  const folderOf = (folder: string): LoggedFolder => {
    const found = folders.get(folder) ?? { groups: [], texts: [] };
    folders.set(folder, found);
    return found;
  };
  const readHead = (at: number) => {
    const lengths = read(at, LENGTHS);
    const headLength = lengths.readUInt32LE(0);
    const start = at + LENGTHS + headLength;
    const head = deserialize(read(at + LENGTHS, headLength)) as SegmentHead;
    return { head, start, end: start + lengths.readUInt32LE(4) };
  };
  for (let at = 0; at < length; ) {
    const { head, start, end } = readHead(at);
    if ("group" in head) {
      const found = folderOf(head.folder);
      found.groups.push({ at, length: end - at });
      // The group has these rows.
      found.texts = [];
    } else {
      let next = start;
      for (const block of head.blocks) {
        folderOf(block.folder).texts.push({ at: next, length: block.length });
        next += block.length;
      }
    }
    at = end;
  }
  const readText = (place: Place) =>
    read(place.at, place.length)
      .toString("utf8", 0, place.length - 1)
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
  return {
    folders,
    readText,
    read: function* (folder) {
      const { groups, texts } = folderOf(folder);
      for (const { at } of groups) {
        const { head, start, end } = readHead(at);
        if ("group" in head) yield { ...head.group, bytes: read(start, end - start) };
      }
      for (const place of texts) yield readText(place);
    },
    close,
  };
}
