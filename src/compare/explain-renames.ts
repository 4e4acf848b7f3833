import { LockflowError } from "../base/errors.ts";
import { createTextFiles, type FileTree } from "../base/file-tree.ts";
import { readLastDifferent } from "../base/git.ts";
import { styles } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { isOf, type Surface, surfacesOf } from "../dialects/surface.ts";
import { placeText } from "../report/describe-finding.ts";
import { type Finding, isBreaking } from "../report/finding.ts";
import { PORTABLE_FOLDER, portableFiles } from "../workspace/operation-files.ts";
import { completeSnapshots, readOperations } from "../workspace/operations.ts";
import { type Snapshot, snapshotPath } from "../workspace/snapshot.ts";
import { parseSnapshot } from "../workspace/snapshot-schema.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { findDifferences } from "./find-differences.ts";
import { withoutSuggestion } from "./impact/assess-operations.ts";
import { shareRenames } from "./share-renames.ts";

/**
 * Adds the new names to findings about names that the snapshots renamed since their last committed version that differs.
 * Without git or an earlier version, the findings stay as they are.
 */
export async function explainRenames(
  workspace: Workspace,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  if (!findings.some(isAboutSchema)) return findings;
  const earlier = await readEarlier(workspace);
  // The styles are not always updated together, so each earlier version is also tried alone.
  const alone = earlier.size > 1 ? [...earlier].map((one) => new Map([one])) : [];
  const fixes = new Map<string, string>();
  for (const texts of [earlier, ...alone]) {
    for (const [place, fix] of await findFixes(workspace, texts)) {
      if (!fixes.has(place)) fixes.set(place, fix);
    }
  }
  return findings.map((finding) => {
    const fix = finding.place && isAboutSchema(finding) ? fixes.get(placeText(finding.place)) : undefined;
    return fix === undefined ? finding : { ...finding, message: withoutSuggestion(finding.message), fix };
  });
}

function isAboutSchema(finding: Finding): boolean {
  return isBreaking(finding) && (finding.code === "operation/invalid" || finding.layer === "portable");
}

/** Reads the earlier versions of snapshots by their paths from the project's root. */
async function readEarlier({ project, tree }: Workspace): Promise<ReadonlyMap<string, string>> {
  const earlier = new Map<string, string>();
  // Where a protocol lacks the authored style, portable operations have the names of its entity SDL.
  const entityFiles = project.definitions
    .filter(({ styles: deployed }) => !deployed.includes(AUTHORED_STYLE))
    .flatMap(({ entities }) => Object.values(entities).filter((path) => path !== undefined));
  const snapshots = project.surfaces.map((surface) => `${project.output}/${snapshotPath(surface)}`);
  for (const path of [...snapshots, ...entityFiles]) {
    const file = tree.read(path);
    const text = file && (await orNull(() => readLastDifferent(project.root, path, file.text)));
    if (text) earlier.set(path, text);
  }
  return earlier;
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/** Finds what to write in place of renamed names, by place. Operations are read as the earlier snapshots had them. */
async function findFixes(
  workspace: Workspace,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const { project, tree } = workspace;
  const formerTree = withTexts(tree, texts);
  const former = openWorkspace(project, formerTree);
  const served = project.surfaces.filter((surface) =>
    texts.has(`${project.output}/${snapshotPath(surface)}`),
  );
  const changed = [...served, ...derivedSurfaces(workspace)];
  const compared = await orNull(async () => {
    const operations = await readOperations(former, changed);
    return shareRenames(changed, (surface, renames) => {
      const [before, after] = [snapshotOf(former, surface), snapshotOf(workspace, surface)];
      const differences =
        before && after
          ? findDifferences({
              before: parseSnapshot(before.base),
              after: parseSnapshot(after.base),
              style: styles[surface.style],
              where: null,
              operations: operations.get(surface.id) ?? [],
              locate: () => null,
              fix: null,
              exhaustiveEnums: false,
              renames,
            })
          : { renames: [], renamed: [] };
      return { surface, ...differences };
    });
  });
  const fixes = new Map<string, string>();
  for (const { surface, renamed } of compared ?? []) {
    const { protocol, style } = surface;
    const others = project.surfaces.filter((one) => one.protocol === protocol && one.style !== style);
    for (const { rename, ...impact } of renamed) {
      const isPortable = impact.file.startsWith(`${project.operations}/${protocol}/${PORTABLE_FOLDER}/`);
      const isShared = others.every(({ id }) =>
        compared?.some((one) => one.surface.id === id && one.renamed.some((each) => each.rename === rename)),
      );
      // Portable operations have the names of one style.
      if (isPortable && isShared && style !== AUTHORED_STYLE) continue;
      const fix =
        isPortable && !isShared
          ? `only ${style} style has renamed it: ${impact.fix} Until the other style follows, that is possible in operations of one style: ${project.operations}/${protocol}/${style}/.`
          : impact.fix;
      fixes.set(placeText(impact), fix);
    }
  }
  return fixes;
}

/** Returns the surfaces that protocols without the authored style have only for their portable operations. */
function derivedSurfaces({ project }: Workspace): Surface[] {
  const authored = project.protocols.map((key) => ({ key, styles: [AUTHORED_STYLE] }));
  return surfacesOf(authored).filter((surface) => !project.surfaces.some(isOf(surface)));
}

/** Returns the snapshot of a surface, which is derived if the surface is; null without one. */
function snapshotOf(workspace: Workspace, surface: Surface): Snapshot | null {
  if (workspace.project.surfaces.some(isOf(surface))) return workspace.snapshot(surface);
  const portable = portableFiles(workspace, surface.protocol);
  return portable && completeSnapshots(portable)[surface.style];
}

/** Returns a tree in which some files have other texts. */
function withTexts(tree: FileTree, texts: ReadonlyMap<string, string>): FileTree {
  const toTextFile = createTextFiles();
  return {
    ...tree,
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? tree.read(path) : toTextFile(path, text);
    },
  };
}
