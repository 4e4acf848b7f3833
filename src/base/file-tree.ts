import { resolve } from "node:path";
import { cached } from "./collections.ts";
import { readContent, readTree } from "./read-files.ts";
import { readSourceTree, type SourceTree } from "./source-tree.ts";

/** A text file. One object stands for one text, so what is parsed from it may be memoized by the object. */
export type TextFile = {
  /** From the root of its tree, with `/`. */
  readonly path: string;
  /** With LF line ends and without a byte order mark. */
  readonly text: string;
  /** With LF line ends, and with the byte order mark that an editor may have added. */
  readonly content: string;
};

/** The files of a project: on disk, at a git ref, or as a watch saw them last. Paths start at its root. */
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

/** Opens the folder of a project on disk. Each file is read on first use, and not again. */
export function openDisk(root: string, toTextFile = createTextFiles()): FileTree {
  const files = new Map<string, TextFile | null>();
  return {
    list: (folder, extensions, isSkipped) => readTree(resolve(root, folder), extensions, isSkipped),
    listSources: readSourceTree,
    read: (path) => cached(files, path, () => toTextFile(path, readContent(resolve(root, path)))),
  };
}

/**
 * Creates a function that makes text files and returns the same object for a path while its content is the same. Trees
 * that share it share what was parsed from files that have not changed.
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
