import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileError } from "../errors/file-error.ts";
import type { OutputFile } from "./output-file.ts";

/** What writing did, as paths relative to the output folder. */
export type WriteSummary = {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
};

/** The ending of files under way; what a killed run leaves of them, the next run removes. */
const TEMPORARY = ".lockflow-tmp";

/**
 * The one place that writes. Every changed file is first written beside its target, and only when all of them
 * are on disk are they renamed, so that a full disk, a read-only folder or a kill leaves the old files intact.
 * A file whose bytes would not change is not touched.
 *
 * @param root absolute path of the output folder.
 * @param removals files to remove afterwards, relative to `root`.
 * @throws FileError
 */
export async function writeFiles(
  root: string,
  files: readonly OutputFile[],
  removals: readonly string[] = [],
): Promise<WriteSummary> {
  const unchanged: string[] = [];
  const staged: { readonly path: string; readonly temporary: string; readonly target: string }[] = [];
  try {
    for (const file of files) {
      const target = join(root, file.path);
      if (await holds(target, file.content)) {
        unchanged.push(file.path);
        continue;
      }
      const temporary = `${target}${TEMPORARY}`;
      staged.push({ path: file.path, temporary, target });
      await mkdir(dirname(target), { recursive: true });
      await writeFile(temporary, file.content);
    }
    for (const { temporary, target } of staged) await rename(temporary, target);
    for (const path of removals) await rm(join(root, path), { force: true });
    for (const folder of new Set(files.map(({ path }) => dirname(join(root, path)))))
      await removeLeftovers(folder);
  } catch (cause) {
    await Promise.allSettled(staged.map(({ temporary }) => rm(temporary, { force: true })));
    const error = cause as NodeJS.ErrnoException;
    throw new FileError({
      code: "FILE_UNWRITABLE",
      sentence: `${error.path ?? root} cannot be written (${error.code ?? error.message}).`,
      hint: "check that the folder is writable for you and that the disk has room; the old files are as they were.",
      cause,
    });
  }
  return { written: staged.map(({ path }) => path), unchanged, removed: removals };
}

async function holds(path: string, content: string): Promise<boolean> {
  try {
    return (await readFile(path, "utf8")) === content;
  } catch {
    return false;
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(TEMPORARY)) await rm(join(folder, name), { force: true });
  }
}
