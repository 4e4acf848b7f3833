import { type BigIntStats, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { compareCodeUnits } from "../base/collections.ts";
import { FileError, LockflowError } from "../base/errors.ts";
import { createTextFiles, type FileTree, readSourceTree, type SourceTree } from "../base/file-tree.ts";
import { readContent, readTree } from "../base/read-files.ts";
import { findConfig, loadProject, reloadProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { FLEET_RECORD_PATH } from "./fleet-record.ts";
import { SCHEMAS_FOLDER } from "./snapshot.ts";

/** A watched project: its configuration and entity SDL, operations, code with operations, and snapshots. */
export type WatchedProject = {
  /** Polls the disk once, and returns the absolute paths of what has changed since the last poll. */
  readonly poll: () => readonly string[];
  /**
   * Returns the project as configured at the last poll.
   *
   * @throws ConfigError while the configuration is not valid.
   */
  readonly resolve: () => Promise<Project>;
  /** Returns whether a file, by its absolute path, is watched only for operations in code. */
  readonly isCode: (path: string) => boolean;
  /** Returns the files below a root as they were at the last poll. */
  readonly tree: (root: string) => FileTree;
};

/**
 * Creates a watch over the project of a folder.
 *
 * @param path the configuration's path as given on the command line; undefined to search for it.
 */
export function createWatchedProject(directory: string, path: string | undefined): WatchedProject {
  const files = createFileCache();
  let config: string | null = null;
  /** Null if it has to be loaded. */
  let loaded: Project | LockflowError | null = null;
  // While the configuration is invalid, these are the places of the last valid one.
  let places: CachedPlaces = { folders: [], files: [], trees: [] };
  /** The configuration and its files of ids. */
  let configFiles: string[] = [];
  const pollAll = () => files.refresh({ ...places, files: [...places.files, ...configFiles] });
  return {
    tree: files.tree,
    isCode: (path) =>
      !configFiles.includes(path) &&
      places.trees.some(({ root, isWanted }) => isWanted(relative(root, path).replaceAll(sep, "/"))),
    poll: () => {
      const configPath = path === undefined ? findConfig(directory, path) : resolve(directory, path);
      if (configPath !== config) {
        loaded = null;
        config = configPath;
        configFiles = config === null ? [] : [config];
      }
      const changed = pollAll();
      if (configFiles.some((file) => changed.includes(file))) loaded = null;
      return changed;
    },
    resolve: async () => {
      if (loaded === null) {
        configFiles = config === null ? [] : [config];
        loaded = await load(directory, config, (file) => configFiles.push(file));
        if (!(loaded instanceof LockflowError)) places = await placesOf(loaded);
        pollAll();
      }
      if (loaded instanceof LockflowError) throw loaded;
      return loaded;
    },
  };
}

/** Loads the project or its error. Errors are also kept, because an invalid configuration stays invalid until it changes. */
async function load(
  directory: string,
  config: string | null,
  onIdFile: (file: string) => void,
): Promise<Project | LockflowError> {
  try {
    return await (config === null ? loadProject(directory) : reloadProject(config, onIdFile));
  } catch (error) {
    if (error instanceof LockflowError) return error;
    throw error;
  }
}

/** Returns the places to watch. In the output folder, only files of introspection: generated files must not start another run. */
async function placesOf(project: Project): Promise<CachedPlaces> {
  const { root, operations, output, definitions, documents } = project;
  const code = documents.length === 0 ? null : await import("./read-code.ts");
  return {
    trees: code === null ? [] : [code.createCodeTree(project)],
    folders: [
      { path: join(root, operations), extensions: [".graphql", ".gql"] },
      { path: join(root, output, SCHEMAS_FOLDER), extensions: [".graphql"] },
    ],
    files: [
      join(root, output, FLEET_RECORD_PATH),
      ...definitions.flatMap(({ entities }) =>
        Object.values(entities).flatMap((path) => (path === undefined ? [] : [resolve(root, path)])),
      ),
    ],
  };
}

/** The files of some places as of the last refresh. */
export type FileCache = {
  /** Reads new and changed files. Returns the absolute paths of new, changed and deleted files, in code-unit order. */
  readonly refresh: (places: CachedPlaces) => readonly string[];
  /** Returns the files below a folder. An unchanged file is the same object each time. */
  readonly tree: (root: string) => FileTree;
};

/** Absolute paths. */
export type CachedPlaces = {
  readonly folders: readonly { readonly path: string; readonly extensions: readonly string[] }[];
  readonly files: readonly string[];
  readonly trees: readonly SourceTree[];
};

type CachedFile = {
  /** The state of the file in the file system. While it is the same, the file is not read again. */
  readonly stamp: string;
  /** Null if the file does not exist. */
  readonly content: string | FileError | null;
};

/** The milliseconds in which several writes may have the same time: some file systems store times in steps of two seconds. */
const COARSEST_TIME = 2500;

/** The sources for finding changes: the file system and the current time. */
export type FileClock = {
  readonly stat: (
    path: string,
  ) => Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeMs" | "mtimeNs" | "ctimeNs">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/**
 * Creates a cache of files that are read again only if they changed in the file system. A poll takes two milliseconds per
 * project. `fs.watch` misses files that are replaced by a rename, and changes on network drives.
 */
export function createFileCache(
  clock: FileClock = { stat: (path) => statSync(path, { bigint: true }), now: Date.now },
): FileCache {
  let cached = new Map<string, CachedFile>();
  let failed = new Map<string, FileError>();
  const toTextFile = createTextFiles();
  const presentBelow = (folder: string) =>
    [...cached]
      .filter(([path, { content }]) => content !== null && isBelow(path, folder))
      .map(([path]) => path.slice(folder.length + 1).replaceAll(sep, "/"))
      .sort(compareCodeUnits);
  return {
    refresh: ({ folders, files, trees }) => {
      const failures = new Map<string, FileError>();
      const present = new Set(files);
      const find = (path: string, list: () => readonly string[]) => {
        try {
          for (const name of list()) present.add(join(path, name));
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          failures.set(path, error);
        }
      };
      for (const { path, extensions } of folders) find(path, () => readTree(path, extensions));
      for (const tree of trees) find(tree.root, () => readSourceTree(tree));
      const now = new Map<string, CachedFile>();
      for (const path of present) now.set(path, readChanged(path, cached.get(path), clock));
      const paths = new Set([...cached.keys(), ...now.keys()]);
      const changed = [...paths].filter((path) => !isSame(cached.get(path)?.content, now.get(path)?.content));
      cached = now;
      failed = failures;
      return changed.sort(compareCodeUnits);
    },
    tree: (root) => ({
      list: (name, extensions) => {
        const folder = join(root, name);
        for (const [path, error] of failed) if (isBelow(folder, path) || isBelow(path, folder)) throw error;
        return presentBelow(folder).filter((path) => extensions.some((end) => path.endsWith(end)));
      },
      listSources: ({ root: top, isWanted }) => {
        const error = failed.get(top);
        if (error) throw error;
        return presentBelow(top).filter(isWanted);
      },
      read: (path) => {
        const content = cached.get(resolve(root, path))?.content ?? null;
        if (content instanceof FileError) throw content;
        return toTextFile(path, content);
      },
    }),
  };
}

function readChanged(path: string, file: CachedFile | undefined, clock: FileClock): CachedFile {
  const stamp = stampOf(path, clock);
  if (file !== undefined && stamp !== "" && file.stamp === stamp) return file;
  try {
    return { stamp, content: readContent(path) };
  } catch (error) {
    if (error instanceof FileError) return { stamp, content: error };
    throw error;
  }
}

/** Returns the state of a file; empty if it has to be read: it is missing, or so new that another write may not show. */
function stampOf(path: string, { stat, now }: FileClock): string {
  try {
    const { dev, ino, size, mtimeMs, mtimeNs, ctimeNs } = stat(path);
    if (now() - Number(mtimeMs) < COARSEST_TIME) return "";
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "";
  }
}

/** Returns whether two contents are equal. Errors are compared by their sentences. */
function isSame(a: CachedFile["content"] | undefined, b: CachedFile["content"] | undefined): boolean {
  if (a instanceof FileError && b instanceof FileError) return a.sentence === b.sentence;
  return (a ?? null) === (b ?? null);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
