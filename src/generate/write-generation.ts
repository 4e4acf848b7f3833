import { join } from "node:path";
import { isMarked, type OutputFile } from "../base/disk/output-file.ts";
import { isForeignFolder, readText, readTree } from "../base/disk/read-tree.ts";
import { type WriteSummary, writeFiles } from "../base/disk/write-files.ts";
import { FileError } from "../base/errors/file-error.ts";
import type { Project } from "../project/project.ts";
import type { Format } from "../project/vocabulary.ts";
import { SCHEMAS_FOLDER } from "../snapshots/snapshot.ts";
import { SELF_TYPES } from "./javascript-mark.ts";
import { OPERATION_RECORD_PATH } from "./operation-record.ts";
import { PACKAGE_PATH } from "./render-package-file.ts";

/** What of a project decides what is an orphan: its folders, and what is generated. */
export type ProjectFolders = Pick<Project, "root" | "output" | "operations" | "format">;

/**
 * Finds code in the output folder that generation does not make; `ours` carries Lockflow's mark and may be removed.
 * Snapshots are not looked at, because introspection answers for them, nor are operations.
 *
 * @param expected what is generated now, relative to the output folder.
 */
export async function findOrphans(
  { root, output, operations, format }: ProjectFolders,
  expected: readonly string[],
): Promise<{ readonly path: string; readonly ours: boolean }[]> {
  const known = new Set(expected);
  // Published as a package, the output folder holds what the package was built to, unless a protocol has that name.
  const isBuilt = !expected.some((path) => path.startsWith("dist/"));
  const isSkipped = (folder: string) => isForeignFolder(folder) || (isBuilt && folder === "dist");
  const extensions = [...TYPESCRIPT, ...JAVASCRIPT, ...GRAPHQL, PACKAGE_PATH];
  const present = await readTree(join(root, output), extensions, isSkipped);
  const strays = present.filter(
    (path) =>
      !known.has(path) &&
      !`${output}/${path}`.startsWith(`${operations}/`) &&
      !(path.startsWith(`${SCHEMAS_FOLDER}/`) && GRAPHQL.some((extension) => path.endsWith(extension))),
  );
  const read = await Promise.all(
    strays.map(async (path) => ({ path, text: await readText(join(root, output, path)) })),
  );
  return read
    .filter(({ path, text }) => isCandidate(path, text, format))
    .map(({ path, text }) => ({ path, ours: isMarked(text) }));
}

/** Whether a file is of a kind that is generated. What a compiler makes of a project's TypeScript is not looked at. */
function isCandidate(path: string, text: string | null, format: Format): boolean {
  if (path.endsWith(PACKAGE_PATH)) return path === PACKAGE_PATH && isMarked(text);
  return format === "js" || !JAVASCRIPT.some((extension) => path.endsWith(extension)) || isEmitted(text);
}

/** Whether JavaScript was written by Lockflow, and not made of its TypeScript. */
function isEmitted(text: string | null): boolean {
  return isMarked(text) && text?.split("\n", 2)[1]?.includes(SELF_TYPES) === true;
}

/** Declarations end in `.ts` as well. */
const TYPESCRIPT = [".ts", ".tsx", ".mts", ".cts"];
const JAVASCRIPT = [".js", ".jsx", ".mjs", ".cjs"];
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

/** Where generation has never been in this format, a file of a name that it wants may be somebody's own; later it is ours. */
async function requireNobodysWork(
  { root, output, format }: ProjectFolders,
  files: readonly OutputFile[],
): Promise<void> {
  const folder = join(root, output);
  const hasRecord = (await readText(join(folder, OPERATION_RECORD_PATH))) !== null;
  if (hasRecord && format === "ts") return;
  const texts = await Promise.all(files.map(({ path }) => readText(join(folder, path))));
  if (hasRecord && texts.some(isEmitted)) return;
  for (const [index, { path, content }] of files.entries()) {
    const text = texts[index] ?? "";
    if (hasRecord && path === OPERATION_RECORD_PATH) continue;
    if (text.trim() === "" || text === content || isMarked(text)) continue;
    throw new FileError({
      code: "FILE_UNWRITABLE",
      sentence: `${output}/${path} is not Lockflow's, and would be overwritten. Nothing was written.`,
      hint: 'move it away, or have another folder as "output" in the configuration.',
    });
  }
}
