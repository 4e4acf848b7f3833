import { join } from "node:path";
import { FileError } from "../base/errors.ts";
import { openDisk } from "../base/file-tree.ts";
import { hash } from "../base/hash.ts";
import { isMarked, type OutputFile } from "../base/output-file.ts";
import { isObject } from "../base/parse-json.ts";
import { isForeignFolder } from "../base/read-files.ts";
import type { WriteSummary } from "../base/write-files.ts";
import type { Format } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { type Finding, isBreaking } from "../report/finding.ts";
import { readProjectCache, writeProjectCache } from "../workspace/cache.ts";
import type { GenerationInputs } from "../workspace/generation-inputs.ts";
import { PACKAGE_PATH } from "../workspace/module-type.ts";
import { OPERATION_RECORD_PATH, SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import { committedFiles, type Workspace } from "../workspace/workspace.ts";
import { SELF_TYPES } from "./format-files.ts";
import type { Generation } from "./generate-files.ts";

/** The parts of a project that decide which files are orphans. */
export type ProjectFolders = Pick<Project, "root" | "output" | "operations" | "format">;

type FolderFiles = Pick<Workspace, "tree"> & { readonly project: ProjectFolders };

/**
 * Finds code in the output folder that is not generated now. `ours` is true for files with Lockflow's mark, which may be
 * removed. Skips snapshots, which belong to introspection, and operations.
 *
 * @param expected the paths of generated files, relative to the output folder.
 */
export function findOrphans(
  { project: { output, operations, format }, tree }: FolderFiles,
  expected: readonly string[],
): { readonly path: string; readonly ours: boolean }[] {
  const paths = new Set(expected);
  // If the output folder is published as a package, `dist` contains its build, unless a protocol has that name.
  const isBuilt = !expected.some((path) => path.startsWith("dist/"));
  const isSkipped = (folder: string) => isForeignFolder(folder) || (isBuilt && folder === "dist");
  const extensions = [...TYPESCRIPT, ...JAVASCRIPT, ...GRAPHQL, PACKAGE_PATH];
  return tree
    .list(output, extensions, isSkipped)
    .filter(
      (path) =>
        !paths.has(path) &&
        !`${output}/${path}`.startsWith(`${operations}/`) &&
        !(path.startsWith(`${SCHEMAS_FOLDER}/`) && GRAPHQL.some((extension) => path.endsWith(extension))),
    )
    .map((path) => ({ path, text: tree.read(`${output}/${path}`)?.text ?? null }))
    .filter(({ path, text }) => isCandidate(path, text, format))
    .map(({ path, text }) => ({ path, ours: isMarked(text) }));
}

/** Whether a file is of a generated kind. The compiler's output of a project's TypeScript is not. */
function isCandidate(path: string, text: string | null, format: Format): boolean {
  if (path.endsWith(PACKAGE_PATH)) return path === PACKAGE_PATH && isMarked(text);
  return format === "js" || !JAVASCRIPT.some((extension) => path.endsWith(extension)) || isEmitted(text);
}

/** Whether JavaScript was written by Lockflow, not compiled from its TypeScript. */
function isEmitted(text: string | null): boolean {
  return isMarked(text) && text?.split("\n", 5).some((line) => line.startsWith(`// ${SELF_TYPES}`)) === true;
}

/** Declarations end in `.ts` as well. */
const TYPESCRIPT = [".ts", ".tsx", ".mts", ".cts"];
const JAVASCRIPT = [".js", ".jsx", ".mjs", ".cjs"];
const GRAPHQL = [".graphql", ".gql"];

/**
 * Writes the generated files, and removes those of an earlier generation. Leaves other files alone.
 *
 * @throws FileError
 */
export async function writeGeneration(
  project: ProjectFolders,
  files: readonly OutputFile[],
): Promise<WriteSummary & { readonly foreign: readonly string[] }> {
  // Read anew, because a watch has read only a part of the output folder.
  const onDisk = { project, tree: openDisk(project.root) };
  const orphans = findOrphans(
    onDisk,
    files.map(({ path }) => path),
  );
  const removals = orphans.filter(({ ours }) => ours).map(({ path }) => path);
  const summary = await writeSelected(project, files, removals);
  return { ...summary, foreign: orphans.filter(({ ours }) => !ours).map(({ path }) => path) };
}

/**
 * Writes some of the generated files.
 *
 * @throws FileError
 */
export async function writeSelected(
  project: ProjectFolders,
  files: readonly OutputFile[],
  removals: readonly string[] = [],
): Promise<WriteSummary> {
  requireOwn({ project, tree: openDisk(project.root) }, files);
  const { writeFiles } = await import("../base/write-files.ts");
  return writeFiles(join(project.root, project.output), files, { removals });
}

/**
 * Refuses to overwrite files that Lockflow did not write. Once generation has been there in this format, a file of a
 * generated name is Lockflow's.
 */
function requireOwn({ project: { output, format }, tree }: FolderFiles, files: readonly OutputFile[]): void {
  const textOf = (path: string) => tree.read(`${output}/${path}`)?.text ?? "";
  const hasRecord = tree.read(`${output}/${OPERATION_RECORD_PATH}`) !== null;
  if (hasRecord && format === "ts") return;
  if (hasRecord && files.some(({ path }) => isEmitted(textOf(path)))) return;
  for (const { path, content } of files) {
    const text = textOf(path);
    if (hasRecord && path === OPERATION_RECORD_PATH) continue;
    if (text.trim() === "" || text === content || isMarked(text)) continue;
    throw new FileError({
      code: "FILE_UNWRITABLE",
      sentence: `${output}/${path} was not written by Lockflow, and would be overwritten. Nothing was written.`,
      hint: 'move it away, or set "output" in the configuration to another folder.',
    });
  }
}

/** Finds stale and missing files on disk, and if the operations have no errors, orphaned ones. */
export function compareGenerated(
  workspace: Pick<Workspace, "project" | "tree">,
  { files, findings: errors }: Pick<Generation, "files" | "findings">,
): Finding[] {
  const { output } = workspace.project;
  const placeOf = (path: string, line: number | null = null) => ({
    file: `${output}/${path}`,
    line,
    column: null,
  });
  // Nothing is written while there are errors.
  const blocked = errors.some(isBreaking) && {
    fix: "correct the errors in the operations first, and then run `lockflow generate` and commit the result.",
  };
  const findings: Finding[] = [];
  for (const { path, content } of files) {
    const actual = workspace.tree.read(`${output}/${path}`)?.content;
    if (actual === undefined) {
      findings.push(buildFileFinding("generated/missing", [], { ...blocked, place: placeOf(path) }));
      continue;
    }
    if (actual === content) continue;
    const { line, ...texts } = firstDifference(actual, content);
    findings.push(
      buildFileFinding("generated/stale", [], { ...blocked, ...texts, place: placeOf(path, line) }),
    );
  }
  // Files of invalid operations are not generated, but they are not orphans.
  if (blocked) return findings;
  const expected = files.map(({ path }) => path);
  for (const { path, ours } of findOrphans(workspace, expected)) {
    findings.push(
      buildFileFinding("generated/orphaned", [false], {
        place: placeOf(path),
        ...(ours && { fix: "run `lockflow generate` and commit the result. It will be removed." }),
      }),
    );
  }
  return findings;
}

/** Returns the number of the first line in which a text differs, the expected line and the actual one. */
function firstDifference(actual: string, expected: string) {
  const [actualLines, expectedLines] = [actual.split("\n"), expected.split("\n")];
  let index = 0;
  while (actualLines[index] === expectedLines[index]) index++;
  const [line, expectedLine] = [actualLines[index], expectedLines[index]];
  let column = 0;
  while (line !== undefined && column < line.length && line[column] === expectedLine?.[column]) column++;
  return { line: index + 1, before: excerpt(expectedLine, column), after: excerpt(line, column) };
}

const LONGEST_LINE = 160;

/** How many characters of a long line are shown before and after the first difference. */
const BEFORE = 60;
const AFTER = 100;

/** Returns the part of a line around a column from 0, with invisible characters escaped. */
function excerpt(line: string | undefined, column: number): string {
  if (line === undefined) return "(end of file)";
  if (line.length <= LONGEST_LINE) return visible(line);
  const from = Math.max(0, column - BEFORE);
  const to = column + AFTER;
  return `${from > 0 ? "…" : ""}${visible(line.slice(from, to))}${to < line.length ? "…" : ""}`;
}

/** Escapes invisible characters, such as a byte order mark, which alone makes a file stale. */
function visible(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are escaped
    /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The cache of a finished generation: hashes of its inputs and its files. */
export type CachedGeneration = {
  readonly digest: string;
  /** SHA-256 by path, relative to the output folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The hash of the accepted findings of the last check; absent if there was only a generation. */
  readonly baseline?: string;
  /** The pitfalls of the operations, which every check reports. */
  readonly pitfalls: readonly Finding[];
};

/** Reads the cache of the last generation of a project; null if there is none. */
export async function readGenerationCache(root: string): Promise<CachedGeneration | null> {
  const cache = await readProjectCache(root, "generation");
  const isWhole =
    typeof cache?.["digest"] === "string" && isObject(cache["files"]) && Array.isArray(cache["pitfalls"]);
  return isWhole ? (cache as unknown as CachedGeneration) : null;
}

/**
 * Caches a finished generation for the next run, if the project has a place for caches.
 *
 * @param files current files, whose hashes are added to those of the cache; with a baseline also the snapshots'.
 */
export async function writeGenerationCache(
  workspace: Workspace,
  files: readonly OutputFile[],
  cache: CachedGeneration,
): Promise<void> {
  const current = cache.baseline === undefined ? files : [...files, ...committedFiles(workspace)];
  const hashes = Object.fromEntries(current.map(({ path, content }) => [path, hash(content)]));
  const content = { ...cache, files: { ...cache.files, ...hashes } };
  await writeProjectCache(workspace.project.root, "generation", content);
}

/** Returns whether the files of an earlier generation from the same inputs are on disk unchanged, without orphans. */
export function isCurrent(
  workspace: Workspace,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): boolean {
  if (cache === null || cache.digest !== inputs.digest || inputs.findings.length > 0) return false;
  const paths = Object.keys(cache.files);
  const isSame = (path: string) => {
    const file = workspace.generated(path);
    return file !== null && hash(file.content) === cache.files[path];
  };
  return paths.every(isSame) && findOrphans(workspace, paths).length === 0;
}

/** Returns whether an earlier run also checked every snapshot in its present state. */
export function isChecked(
  workspace: Workspace,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): boolean {
  if (cache === null || !isCurrent(workspace, inputs, cache)) return false;
  return committedFiles(workspace).every(({ path, content }) => cache.files[path] === hash(content));
}
