import { basename, dirname } from "node:path";
import { readText } from "../../base/read-files.ts";
import { DISK, writeFiles } from "../../base/write-files.ts";
import type { AskedRows } from "./asked-rows.ts";
import { findWide } from "./export/column-types.ts";
import { KEEP_ALL } from "./export/drop-rows.ts";
import {
  type ChainState,
  isUnfinished,
  parseState,
  refuseUnfinished,
  statePath,
} from "./export/export-state.ts";
import { divideRows, type Target, writeParts } from "./export/write-parts.ts";
import type { Format } from "./formats.ts";
import type { Row } from "./rows.ts";

/** Receives rows as they arrive. */
export type RowSink = {
  /** The progress of chains in an earlier run. */
  readonly chains: ReadonlyMap<string, ChainState>;
  /** Whether only new and changed rows are wanted. @default false */
  readonly renews?: boolean;
  /** The number of rows, including earlier runs. */
  readonly rows: () => number;
  /** Takes rows; resolves to false if the reader has stopped reading. */
  readonly take: (asked: AskedRows) => Promise<boolean>;
  /**
   * Finishes the output. Writes nothing if no batch ever arrived.
   *
   * @param isComplete whether every chain returned all rows.
   */
  readonly finish: (isComplete: boolean) => Promise<void>;
  /** Stops without finishing the output. */
  readonly stop: () => void;
};

/**
 * Creates a sink that writes rows as they arrive.
 *
 * @param write resolves to false if the reader has stopped reading.
 */
export function createStreamSink(format: Format, write: (text: string) => Promise<boolean>): RowSink {
  let rows = 0;
  let isBegun = false;
  return {
    chains: new Map(),
    rows: () => rows,
    take: async (asked) => {
      const text = (isBegun ? "" : format.begin) + format.rows(asked.rows, rows === 0);
      isBegun = true;
      rows += asked.rows.length;
      return text === "" || write(text);
    },
    finish: async () => {
      const end = format.end(rows === 0);
      if (isBegun && end !== "") await write(end);
    },
    stop: () => {},
  };
}

/**
 * Creates a sink that replaces a file once it has all rows.
 *
 * @param path absolute.
 * @param shownPath the path in errors.
 */
export async function createFileSink(path: string, shownPath: string, format: Format): Promise<RowSink> {
  await requireFinished(path, shownPath);
  const texts: string[] = [];
  const sink = createStreamSink(format, async (text) => {
    texts.push(text);
    return true;
  });
  let isBegun = false;
  return {
    ...sink,
    take: (asked) => {
      isBegun = true;
      return sink.take(asked);
    },
    finish: async (isComplete) => {
      await sink.finish(isComplete);
      if (!isBegun) return;
      await writeFiles(dirname(path), [{ path: basename(path), content: texts.join("") }]);
      // The file is not the export any more that the state describes.
      DISK.remove(statePath(path));
    },
  };
}

/** Creates a sink that replaces a Parquet file once it has all rows. */
export async function createParquetSink(target: Target): Promise<RowSink> {
  const { path, shownPath, fields } = target;
  await requireFinished(path, shownPath);
  const all: (readonly Row[])[] = [];
  const wide = new Set<string>();
  let count = 0;
  return {
    chains: new Map(),
    rows: () => count,
    take: async ({ rows }) => {
      all.push(rows);
      count += rows.length;
      findWide(rows, fields, wide);
      return true;
    },
    finish: async () => {
      if (all.length === 0) return;
      const parts = divideRows(target, all.flat(), "");
      await writeParts(target, { run: 1, wide: [...wide].sort(), parts, chain: "", filter: KEEP_ALL });
      DISK.remove(statePath(path));
    },
    stop: () => {},
  };
}

/** @throws UsageError if a file is an unfinished export. */
async function requireFinished(path: string, shownPath: string): Promise<void> {
  const state = await readText(statePath(path));
  if (state !== null && isUnfinished(parseState(state, statePath(shownPath)))) refuseUnfinished(shownPath);
}
