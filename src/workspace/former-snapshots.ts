import { orNull } from "../base/errors.ts";
import { createTextFiles } from "../base/file-tree.ts";
import { readLastDifferent } from "../base/git.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { isOf, type OfSurface, type Surface, surfacesOf } from "../dialects/surface.ts";
import { portableFiles } from "./operation-files.ts";
import { completeSnapshots } from "./operations.ts";
import { type Snapshot, snapshotPath } from "./snapshot.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/**
 * Reads the last committed versions of snapshots that differ from those on disk, by their paths from the project's root.
 * Those that git cannot read are left out.
 */
export async function readFormerTexts({ project, tree }: Workspace): Promise<ReadonlyMap<string, string>> {
  const former = new Map<string, string>();
  // Where a protocol lacks the authored style, portable operations have the names of its entity SDL.
  const entityFiles = project.definitions
    .filter(({ styles: deployed }) => !deployed.includes(AUTHORED_STYLE))
    .flatMap(({ entities }) => Object.values(entities).filter((path) => path !== undefined));
  const snapshots = project.surfaces.map((surface) => `${project.output}/${snapshotPath(surface)}`);
  for (const path of [...snapshots, ...entityFiles]) {
    const file = tree.read(path);
    const text = file && (await orNull(() => readLastDifferent(project.root, path, file.text)));
    if (text) former.set(path, text);
  }
  return former;
}

/** Returns the surfaces that protocols without the authored style have only for their portable operations. */
export function derivedSurfaces({ project }: Workspace): Surface[] {
  const authored = project.protocols.map((key) => ({ key, styles: [AUTHORED_STYLE] }));
  return surfacesOf(authored).filter((surface) => !project.surfaces.some(isOf(surface)));
}

/** Returns the snapshot of a surface, which is derived if the surface is; null without one. */
export function snapshotOf(workspace: Workspace, surface: OfSurface): Snapshot | null {
  if (workspace.project.surfaces.some(isOf(surface))) return workspace.snapshot(surface);
  const portable = portableFiles(workspace, surface.protocol);
  return portable && completeSnapshots(portable)[surface.style];
}

/** Opens a workspace in which some files have other texts. */
export function openWithTexts({ project, tree }: Workspace, texts: ReadonlyMap<string, string>): Workspace {
  const toTextFile = createTextFiles();
  return openWorkspace(project, {
    ...tree,
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? tree.read(path) : toTextFile(path, text);
    },
  });
}
