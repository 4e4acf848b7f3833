import { join } from "node:path";
import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { readText } from "../base/disk/read-tree.ts";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import { FileError } from "../base/errors/file-error.ts";
import { findOrphans, type ProjectFolders } from "./find-orphans.ts";
import { OPERATION_RECORD_PATH } from "./operation-record.ts";

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
