import { randomUUID } from "node:crypto";
import { access, constants, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileError } from "../errors/file-error.ts";
import type { OutputFile } from "./output-file.ts";

/** What writing did, as paths relative to the output folder. */
export type WriteSummary = {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
};

/** The ending of files under way, after a name that no other run has; what a killed run leaves of them, a later run removes. */
const TEMPORARY = ".lockflow-tmp";

/** Milliseconds after which a file under way belongs to no run any more. */
const ABANDONED_AFTER = 60_000;

/**
 * The one place that writes. Every changed file is first written beside its target, and only when all of them
 * are on disk and every target can be replaced are they renamed, so that a full disk, a read-only folder or a
 * kill leaves the old files intact. Two runs at once do not disturb each other: each file is one run's or the
 * other's. A file whose bytes would not change is not touched.
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
  const run = randomUUID();
  const unchanged: string[] = [];
  const staged: { readonly path: string; readonly temporary: string; readonly target: string }[] = [];
  let hasReplaced = false;
  try {
    for (const file of files) {
      const target = join(root, file.path);
      if (await holds(target, file.content)) {
        unchanged.push(file.path);
        continue;
      }
      const temporary = `${target}.${run}${TEMPORARY}`;
      staged.push({ path: file.path, temporary, target });
      await mkdir(dirname(target), { recursive: true });
      await writeFile(temporary, file.content);
    }
    for (const { target } of staged) await refuseFolder(target);
    for (const path of removals) await requireRemovable(join(root, path));
    for (const { temporary, target } of staged) {
      await rename(temporary, target);
      hasReplaced = true;
    }
    for (const path of removals) {
      await rm(join(root, path), { force: true });
      hasReplaced = true;
    }
  } catch (cause) {
    await Promise.allSettled(staged.map(({ temporary }) => rm(temporary, { force: true })));
    throw unwritable(root, cause as NodeJS.ErrnoException, hasReplaced);
  }
  const folders = new Set(files.map(({ path }) => dirname(join(root, path))));
  for (const folder of folders) await removeLeftovers(folder);
  return { written: staged.map(({ path }) => path), unchanged, removed: removals };
}

async function holds(path: string, content: string): Promise<boolean> {
  try {
    return (await readFile(path, "utf8")) === content;
  } catch {
    return false;
  }
}

/** No file can take a folder's place; that the folder around it takes files, its temporary file has shown. */
async function refuseFolder(path: string): Promise<void> {
  const target = await lstat(path).catch(nullIfMissing);
  if (target?.isDirectory())
    throw Object.assign(new Error("a folder is in its place"), { code: "EISDIR", path });
}

async function requireRemovable(path: string): Promise<void> {
  await refuseFolder(path);
  // What is gone already needs no permission to go.
  await access(dirname(path), constants.W_OK).catch(nullIfMissing);
}

function nullIfMissing(cause: NodeJS.ErrnoException): null {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
  throw cause;
}

function unwritable(root: string, cause: NodeJS.ErrnoException, hasReplaced: boolean): FileError {
  return new FileError({
    code: "FILE_UNWRITABLE",
    sentence: `${cause.path ?? root} cannot be written (${cause.code ?? cause.message}).`,
    hint: hasReplaced
      ? "some files are new already and each is whole: set this right and run the command again."
      : "check that the folder is writable for you and that the disk has room; the old files are as they were.",
    cause,
  });
}

/** Only tidies up: the files are written by then, so nothing that fails here is worth failing for. */
async function removeLeftovers(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      if (!name.endsWith(TEMPORARY)) continue;
      const path = join(folder, name);
      const file = await lstat(path);
      if (file.isFile() && Date.now() - file.mtimeMs > ABANDONED_AFTER) await rm(path, { force: true });
    }
  } catch {
    // Another run is tidying up as well, or the folder lets nobody.
  }
}
