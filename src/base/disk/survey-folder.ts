import { access, constants, readdir, realpath, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** What can be told of a folder without writing to it. */
export type FolderSurvey = {
  /** The folder, or the nearest one above it that is there. */
  readonly path: string;
  readonly isWritable: boolean;
  /** Bytes that are left for us on its disk; null where the system does not tell. */
  readonly free: number | null;
};

/** Surveys a folder that may not be there yet. */
export async function surveyFolder(folder: string): Promise<FolderSurvey> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => null,
  );
  if (isFolder === null && folder !== dirname(folder)) return surveyFolder(dirname(folder));
  const isWritable = isFolder === true && (await access(folder, constants.W_OK).then(yes, no));
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
  return { path: folder, isWritable, free };
}

/** The names of the files in a folder, links to files among them; none where nobody may look. */
export async function readFileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .sort();
}

/** Where a path really leads; null where it leads nowhere. */
export function realPath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

const yes = () => true;
const no = () => false;
