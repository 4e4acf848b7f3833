import { closeSync, fsyncSync, openSync, statSync } from "node:fs";
import type { Format } from "../formats.ts";
import { type Column, type Row, valueAt } from "../rows.ts";
import { readLines, writeAll } from "./growing-file.ts";

/** Rows to leave out. */
export type DroppedRows = {
  /** The chains without any of their earlier rows. */
  readonly chains: ReadonlySet<string>;
  /** The keys of rows, by `rowKey`. */
  readonly keys: ReadonlySet<string>;
  /** How many of the first rows with a key are left out. */
  readonly surplus: ReadonlyMap<string, number>;
};

/** Decides which rows stay. */
export type RowFilter = {
  /** Whether all rows stay. */
  readonly isEmpty: boolean;
  /** Returns whether a chain may have rows that do not stay. */
  readonly concernsChain: (chain: string) => boolean;
  /** Returns whether a row, or a version of it, does not stay. */
  readonly concerns: (chain: string, id: unknown) => boolean;
  /** Returns whether a row stays. It is called once for each row, in their order. */
  readonly keeps: (chain: string, id: unknown, age: "earlier" | "new") => boolean;
};

/** Creates a filter of rows. @param onDropped called for each row that does not stay. */
export function createFilter(
  { chains, keys, surplus }: DroppedRows,
  onDropped: (chain: string) => void,
): RowFilter {
  const left = new Map(surplus);
  const concerned = new Set([...keys, ...surplus.keys()].map((key) => key.slice(0, key.indexOf(" "))));
  for (const chain of chains) concerned.add(chain);
  return {
    isEmpty: concerned.size === 0,
    concernsChain: (chain) => concerned.has(chain),
    concerns: (chain, id) => {
      const key = rowKey(chain, id);
      return chains.has(chain) || keys.has(key) || surplus.has(key);
    },
    keeps: (chain, id, age) => {
      if (!concerned.has(chain)) return true;
      const key = rowKey(chain, id);
      const more = left.get(key) ?? 0;
      if (more > 0) left.set(key, more - 1);
      const isDropped = (age === "earlier" && chains.has(chain)) || keys.has(key) || more > 0;
      if (isDropped) onDropped(chain);
      return !isDropped;
    },
  };
}

/** A filter that keeps all rows. */
export const KEEP_ALL: RowFilter = createFilter(
  { chains: new Set(), keys: new Set(), surplus: new Map() },
  () => {},
);

/** Returns the key of a row: its chain and id. */
export function rowKey(chain: string, id: unknown): string {
  return `${chain} ${String(id)}`;
}

/** A row of a text file. */
type TextRecord = { readonly text: string; readonly chain: string; readonly id: string };

/**
 * Reads the rows of a text file as they are written.
 *
 * @param only the chain of rows without a column for it.
 */
export function* readRecords(
  path: string,
  {
    format,
    columns,
    chainKey,
    hasHeader = true,
    length = statSync(path).size,
  }: {
    readonly columns: readonly Column[];
    readonly chainKey: string | null;
    readonly format: string;
    /** Whether a CSV file has one. @default true */
    readonly hasHeader?: boolean;
    /** The length of its known beginning. @default all of it */
    readonly length?: number;
  },
  only: string,
): Generator<readonly TextRecord[], void, undefined> {
  if (format === "csv") {
    const at = (name: string | null) => columns.findIndex((column) => column.name === name);
    const [chainAt, idAt] = [at(chainKey), at("id")];
    let open = "";
    let isHead = hasHeader;
    for (const lines of readLines(path, length)) {
      const found: TextRecord[] = [];
      for (const line of lines) {
        open = open === "" ? line : `${open}\n${line}`;
        // A line end within quotes is a part of a cell.
        if ((open.split('"').length - 1) % 2 === 1) continue;
        const cells = isHead ? [] : readCells(open);
        if (!isHead && open !== "") {
          found.push({ text: open, chain: cells[chainAt] ?? only, id: cells[idAt] ?? "" });
        }
        isHead = false;
        open = "";
      }
      yield found;
    }
    return;
  }
  for (const lines of readLines(path, length)) {
    yield lines.flatMap((line) => {
      const text = line.replace(/^ {2}|,$/g, "");
      if (!text.startsWith("{")) return [];
      const row = JSON.parse(text) as Row;
      const chain = chainKey === null ? only : String(valueAt(row, [chainKey]) ?? only);
      return [{ text, chain, id: String(row["id"]) }];
    });
  }
}

/** Reads the cells of a CSV record. */
export function readCells(record: string): string[] {
  return [...`,${record.replace(/\r$/, "")}`.matchAll(/,(?:"([^"]*(?:""[^"]*)*)"|([^,]*))/g)].map(
    ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

/** A text file that is written again, row by row. */
export type RewrittenFile = {
  readonly write: (records: readonly string[]) => void;
  /** Returns the number of its rows. */
  readonly finish: () => number;
};

/** Creates a text file from rows that are text already. */
export function rewriteFile(path: string, name: string, format: Format): RewrittenFile {
  const file = openSync(path, "w");
  let rows = 0;
  const append = (text: string) => writeAll(file, Buffer.from(text));
  append(format.begin);
  return {
    write: (records) => {
      let text = "";
      for (const record of records) {
        text += name === "json" ? `${rows === 0 ? "" : ","}\n  ${record}` : `${record}\n`;
        rows++;
      }
      append(text);
    },
    finish: () => {
      append(format.end(rows === 0));
      fsyncSync(file);
      closeSync(file);
      return rows;
    },
  };
}
