import { relative, resolve, sep } from "node:path";
import { cached, memoize } from "../base/collections.ts";
import { FileError, UsageError } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import {
  isOf,
  type Protocol,
  STYLE_NAMES,
  type StyleName,
  type SurfaceId,
  surfaceId,
} from "../dialects/surface.ts";
import type { EntityFiles } from "../operations/find-unlike-ids.ts";
import type { CodeFile, CodeFiles, OperationSource } from "../operations/operation-set.ts";
import type { Project } from "../project/project.ts";
import type { Snapshot } from "./snapshot.ts";
import { requireSnapshot, type Workspace } from "./workspace.ts";

/** The folder of a protocol's portable operations, beside the folders of its styles. */
export const PORTABLE_FOLDER = "portable";

/** The portable operations of a protocol, and the files that they are compiled and checked with. */
export type PortableFiles = {
  readonly protocol: Protocol;
  readonly definition: ResolvedProtocol;
  readonly sources: readonly OperationSource[];
  /** At least one. */
  readonly snapshots: { readonly [S in StyleName]?: Snapshot };
  /** The entity SDL, from which a missing style is derived; null without one. */
  readonly entities: OperationSource | null;
  /** The entity SDL of each style, if both have a file of their own; else null. */
  readonly entityFiles: EntityFiles | null;
  /** The operation files of both styles, which may use the portable fragments. */
  readonly users: readonly OperationSource[];
};

/**
 * Returns the portable operations of a protocol, the same object for each call; null where there are none.
 *
 * @throws SchemaError when a snapshot is missing.
 */
export function portableFiles(workspace: Workspace, protocol: Protocol): PortableFiles | null {
  return portableReader(workspace)(protocol);
}

const portableReader = memoize((workspace: Workspace) => {
  const byProtocol = new Map<Protocol, PortableFiles | null>();
  return (protocol: Protocol) => cached(byProtocol, protocol, () => readPortable(workspace, protocol));
});

function readPortable(workspace: Workspace, protocol: Protocol): PortableFiles | null {
  const definition = workspace.project.definitions.find(({ key }) => key === protocol);
  if (definition === undefined) return null;
  const sources = workspace.operations(`${protocol}/${PORTABLE_FOLDER}`);
  if (sources.length === 0) return null;
  const users = STYLE_NAMES.flatMap((style) => workspace.operations(surfaceId({ protocol, style })));
  return { ...requirePortableSource(workspace, definition), sources, users };
}

/** The context in which portable operations of a protocol are compiled. */
export type PortableSource = Omit<PortableFiles, "sources" | "users">;

/**
 * Returns the context in which portable operations of a protocol are compiled. The snapshot of a style in which the project has no
 * deployment of it is optional.
 *
 * @throws SchemaError when the snapshot of a style with deployments is missing.
 */
export function requirePortableSource(workspace: Workspace, definition: ResolvedProtocol): PortableSource {
  const { key: protocol } = definition;
  const snapshots = STYLE_NAMES.flatMap((style) => {
    const surface = { protocol, style };
    const isDeployed = workspace.project.surfaces.some(isOf(surface));
    const snapshot = isDeployed ? requireSnapshot(workspace, surface) : workspace.snapshot(surface);
    return snapshot === null ? [] : [[style, snapshot] as const];
  });
  const entities = findEntities(workspace, definition);
  const entityFiles = findEntityFiles(workspace, definition);
  return { protocol, definition, snapshots: Object.fromEntries(snapshots), entities, entityFiles };
}

function findEntityFiles(
  { tree }: Pick<Workspace, "tree">,
  { entities }: Pick<ResolvedProtocol, "entities">,
): EntityFiles | null {
  if (entities.multichain === undefined || entities.subgraph === undefined) return null;
  const [multichain, subgraph] = [tree.read(entities.multichain), tree.read(entities.subgraph)];
  return multichain === null || subgraph === null || entities.multichain === entities.subgraph
    ? null
    : { multichain, subgraph };
}

/** Returns the entity SDL of a protocol, that of the first style that has one; null without any. */
export function findEntities(
  { tree }: Pick<Workspace, "tree">,
  { entities }: Pick<ResolvedProtocol, "entities">,
): OperationSource | null {
  const [path] = Object.values(entities);
  return path === undefined ? null : tree.read(path);
}

/** Reads the code that may hold operations, once. Only projects with `documents` have any. */
export const readCode = memoize(async (workspace: Workspace): Promise<CodeFiles> => {
  if (workspace.project.documents.length === 0) return { files: [], findings: [] };
  const { readCodeFiles } = await import("./read-code.ts");
  return readCodeFiles(workspace);
});

/** Returns the surfaces that the operations in code may be of. */
export function surfacesInCode(files: readonly CodeFile[]): ReadonlySet<SurfaceId> {
  return new Set(files.flatMap(({ surfaces }) => surfaces.map(({ id }) => id)));
}

/**
 * Reads a file given on the command line, inside or outside the project.
 *
 * @returns its text, and its path from the root of the project.
 * @throws FileError for a file that does not exist.
 */
export async function readGivenFile(project: Project, name: string, cwd: string): Promise<OperationSource> {
  const absolute = resolve(cwd, name);
  const text = await readText(absolute);
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `The file "${name}" does not exist.`,
      hint: "name a file of operations, or an operation by its name alone.",
    });
  }
  return { path: relative(project.root, absolute).split(sep).join("/"), text };
}

/**
 * Returns the protocol of a file: that of its folder, else the only candidate.
 *
 * @throws UsageError for several candidates.
 */
export function findProtocolOfFile(
  project: Project,
  { argument, path }: { readonly argument: string; readonly path: string },
  candidates: readonly Protocol[],
): Protocol {
  const within = candidates.find((protocol) => path.startsWith(`${project.operations}/${protocol}/`));
  const protocol = within ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (protocol !== undefined) return protocol;
  throw new UsageError({
    sentence: `The protocol of "${argument}" is not clear.`,
    hint: `choose it with --protocol: ${candidates.join(", ")}.`,
  });
}
