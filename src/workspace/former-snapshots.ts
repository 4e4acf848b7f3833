import { orNull } from "../base/errors.ts";
import { createTextFiles } from "../base/file-tree.ts";
import { readLastDifferent } from "../base/git.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { isOf, type OfSurface, type Surface, surfacesOf } from "../dialects/surface.ts";
import type { OperationsBySurface } from "../operations/operation-set.ts";
import { portableFiles } from "./operation-files.ts";
import { completeSnapshots, readOperations } from "./operations.ts";
import { type Snapshot, snapshotPath } from "./snapshot.ts";
import { parseSnapshot } from "./snapshot-schema.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/** A surface with its snapshot on disk, and the one before its last change; without a change both are the same. */
export type SnapshotPair = Surface & { readonly before: Snapshot; readonly after: Snapshot };

/** Snapshots before and after their last change, and the operations as the former ones have them. */
export type FormerOperations = {
  readonly pairs: readonly SnapshotPair[];
  readonly operations: OperationsBySurface;
};

/**
 * Reads the operations with the former versions of all snapshots, then with each version alone, because the styles are not
 * always updated together. What cannot be read is left out; without git that is everything.
 */
export async function readFormerOperations(workspace: Workspace): Promise<FormerOperations[]> {
  const { output, surfaces } = workspace.project;
  const all = await readFormerTexts(workspace);
  const alone = all.size > 1 ? [...all].map((entry) => new Map([entry])) : [];
  const former: FormerOperations[] = [];
  for (const texts of [all, ...alone]) {
    const changed = surfaces.filter((surface) => texts.has(`${output}/${snapshotPath(surface)}`));
    const attempt = await orNull(async () => {
      const before = openWithTexts(workspace, texts);
      const pairs = pairSnapshots(before, workspace, changed);
      return { pairs, operations: await readOperations(before, pairs) };
    });
    if (attempt) former.push(attempt);
  }
  return former;
}

/** Reads the snapshots of all surfaces, also of those that only portable operations have, with their former versions. */
export async function readPairs(workspace: Workspace): Promise<SnapshotPair[]> {
  const former = openWithTexts(workspace, await readFormerTexts(workspace));
  return pairSnapshots(former, workspace, workspace.project.surfaces);
}

/** Pairs the snapshots of surfaces and of derived ones. Surfaces without a snapshot are left out. */
function pairSnapshots(
  former: Workspace,
  workspace: Workspace,
  surfaces: readonly Surface[],
): SnapshotPair[] {
  return [...surfaces, ...derivedSurfaces(workspace)].flatMap((surface) => {
    const [before, after] = [snapshotOf(former, surface), snapshotOf(workspace, surface)];
    if (!before || !after) return [];
    // Throws here, where the caller can leave it out.
    parseSnapshot(before.base);
    return [{ ...surface, before, after }];
  });
}

/**
 * Reads the last committed versions of snapshots that differ from those on disk, by their paths from the project's root.
 * Damaged versions are skipped. Those that git cannot read are left out.
 */
async function readFormerTexts(workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  const { project, tree } = workspace;
  const former = new Map<string, string>();
  // Where a protocol lacks the authored style, portable operations have the names of its entity SDL.
  const entityFiles = project.definitions
    .filter(({ styles: deployed }) => !deployed.includes(AUTHORED_STYLE))
    .flatMap(({ entities }) => Object.values(entities).filter((path) => path !== undefined));
  const snapshots = new Map(
    project.surfaces.map((surface) => [`${project.output}/${snapshotPath(surface)}`, surface]),
  );
  for (const path of [...snapshots.keys(), ...entityFiles]) {
    const file = tree.read(path);
    const surface = snapshots.get(path);
    const requireWhole = (text: string) => {
      const snapshot = surface && snapshotOf(openWithTexts(workspace, new Map([[path, text]])), surface);
      if (snapshot) parseSnapshot(snapshot.base);
    };
    const text =
      file && (await orNull(() => readLastDifferent(project.root, { path, text: file.text }, requireWhole)));
    if (text) former.set(path, text);
  }
  return former;
}

/** Returns the surfaces that protocols without the authored style have only for their portable operations. */
function derivedSurfaces({ project }: Workspace): Surface[] {
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
