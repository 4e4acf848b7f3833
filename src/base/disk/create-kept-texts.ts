import { statSync } from "node:fs";
import { join, sep } from "node:path";
import { compareCodeUnits } from "../compare-code-units.ts";
import { FileError } from "../errors/file-error.ts";
import { readText, readTree } from "./read-tree.ts";
import type { TextSource } from "./text-source.ts";

/** The texts of some folders and files as they were at the last look. */
export type KeptTexts = TextSource & {
  /**
   * Looks what is there, and reads what is new or has changed.
   *
   * @returns the absolute paths of all that has another text than at the last look, was added or is gone, in
   *   code-unit order.
   */
  readonly look: (places: WatchedPlaces) => Promise<readonly string[]>;
};

/** Absolute paths. */
export type WatchedPlaces = {
  readonly folders: readonly { readonly path: string; readonly extensions: readonly string[] }[];
  readonly files: readonly string[];
};

type Kept = {
  /** What the file system says of the file, as long as which it is not read again. */
  readonly stamp: string;
  /** Null when there is no such file. */
  readonly text: string | FileError | null;
};

/** Milliseconds a file's time may stand still over several writes: two seconds on the coarsest file system. */
const COARSEST_TIME = 2500;

/**
 * Creates texts that are read from disk only when the file system says that a file has changed, and then answers from
 * memory. Changes are found by looking and not by being told. What Node is told (`fs.watch`) loses a file for good
 * once an editor has saved it by renaming another over it, and hears nothing of network drives and mounted folders;
 * a look at the hundred files of a project takes two milliseconds anywhere.
 */
export function createKeptTexts(): KeptTexts {
  let kept = new Map<string, Kept>();
  let failed = new Map<string, FileError>();
  return {
    look: async ({ folders, files }) => {
      const failures = new Map<string, FileError>();
      const found = new Set(files);
      for (const { path, extensions } of folders) {
        try {
          for (const name of await readTree(path, extensions)) found.add(join(path, name));
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          failures.set(path, error);
        }
      }
      const now = new Map<string, Kept>();
      for (const path of found) now.set(path, await lookAt(path, kept.get(path)));
      const paths = new Set([...kept.keys(), ...now.keys()]);
      const changed = [...paths].filter((path) => !isSame(kept.get(path)?.text, now.get(path)?.text));
      kept = now;
      failed = failures;
      return changed.sort(compareCodeUnits);
    },
    readTree: async (folder, extensions) => {
      for (const [path, error] of failed) if (isBelow(folder, path) || isBelow(path, folder)) throw error;
      return [...kept]
        .filter(([path, { text }]) => text !== null && isBelow(path, folder))
        .map(([path]) => path.slice(folder.length + 1).replaceAll(sep, "/"))
        .filter((path) => extensions.some((extension) => path.endsWith(extension)))
        .sort(compareCodeUnits);
    },
    readText: async (path) => {
      const text = kept.get(path)?.text ?? null;
      if (text instanceof FileError) throw text;
      return text;
    },
  };
}

async function lookAt(path: string, known: Kept | undefined): Promise<Kept> {
  const stamp = stampOf(path);
  if (known !== undefined && stamp !== null && known.stamp === stamp) return known;
  try {
    return { stamp: stamp ?? "", text: await readText(path) };
  } catch (error) {
    if (error instanceof FileError) return { stamp: stamp ?? "", text: error };
    throw error;
  }
}

/** Null for a file that has to be read to be known: it is gone, or so young that one more write may not show. */
function stampOf(path: string): string | null {
  try {
    const { dev, ino, size, mtimeMs, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    if (Date.now() - Number(mtimeMs) < COARSEST_TIME) return null;
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return null;
  }
}

/** Two errors are the same when they say the same. */
function isSame(a: Kept["text"] | undefined, b: Kept["text"] | undefined): boolean {
  if (a instanceof FileError && b instanceof FileError) return a.sentence === b.sentence;
  return (a ?? null) === (b ?? null);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
