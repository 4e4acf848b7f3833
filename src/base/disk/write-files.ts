import { DISK } from "./disk.ts";
import type { OutputFile } from "./output-file.ts";
import { removeLeftovers } from "./remove-leftovers.ts";
import { replaceFiles, type WriteSummary } from "./replace-files.ts";

export type { WriteSummary } from "./replace-files.ts";

/**
 * The one place that writes. All files change together or none does: each changed one is first written beside its
 * target, and only when all of them are on disk and every target can be replaced are they renamed, in one go. What
 * they are is on disk until then, so that a run that is killed right there is finished by the next one. Runs at once
 * end as if one came after the other. A file whose bytes would not change is not touched.
 *
 * @param root absolute path of the output folder.
 * @param removals files to remove as well, relative to `root`.
 * @throws FileError
 */
export async function writeFiles(
  root: string,
  files: readonly OutputFile[],
  removals: readonly string[] = [],
): Promise<WriteSummary> {
  const summary = await replaceFiles(root, files, removals, DISK);
  await removeLeftovers(root, files);
  return summary;
}
