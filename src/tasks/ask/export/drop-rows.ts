import { closeSync, fsyncSync, openSync, statSync, writeSync } from "node:fs";
import type { Format } from "../formats.ts";
import { type Column, type Row, valueAt } from "../rows.ts";
import { readLines } from "./growing-file.ts";

/** Rows of earlier runs to leave out. */
export type DroppedRows = {
  /** The chains without any of their rows. */
  readonly chains: ReadonlySet<string>;
  /** The keys of rows, by `rowKey`. */
  readonly keys: ReadonlySet<string>;
};

/** No rows. */
export const NOTHING: DroppedRows = { chains: new Set(), keys: new Set() };

/** Returns the key of a row: its chain and id. */
export function rowKey(chain: string, id: unknown): string {
  return `${chain} ${String(id)}`;
}

/** Returns whether a row stays. */
export function isKept({ chains, keys }: DroppedRows, chain: string, id: unknown): boolean {
  return !chains.has(chain) && !keys.has(rowKey(chain, id));
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
  }: {
    readonly columns: readonly Column[];
    readonly chainKey: string | null;
    readonly format: string;
    /** Whether a CSV file has one. @default true */
    readonly hasHeader?: boolean;
  },
  only: string,
): Generator<readonly TextRecord[], void, undefined> {
  const size = statSync(path).size;
  if (format === "csv") {
    const at = (name: string | null) => columns.findIndex((column) => column.name === name);
    const [chainAt, idAt] = [at(chainKey), at("id")];
    let open = "";
    let isHead = hasHeader;
    for (const lines of readLines(path, size)) {
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
  for (const lines of readLines(path, size)) {
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
  const append = (text: string) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
  };
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
