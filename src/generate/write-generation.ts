import { join } from "node:path";
import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { isForeignFolder, readText, readTree } from "../base/disk/read-tree.ts";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import { FileError } from "../base/errors/file-error.ts";
import type { Project } from "../project/project.ts";
import { SCHEMAS_FOLDER } from "../snapshots/snapshot.ts";
import { OPERATION_RECORD_PATH } from "./operation-record.ts";

/** Code in the output folder that generation does not make. */
export type Orphan = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** Carries the mark of what Lockflow writes, so it may be removed; anything else may be somebody's work. */
  readonly ours: boolean;
};

/** The folders of a project that decide what is an orphan. */
export type ProjectFolders = Pick<Project, "root" | "output" | "operations">;

/**
 * Finds the orphans of the output folder. Snapshots are not looked at, because introspection answers for them,
 * and neither are operations, where the configuration has them below the output folder.
 *
 * @param expected what is generated now, relative to the output folder.
 */
export async function findOrphans(
  { root, output, operations }: ProjectFolders,
  expected: readonly string[],
): Promise<Orphan[]> {
  const known = new Set(expected);
  const present = await readTree(join(root, output), [...CODE, ...GRAPHQL], isNotLookedAt);
  const strays = present.filter(
    (path) =>
      !known.has(path) &&
      !`${output}/${path}`.startsWith(`${operations}/`) &&
      !(path.startsWith(`${SCHEMAS_FOLDER}/`) && GRAPHQL.some((extension) => path.endsWith(extension))),
  );
  return Promise.all(
    strays.map(async (path) => {
      const text = (await readText(join(root, output, path))) ?? "";
      return { path, ours: text.slice(0, 200).includes(GENERATED_MARK) };
    }),
  );
}

/** Published as a package, the output folder holds what the package was built of and what it was built to. */
function isNotLookedAt(folder: string): boolean {
  return isForeignFolder(folder) || folder === "dist";
}

/** Declarations end in `.ts` as well. */
const CODE = [".ts", ".tsx", ".mts", ".cts"];
const GRAPHQL = [".graphql", ".gql"];

/**
 * Writes everything that was generated, and removes what Lockflow wrote before and would not write now.
 *
 * @returns what writing did, and the code in the output folder that is somebody else's and was left alone.
 * @throws FileError
 */
export async function writeGeneration(
  project: ProjectFolders,
  files: readonly OutputFile[],
): Promise<WriteSummary & { readonly foreign: readonly string[] }> {
  const orphans = await findOrphans(
    project,
    files.map(({ path }) => path),
  );
  const removals = orphans.filter(({ ours }) => ours).map(({ path }) => path);
  await requireNobodysWork(project, files);
  const summary = await writeFiles(join(project.root, project.output), files, removals);
  return { ...summary, foreign: orphans.filter(({ ours }) => !ours).map(({ path }) => path) };
}

/**
 * Where generation has never been, a file of a name that it wants may be somebody's own. Later what has no mark is what
 * somebody made of ours, and is made anew.
 *
 * @throws FileError
 */
async function requireNobodysWork(
  { root, output }: ProjectFolders,
  files: readonly OutputFile[],
): Promise<void> {
  const folder = join(root, output);
  if ((await readText(join(folder, OPERATION_RECORD_PATH))) !== null) return;
  for (const { path, content } of files) {
    const text = (await readText(join(folder, path))) ?? "";
    if (text.trim() === "" || text === content || text.slice(0, 200).includes(GENERATED_MARK)) continue;
    throw new FileError({
      code: "FILE_UNWRITABLE",
      sentence: `${output}/${path} is not Lockflow's, and would be overwritten. Nothing was written.`,
      hint: 'move it away, or have another folder as "output" in the configuration.',
    });
  }
}
