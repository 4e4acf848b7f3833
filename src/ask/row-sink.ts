import { basename, dirname } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { writeFiles } from "../base/disk/write-files.ts";
import type { AskedRows } from "./ask-chains.ts";
import type { Format } from "./formats/format.ts";
import { type ChainState, refuseUnfinished, resumePath } from "./resume-state.ts";

/** Takes rows as they come. */
export type RowSink = {
  /** What it holds of chains from an earlier run. */
  readonly chains: ReadonlyMap<string, ChainState>;
  /** How many rows it has taken, in earlier runs too. */
  readonly rows: () => number;
  /** False where nobody takes any more. */
  readonly take: (asked: AskedRows) => Promise<boolean>;
  /**
   * Ends what was taken. Where nothing was, not even that there is nothing, nothing is written.
   *
   * @param isComplete whether all that was asked for was taken.
   */
  readonly finish: (isComplete: boolean) => Promise<void>;
  /** Leaves it as it is. */
  readonly stop: () => void;
};

/**
 * Creates what writes rows as they come.
 *
 * @param write false where nobody reads any more.
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
 * Creates what puts a file in the place of another once it has all rows.
 *
 * @param path absolute.
 * @param shownPath what errors call it.
 */
export async function createFileSink(path: string, shownPath: string, format: Format): Promise<RowSink> {
  if ((await readText(resumePath(path))) !== null) return refuseUnfinished(shownPath);
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
      if (isBegun) await writeFiles(dirname(path), [{ path: basename(path), content: texts.join("") }]);
    },
  };
}
