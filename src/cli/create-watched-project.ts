import { join, relative, resolve, sep } from "node:path";
import { type CachedPlaces, createFileCache } from "../base/disk/create-file-cache.ts";
import type { TextSource } from "../base/disk/read-tree.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import { findConfig, loadProject, reloadProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { FLEET_RECORD_PATH } from "../snapshots/fleet-record.ts";
import { SCHEMAS_FOLDER } from "../snapshots/snapshot.ts";

/** A project that may change at any time: its configuration with the entity SDL, its operations, those in its code, and its snapshots. */
export type WatchedProject = {
  /** Polls the disk once, and gives the absolute paths of what has changed since the last poll. */
  readonly poll: () => Promise<readonly string[]>;
  /**
   * The project as it was configured at the last poll.
   *
   * @throws ConfigError while the configuration is not valid.
   */
  readonly resolve: () => Promise<Project>;
  /** Whether a file, by its absolute path, is watched for nothing but the operations in its code. */
  readonly isCode: (path: string) => boolean;
  /** The files of the project as they were at the last poll. */
  readonly texts: TextSource;
};

/**
 * Creates a watch over the project of a folder.
 *
 * @param path of the configuration, as given on the command line.
 */
export function createWatchedProject(directory: string, path: string | undefined): WatchedProject {
  const texts = createFileCache();
  let config: string | null = null;
  /** Null when it has to be loaded. */
  let loaded: Project | LockflowError | null = null;
  // While the configuration is not valid, those of the last one that was.
  let places: CachedPlaces = { folders: [], files: [], trees: [] };
  const pollWith = (file: string | null) =>
    texts.refresh(file === null ? places : { ...places, files: [...places.files, file] });
  return {
    texts,
    isCode: (path) =>
      path !== config &&
      places.trees.some(({ root, isWanted }) => isWanted(relative(root, path).replaceAll(sep, "/"))),
    poll: async () => {
      const found = path === undefined ? findConfig(directory, path) : resolve(directory, path);
      const changed = await pollWith(found);
      if (found !== config || (found !== null && changed.includes(found))) loaded = null;
      config = found;
      return changed;
    },
    resolve: async () => {
      if (loaded === null) {
        loaded = await load(directory, config);
        if (!(loaded instanceof LockflowError)) {
          places = await placesOf(loaded);
          await pollWith(config);
        }
      }
      if (loaded instanceof LockflowError) throw loaded;
      return loaded;
    },
  };
}

/** A configuration stays wrong until it changes, so that an error is kept like a project. */
async function load(directory: string, config: string | null): Promise<Project | LockflowError> {
  try {
    return await (config === null ? loadProject(directory) : reloadProject(config));
  } catch (error) {
    if (error instanceof LockflowError) return error;
    throw error;
  }
}

/** Of the output folder only what introspection writes: what generation writes must not set it off again. */
async function placesOf(project: Project): Promise<CachedPlaces> {
  const { root, operations, output, definitions, documents } = project;
  const code = documents.length === 0 ? null : await import("../generate/code/code-tree.ts");
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
