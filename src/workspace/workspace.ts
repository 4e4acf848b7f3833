import { cached, once } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import { type FileTree, openDisk, type TextFile } from "../base/file-tree.ts";
import type { OutputFile } from "../base/output-file.ts";
import { isForeignFolder } from "../base/read-files.ts";
import { isOf, type OfSurface, type SurfaceId, surfaceId } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import { FLEET_RECORD_PATH, type FleetRow, parseFleetRecord } from "./fleet-record.ts";
import {
  readSnapshotHeader,
  SCHEMAS_FOLDER,
  type Snapshot,
  type SnapshotFile,
  snapshotPath,
} from "./snapshot.ts";

/**
 * A project with the files on its disk, as one run sees them. Each file is read once, on first use.
 *
 * Nothing here is parsed except headers and the fleet record: `snapshot-schema.ts` and `operations.ts` parse the files
 * and memoize the results by them. A workspace is never invalidated. A run that has written files, and has to read
 * them, opens another one.
 */
export type Workspace = {
  readonly project: Project;
  /** Paths start at the project's root. */
  readonly tree: FileTree;
  /**
   * The snapshot of a surface, whether or not the project leaves the surface out; null before the first introspection.
   * It throws a SchemaError for a file without a header. Runs about some surfaces use it instead of `snapshots`.
   */
  readonly snapshot: (surface: OfSurface) => Snapshot | null;
  /** The snapshots of the project's surfaces, in the order of these; surfaces without one are left out. */
  readonly snapshots: readonly Snapshot[];
  /** Every schema file in the folder of snapshots, expected or not, in order of path. */
  readonly schemaFiles: readonly SchemaFile[];
  /** The last known schema of each deployment; empty before the first introspection. */
  readonly fleet: readonly FleetRow[];
  /** The operation files below a folder such as `lockup/portable`, in order of path. */
  readonly operations: (folder: string) => readonly TextFile[];
  /** A file of the output folder, by its path in it; null when there is none. */
  readonly generated: (path: string) => TextFile | null;
};

/** A file of the folder of snapshots. Its path starts at the output folder. */
export type SchemaFile = TextFile & {
  /** The hash of its header; null for a file without a header of a known format. */
  readonly hash: string | null;
};

/** Opens the files of a project; by default those on disk. Nothing is read yet. */
export function openWorkspace(project: Project, tree: FileTree = openDisk(project.root)): Workspace {
  const { output, surfaces } = project;
  const generated = (path: string) => tree.read(`${output}/${path}`);
  const snapshotsById = new Map<SurfaceId, Snapshot | null>();
  const snapshot = (surface: OfSurface) =>
    cached(snapshotsById, surfaceId(surface), () => readSnapshot(surface, tree, output));
  const snapshots = once(() => surfaces.map(snapshot).filter((snapshot) => snapshot !== null));
  const schemaFiles = once(() =>
    tree
      .list(`${output}/${SCHEMAS_FOLDER}`, [".graphql", ".gql"], isForeignFolder)
      .map((name) => readSchemaFile(`${SCHEMAS_FOLDER}/${name}`, tree, output))
      .filter((file) => file !== null),
  );
  const fleet = once(() => {
    const record = generated(FLEET_RECORD_PATH);
    return record === null ? [] : parseFleetRecord(record.text);
  });
  const operationFiles = new Map<string, readonly TextFile[]>();
  return {
    project,
    tree,
    snapshot,
    get snapshots() {
      return snapshots();
    },
    get schemaFiles() {
      return schemaFiles();
    },
    get fleet() {
      return fleet();
    },
    operations: (folder) =>
      cached(operationFiles, folder, () => readFolder(`${project.operations}/${folder}`, tree)),
    generated,
  };
}

function readSnapshot({ protocol, style }: OfSurface, tree: FileTree, output: string): Snapshot | null {
  const base = readSchemaFile(snapshotPath({ protocol, style }), tree, output);
  if (base === null) return null;
  const baseFile = requireHeader(base);
  const folder = `${SCHEMAS_FOLDER}/${protocol}`;
  const isVariant = new RegExp(`^${style}\\.[0-9a-f]{8}\\.graphql$`);
  const variants = tree
    .list(`${output}/${folder}`, [".graphql"])
    .filter((name) => isVariant.test(name))
    .map((name) => readSchemaFile(`${folder}/${name}`, tree, output))
    .filter((file) => file !== null);
  return { protocol, style, base: baseFile, variants: variants.map(requireHeader) };
}

function readSchemaFile(path: string, tree: FileTree, output: string): SchemaFile | null {
  const file = tree.read(`${output}/${path}`);
  if (file === null) return null;
  const cachedFile = schemaFilesByText.get(file);
  if (cachedFile?.path === path) return cachedFile;
  const made = { ...file, path, hash: readSnapshotHeader(file.text)?.schema ?? null };
  schemaFilesByText.set(file, made);
  return made;
}

/** One object for each text, also in later workspaces: the parsed schema of a file that has not changed is kept. */
const schemaFilesByText = new WeakMap<TextFile, SchemaFile>();

function requireHeader(file: SchemaFile): SnapshotFile {
  if (hasHeader(file)) return file;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_INVALID",
    sentence: `${file.path} does not start with the header of a snapshot.`,
    hint: "restore it from version control, or delete it and run `lockflow introspect`.",
  });
}

function hasHeader(file: SchemaFile): file is SchemaFile & SnapshotFile {
  return file.hash !== null;
}

function readFolder(folder: string, tree: FileTree): TextFile[] {
  return tree
    .list(folder, [".graphql", ".gql"])
    .map((name) => tree.read(`${folder}/${name}`))
    .filter((file) => file !== null);
}

/**
 * Returns the snapshot of a surface.
 *
 * @throws SchemaError `SCHEMA_SNAPSHOT_MISSING`
 */
export function requireSnapshot({ project, snapshot }: Workspace, surface: OfSurface): Snapshot {
  const existing = snapshot(surface);
  if (existing !== null) return existing;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_MISSING",
    sentence: `There is no snapshot of ${surface.protocol} in ${surface.style} style (${project.output}/${snapshotPath(surface)}).`,
    hint: "run `lockflow introspect` to write it.",
  });
}

/** The committed schemas that a run is about: all of a project, or those of a selection. */
export type CommittedSchemas = {
  readonly snapshots: readonly Snapshot[];
  readonly rows: readonly FleetRow[];
};

/** Returns every file that introspection writes, with its path in the output folder and its exact content. */
export function committedFiles({ schemaFiles, generated }: Workspace): readonly OutputFile[] {
  const record = generated(FLEET_RECORD_PATH);
  return [...schemaFiles, ...(record === null ? [] : [{ ...record, path: FLEET_RECORD_PATH }])];
}

/** Returns whether all deployments of each fleet serve one schema, as far as the snapshots record it. */
export function isUniform({ snapshots }: Pick<Workspace, "snapshots">): boolean {
  return snapshots.every(({ variants }) => variants.length === 0);
}

/** Returns the fleet record and every snapshot of the project. */
export function allCommitted({ snapshots, fleet }: Workspace): CommittedSchemas {
  return { snapshots, rows: fleet };
}

/**
 * Returns the fleet record and the snapshots of some surfaces. The files of other surfaces are not read.
 *
 * @param required surfaces that must have a snapshot.
 * @throws SchemaError
 */
export function selectCommitted(
  workspace: Workspace,
  surfaces: readonly OfSurface[],
  required: readonly OfSurface[] = [],
): CommittedSchemas {
  const snapshots = surfaces.map(workspace.snapshot).filter((snapshot) => snapshot !== null);
  for (const surface of required) if (!snapshots.some(isOf(surface))) requireSnapshot(workspace, surface);
  return { snapshots, rows: workspace.fleet };
}
