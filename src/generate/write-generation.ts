import { join } from "node:path";
import type { OutputFile } from "../files/output-file.ts";
import { type WriteSummary, writeFiles } from "../files/write-files.ts";
import { findOrphans, type ProjectFolders } from "./find-orphans.ts";

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
  const summary = await writeFiles(join(project.root, project.output), files, removals);
  return { ...summary, foreign: orphans.filter(({ ours }) => !ours).map(({ path }) => path) };
}
