import { type BigIntStats, statSync } from "node:fs";
import { join, sep } from "node:path";
import { compareCodeUnits } from "../compare-code-units.ts";
import { FileError } from "../errors/file-error.ts";
import { readText, readTree, type TextSource } from "./read-tree.ts";

/** The texts of some folders and files as they were when it was last refreshed. */
export type FileCache = TextSource & {
  /**
   * Reads what is new or has changed.
   *
   * @returns the absolute paths of all that has another text than before, was added or is gone, in code-unit order.
   */
  readonly refresh: (places: CachedPlaces) => Promise<readonly string[]>;
};

/** Absolute paths. */
export type CachedPlaces = {
  readonly folders: readonly { readonly path: string; readonly extensions: readonly string[] }[];
  readonly files: readonly string[];
};

type CachedFile = {
  /** What the file system says of the file, as long as which it is not read again. */
  readonly stamp: string;
  /** Null when there is no such file. */
  readonly text: string | FileError | null;
};

/** Milliseconds a file's time may stand still over several writes: two seconds on the coarsest file system. */
const COARSEST_TIME = 2500;

/** What tells whether a file has changed: the file system, and the time it is. */
export type FileClock = {
  readonly stat: (
    path: string,
  ) => Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeMs" | "mtimeNs" | "ctimeNs">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

const CLOCK: FileClock = { stat: (path) => statSync(path, { bigint: true }), now: Date.now };

/**
 * Creates a cache of files that are read again only when the file system says that they have changed. It polls: what
 * Node is told (`fs.watch`) loses a file for good once an editor has saved it by renaming another over it, and hears
 * nothing of network drives and mounted folders; to poll the hundred files of a project takes two milliseconds anywhere.
 */
export function createFileCache(clock: FileClock = CLOCK): FileCache {
  let cached = new Map<string, CachedFile>();
  let failed = new Map<string, FileError>();
  return {
    refresh: async ({ folders, files }) => {
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
      const now = new Map<string, CachedFile>();
      for (const path of found) now.set(path, await readChanged(path, cached.get(path), clock));
      const paths = new Set([...cached.keys(), ...now.keys()]);
      const changed = [...paths].filter((path) => !isSame(cached.get(path)?.text, now.get(path)?.text));
      cached = now;
      failed = failures;
      return changed.sort(compareCodeUnits);
    },
    readTree: async (folder, extensions) => {
      for (const [path, error] of failed) if (isBelow(folder, path) || isBelow(path, folder)) throw error;
      return [...cached]
        .filter(([path, { text }]) => text !== null && isBelow(path, folder))
        .map(([path]) => path.slice(folder.length + 1).replaceAll(sep, "/"))
        .filter((path) => extensions.some((extension) => path.endsWith(extension)))
        .sort(compareCodeUnits);
    },
    readText: async (path) => {
      const text = cached.get(path)?.text ?? null;
      if (text instanceof FileError) throw text;
      return text;
    },
  };
}

async function readChanged(
  path: string,
  known: CachedFile | undefined,
  clock: FileClock,
): Promise<CachedFile> {
  const stamp = stampOf(path, clock);
  if (known !== undefined && stamp !== null && known.stamp === stamp) return known;
  try {
    return { stamp: stamp ?? "", text: await readText(path) };
  } catch (error) {
    if (error instanceof FileError) return { stamp: stamp ?? "", text: error };
    throw error;
  }
}

/** Null for a file that has to be read to be known: it is gone, or so young that one more write may not show. */
function stampOf(path: string, { stat, now }: FileClock): string | null {
  try {
    const { dev, ino, size, mtimeMs, mtimeNs, ctimeNs } = stat(path);
    if (now() - Number(mtimeMs) < COARSEST_TIME) return null;
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return null;
  }
}

/** Two errors are the same when they say the same. */
function isSame(a: CachedFile["text"] | undefined, b: CachedFile["text"] | undefined): boolean {
  if (a instanceof FileError && b instanceof FileError) return a.sentence === b.sentence;
  return (a ?? null) === (b ?? null);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
