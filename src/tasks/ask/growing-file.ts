import { createHash } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { isMissing } from "../../base/survey-folder.ts";

/** A file that grows step by step, so that it is known after each what it holds. */
export type GrowingFile = {
  /** Adds a text at its end; when it returns, the disk has it. */
  readonly append: (text: string) => void;
  /** What it holds now. */
  readonly extent: () => Extent;
  readonly close: () => void;
};

/** How much a file holds, and what. */
export type Extent = {
  /** In bytes. */
  readonly length: number;
  /** The SHA-256 of them, in hex. */
  readonly hash: string;
};

/** Nothing. */
export const EMPTY: Extent = { length: 0, hash: createHash("sha256").digest("hex") };

/**
 * Opens a file that is to grow behind what is known of it; whatever it has behind that is cut off.
 *
 * @returns null where it does not begin with what is known.
 */
export function openGrowingFile(path: string, known: Extent): GrowingFile | null {
  const file = openFile(path, known.length === 0);
  if (file === null) return null;
  const hash = createHash("sha256");
  const digest = () => hash.copy().digest("hex");
  let length = 0;
  const chunk = Buffer.alloc(Math.min(known.length, 1 << 20));
  while (length < known.length) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, known.length - length), length);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    length += read;
  }
  if (length < known.length || digest() !== known.hash) {
    closeSync(file);
    return null;
  }
  ftruncateSync(file, length);
  return {
    append: (text) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, length + at);
      fsyncSync(file);
      hash.update(bytes);
      length += bytes.length;
    },
    extent: () => ({ length, hash: digest() }),
    close: () => closeSync(file),
  };
}

/** Null where there is none that should be there. */
function openFile(path: string, isNew: boolean): number | null {
  try {
    return openSync(path, isNew ? "w" : "r+");
  } catch (error) {
    if (isMissing(error) && !isNew) return null;
    throw error;
  }
}

/** Whether there is a file of a name. */
export function isFileThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
