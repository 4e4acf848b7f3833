import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { cached, compareCodeUnits } from "./collections.ts";
import { isMissing, readContent, readOrNull, readTree, unreadable } from "./read-files.ts";

/** A text file. The same text is the same object, so results of parsing may be cached by the object. */
export type TextFile = {
  /** From the root of its tree, with `/`. */
  readonly path: string;
  /** With LF line ends and without a byte order mark. */
  readonly text: string;
  /** With LF line ends, and with the byte order mark that an editor may have added. */
  readonly content: string;
};

/** The files of a project: on disk, at a git ref, or as a watch last read them. Paths are relative to its root. */
export type FileTree = {
  /** Lists the files below a folder by their paths from that folder, in code-unit order. */
  readonly list: (
    folder: string,
    extensions: readonly string[],
    isSkipped?: (name: string) => boolean,
  ) => readonly string[];
  /** Lists the files of users' own code. */
  readonly listSources: (tree: SourceTree) => readonly string[];
  /** Reads a file, once; null when there is none. */
  readonly read: (path: string) => TextFile | null;
};

/** Opens the folder of a project on disk. Each file is read once, on first use. */
export function openDisk(root: string, toTextFile = createTextFiles()): FileTree {
  const files = new Map<string, TextFile | null>();
  return {
    list: (folder, extensions, isSkipped) => readTree(resolve(root, folder), extensions, isSkipped),
    listSources: readSourceTree,
    read: (path) => cached(files, path, () => toTextFile(path, readContent(resolve(root, path)))),
  };
}

/**
 * Creates a function that returns the same text file for a path while its content is the same. Trees that share the
 * function also share the cached results of parsing.
 */
export function createTextFiles(): (path: string, content: string | null) => TextFile | null {
  const files = new Map<string, TextFile>();
  return (path, content) => {
    if (content === null) return null;
    const earlier = files.get(path);
    if (earlier?.content === content) return earlier;
    const file = { path, content, text: content.replace(/^\uFEFF/, "") };
    files.set(path, file);
    return file;
  };
}

/** A tree of the user's own code. Paths in it have `/`. */
export type SourceTree = {
  /** An absolute path. Nothing outside of it is read, wherever a link leads. */
  readonly root: string;
  /** Folders to start in, from the root; an empty text is the root itself. */
  readonly folders: readonly string[];
  /** Returns whether a file is wanted, by its path from the root. */
  readonly isWanted: (path: string) => boolean;
  /** Returns whether a folder is skipped, by its path from the root. */
  readonly isSkipped: (path: string) => boolean;
};

/**
 * Lists the wanted files of a tree by their paths from its root, in code-unit order. Each file is listed once: by its own
 * path, else by the path of the first link to it. Broken links are skipped.
 *
 * @throws FileError for a folder that cannot be read.
 */
export function readSourceTree(tree: SourceTree): string[] {
  const { root, folders, isWanted, isSkipped } = tree;
  const top = realPathOf(root);
  if (top === null) return [];
  /** By real path. */
  const files = new Map<string, string>();
  const passed = new Set<string>();
  // The folders to start in may be links too.
  let links = [...folders];
  while (links.length > 0) {
    const paths = links.sort(compareCodeUnits);
    links = [];
    for (const path of paths) follow(path, top);
  }
  return [...files.values()].sort(compareCodeUnits);

  function follow(path: string, top: string): void {
    const real = realPathOf(join(root, path));
    if (real === null || !isOwn(relative(top, real).replaceAll(sep, "/"))) return;
    const stats = statSync(real);
    if (stats.isDirectory()) walk(path, real);
    else add(path, real, stats);
  }

  /** Returns whether the target of a link is in the tree, and not in a folder that is skipped. */
  function isOwn(path: string): boolean {
    const parts = path === "" ? [] : path.split("/");
    return parts[0] !== ".." && !parts.some((_, index) => isSkipped(parts.slice(0, index + 1).join("/")));
  }

  function walk(path: string, real: string): void {
    if (passed.has(real)) return;
    passed.add(real);
    for (const entry of readOrNull(real, () => readdirSync(real, { withFileTypes: true })) ?? []) {
      const child = path === "" ? entry.name : `${path}/${entry.name}`;
      // Links are followed last, so that files are listed by their own paths.
      if (entry.isSymbolicLink()) links.push(child);
      else if (entry.isDirectory()) {
        if (!isSkipped(child)) walk(child, join(real, entry.name));
      } else add(child, join(real, entry.name), entry);
    }
  }

  function add(path: string, real: string, entry: Pick<Dirent, "isFile">): void {
    if (entry.isFile() && !files.has(real) && isWanted(path)) files.set(real, path);
  }
}

/** Returns null for a broken or circular link. */
function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    if (isMissing(cause) || (cause as NodeJS.ErrnoException).code === "ELOOP") return null;
    throw unreadable(path, cause);
  }
}
