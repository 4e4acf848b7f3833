import { createHash } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { isMissing } from "../../../base/read-files.ts";
import type { Extent } from "./export-state.ts";

/** A file that grows step by step, with a known hash after each. */
export type GrowingFile = {
  /** Appends a text or bytes. When it returns, they are on the disk. */
  readonly append: (content: string | Uint8Array) => void;
  readonly extent: () => Extent;
  readonly close: () => void;
};

/** The extent of an empty file. */
export const EMPTY: Extent = { length: 0, hash: createHash("sha256").digest("hex") };

/** Opens a file to append after a known beginning, and cuts off the rest; null if it does not begin like that. */
export function openGrowingFile(path: string, known: Extent): GrowingFile | null {
  const file = openFile(path, known.length === 0);
  if (file === null) return null;
  const hash = createHash("sha256");
  const digest = () => hash.copy().digest("hex");
  let length = 0;
  for (const chunk of readChunks(file, known.length)) {
    hash.update(chunk);
    length += chunk.length;
  }
  if (length < known.length || digest() !== known.hash) {
    closeSync(file);
    return null;
  }
  ftruncateSync(file, length);
  return {
    append: (content) => {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      writeAll(file, bytes, length);
      fsyncSync(file);
      hash.update(bytes);
      length += bytes.length;
    },
    extent: () => ({ length, hash: digest() }),
    close: () => closeSync(file),
  };
}

/** Writes all bytes to a file. @param start where they begin; null for the current position. */
export function writeAll(file: number, bytes: Uint8Array, start: number | null = null): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(file, bytes, at, bytes.length - at, start === null ? null : start + at);
  }
}

/** Returns once a written file is on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Reads the beginning of a file, a megabyte at a time. The chunks share their memory. */
export function* readChunks(file: number, length: number): Generator<Buffer, void, undefined> {
  const chunk = Buffer.alloc(Math.min(length, 1 << 20));
  for (let at = 0; at < length; ) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, length - at), at);
    if (read === 0) return;
    yield chunk.subarray(0, read);
    at += read;
  }
}

/** Opens a file to read parts of it. `read` throws if the file is too short. */
export function openReader(path: string) {
  const file = openSync(path, "r");
  return {
    read: (at: number, length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const read = readSync(file, bytes, done, length - done, at + done);
        if (read === 0) throw new RangeError(`${path} ends at ${at + done}.`);
        done += read;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}

/** Reads the lines of the beginning of a file, some at a time. */
export function* readLines(path: string, length: number): Generator<readonly string[], void, undefined> {
  const file = openSync(path, "r");
  try {
    let chunk = Buffer.allocUnsafe(Math.min(length, 1 << 20));
    for (let at = 0; at < length; ) {
      const read = readSync(file, chunk, 0, Math.min(chunk.length, length - at), at);
      if (read === 0) return;
      const end = at + read === length ? read : chunk.lastIndexOf(10, read - 1);
      if (end < 0) {
        // A line is longer than the chunk.
        chunk = Buffer.allocUnsafe(chunk.length * 2);
        continue;
      }
      const isEnd = chunk[end - 1] === 10 && end === read;
      yield chunk.toString("utf8", 0, isEnd ? end - 1 : end).split("\n");
      at += end === read ? read : end + 1;
    }
  } finally {
    closeSync(file);
  }
}

/** Opens a file; null if it is missing and should exist. */
function openFile(path: string, isNew: boolean): number | null {
  try {
    return openSync(path, isNew ? "w+" : "r+");
  } catch (error) {
    if (isMissing(error) && !isNew) return null;
    throw error;
  }
}
