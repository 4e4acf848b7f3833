import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { compareCodeUnits } from "./collections.ts";
import { isMissing, unreadable } from "./survey-folder.ts";

/** A tree of people's own code, most of which is not ours to read. Paths in it have `/`. */
export type SourceTree = {
  /** An absolute path. What is not below it is not read, wherever a link leads. */
  readonly root: string;
  /** Folders to begin in, from the root; an empty text is the root itself. */
  readonly folders: readonly string[];
  /** Whether a file is wanted, by its path from the root. */
  readonly isWanted: (path: string) => boolean;
  /** Whether a folder is passed over, by its path from the root. */
  readonly isSkipped: (path: string) => boolean;
};

/**
 * The paths of the wanted files of a tree, from its root, in code-unit order. A file is found once: by its own path, or by
 * that of the first link to it. A link that leads nowhere is nobody's file, and passed over.
 *
 * @throws FileError for a folder that cannot be read.
 */
export function readSourceTree(tree: SourceTree): string[] {
  const { root, folders, isWanted, isSkipped } = tree;
  const top = realPathOf(root);
  if (top === null) return [];
  /** By real path. */
  const found = new Map<string, string>();
  const passed = new Set<string>();
  // Where one begins may be behind a link as well.
  let links = [...folders];
  while (links.length > 0) {
    const paths = links.sort(compareCodeUnits);
    links = [];
    for (const path of paths) follow(path, top);
  }
  return [...found.values()].sort(compareCodeUnits);

  function follow(path: string, top: string): void {
    const real = realPathOf(join(root, path));
    if (real === null || !isOwn(relative(top, real).replaceAll(sep, "/"))) return;
    if (statSync(real).isDirectory()) walk(path, real);
    else add(path, real, statSync(real));
  }

  /** Whether what a link leads to is in the tree, and not in a part of it that is passed over. */
  function isOwn(path: string): boolean {
    const parts = path === "" ? [] : path.split("/");
    return parts[0] !== ".." && !parts.some((_, index) => isSkipped(parts.slice(0, index + 1).join("/")));
  }

  function walk(path: string, real: string): void {
    if (passed.has(real)) return;
    passed.add(real);
    for (const entry of entriesOf(real)) {
      const child = path === "" ? entry.name : `${path}/${entry.name}`;
      // Links come last, so that what has a path of its own is found by it.
      if (entry.isSymbolicLink()) links.push(child);
      else if (entry.isDirectory()) {
        if (!isSkipped(child)) walk(child, join(real, entry.name));
      } else add(child, join(real, entry.name), entry);
    }
  }

  function add(path: string, real: string, entry: Pick<Dirent, "isFile">): void {
    if (entry.isFile() && !found.has(real) && isWanted(path)) found.set(real, path);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw unreadable(folder, cause);
  }
}

/** Null for a link that leads nowhere, or round in a circle. */
function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    if (isMissing(cause) || (cause as NodeJS.ErrnoException).code === "ELOOP") return null;
    throw unreadable(path, cause);
  }
}
