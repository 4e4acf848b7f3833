import { dirname } from "node:path";
import { UsageError } from "../base/errors.ts";
import { DISK, TEMPORARY, unwritable } from "../base/write-files.ts";
import { findMisfit } from "./export/columns.ts";
import { takeLock } from "./export/lock-file.ts";
import { type PartOptions, preparePartFiles } from "./export/part-file.ts";
import type { Format } from "./formats.ts";
import type { Row } from "./rows.ts";

/** Receives rows as they arrive. */
export type RowSink<T> = {
  /** The number of rows of this run. */
  readonly rows: () => number;
  /** Whether there are rows, of this run or of earlier ones. */
  readonly hasRows: () => boolean;
  /** Takes rows; resolves to false if the reader has stopped reading. */
  readonly take: (batch: T) => Promise<boolean>;
  /** Finishes the output. Writes nothing if no batch ever arrived. */
  readonly finish: () => Promise<void>;
  /** Stops without finishing the output. */
  readonly stop: () => void;
};

type Batch = { readonly rows: readonly Row[] };

/**
 * Creates a sink that writes rows as they arrive.
 *
 * @param write resolves to false if the reader has stopped reading.
 */
export function createStreamSink(format: Format, write: (text: string) => Promise<boolean>): RowSink<Batch> {
  let rows = 0;
  let isBegun = false;
  return {
    rows: () => rows,
    hasRows: () => rows > 0,
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
 * Creates a sink that replaces a file once it has all rows. Until then, they are beside it.
 *
 * @param path absolute.
 * @param shownPath the path in errors.
 */
export async function createFileSink(
  path: string,
  shownPath: string,
  options: PartOptions,
): Promise<RowSink<Batch>> {
  const open = await preparePartFiles(options);
  const onDisk = explainDisk(shownPath, "name another place.");
  const release = onDisk(() => {
    DISK.makeFolder(dirname(path));
    return takeLock(`${path}.lockflow.lock`, shownPath);
  });
  const temporary = `${path}${TEMPORARY}`;
  let file: ReturnType<typeof open> | null = null;
  let rows = 0;
  const stop = () => {
    try {
      DISK.remove(temporary);
    } finally {
      release();
    }
  };
  return {
    rows: () => rows,
    hasRows: () => rows > 0,
    take: async ({ rows: some }) => {
      rows += some.length;
      const misfit = options.format === "parquet" ? findMisfit(some, options.fields) : null;
      if (misfit !== null) {
        throw new UsageError({
          sentence: `A value of ${misfit} does not fit the type of its column in Parquet.`,
          hint: "add --format ndjson, or omit the field.",
        });
      }
      onDisk(() => {
        file ??= open(temporary);
        file.write(some);
      });
      return true;
    },
    finish: async () => {
      try {
        onDisk(() => {
          file?.finish();
          if (file) DISK.rename(temporary, path);
        });
      } finally {
        stop();
      }
    },
    stop,
  };
}

/** Returns a function that calls another one, and explains failures of the disk. */
export function explainDisk(shownPath: string, hint: string): <T>(action: () => T) => T {
  return (action) => {
    try {
      return action();
    } catch (cause) {
      const isOfDisk = cause instanceof Error && "syscall" in cause;
      throw isOfDisk ? unwritable(shownPath, cause as NodeJS.ErrnoException, hint) : cause;
    }
  };
}
