import { join } from "node:path";
import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { isForeignFolder, readText, readTree } from "../base/disk/read-tree.ts";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import { FileError } from "../base/errors/file-error.ts";
import type { Project } from "../project/project.ts";
import { SCHEMAS_FOLDER } from "../snapshots/snapshot.ts";
import { OPERATION_RECORD_PATH } from "./operation-record.ts";

/** The folders of a project that decide what is an orphan. */
export type ProjectFolders = Pick<Project, "root" | "output" | "operations">;

/**
 * Finds code in the output folder that generation does not make; `ours` carries Lockflow's mark and may be removed.
 * Snapshots are not looked at, because introspection answers for them, nor are operations.
 *
 * @param expected what is generated now, relative to the output folder.
 */
export async function findOrphans(
  { root, output, operations }: ProjectFolders,
  expected: readonly string[],
): Promise<{ readonly path: string; readonly ours: boolean }[]> {
  const known = new Set(expected);
  // Published as a package, the output folder holds what the package was built to, unless a protocol has that name.
  const isBuilt = !expected.some((path) => path.startsWith("dist/"));
  const isSkipped = (folder: string) => isForeignFolder(folder) || (isBuilt && folder === "dist");
  const present = await readTree(join(root, output), [...CODE, ...GRAPHQL], isSkipped);
  const strays = present.filter(
    (path) =>
      !known.has(path) &&
      !`${output}/${path}`.startsWith(`${operations}/`) &&
      !(path.startsWith(`${SCHEMAS_FOLDER}/`) && GRAPHQL.some((extension) => path.endsWith(extension))),
  );
  return Promise.all(
    strays.map(async (path) => ({ path, ours: isMarked(await readText(join(root, output, path))) })),
  );
}

function isMarked(text: string | null): boolean {
  return text?.slice(0, 200).includes(GENERATED_MARK) === true;
}

/** Declarations end in `.ts` as well. */
const CODE = [".ts", ".tsx", ".mts", ".cts"];
const GRAPHQL = [".graphql", ".gql"];

/**
 * Writes what was generated, and removes what Lockflow wrote before and would not write now. What is foreign is left.
 *
 * @throws FileError
 */
export async function writeGeneration(
  project: ProjectFolders,
  files: readonly OutputFile[],
): Promise<WriteSummary & { readonly foreign: readonly string[] }> {
  const paths = files.map(({ path }) => path);
  const orphans = await findOrphans(project, paths);
  const pathsOf = (isOurs: boolean) => orphans.flatMap(({ path, ours }) => (ours === isOurs ? [path] : []));
  await requireNobodysWork(project, files);
  const summary = await writeFiles(join(project.root, project.output), files, pathsOf(true));
  return { ...summary, foreign: pathsOf(false) };
}

/**
 * Writes some of what is generated, and removes nothing.
 *
 * @throws FileError
 */
export async function writeSelected(
  project: ProjectFolders,
  files: readonly OutputFile[],
): Promise<WriteSummary> {
  await requireNobodysWork(project, files);
  return writeFiles(join(project.root, project.output), files);
}

/** Where generation has never been, a file of a name that it wants may be somebody's own; later it is ours. */
async function requireNobodysWork(
  { root, output }: ProjectFolders,
  files: readonly OutputFile[],
): Promise<void> {
  const folder = join(root, output);
  if ((await readText(join(folder, OPERATION_RECORD_PATH))) !== null) return;
  for (const { path, content } of files) {
    const text = (await readText(join(folder, path))) ?? "";
    if (text.trim() === "" || text === content || isMarked(text)) continue;
    throw new FileError({
      code: "FILE_UNWRITABLE",
      sentence: `${output}/${path} is not Lockflow's, and would be overwritten. Nothing was written.`,
      hint: 'move it away, or have another folder as "output" in the configuration.',
    });
  }
}
