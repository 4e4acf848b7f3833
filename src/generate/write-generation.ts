import { join } from "node:path";
import { FileError } from "../base/errors.ts";
import { hash } from "../base/hash.ts";
import { isObject } from "../base/parse-json.ts";
import { isForeignFolder, readGeneratedText, readText, readTree } from "../base/read-files.ts";
import { isMarked, type OutputFile, type WriteSummary, writeFiles } from "../base/write-files.ts";
import type { Format } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import { readProjectCache, writeProjectCache } from "../workspace/cache.ts";
import { PACKAGE_PATH } from "../workspace/module-type.ts";
import { readSchemaFiles } from "../workspace/read-snapshots.ts";
import { SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import type { GenerationInputs } from "../workspace/workspace.ts";
import type { Generation } from "./generate-files.ts";
import { SELF_TYPES } from "./javascript-mark.ts";
import { OPERATION_RECORD_PATH } from "./prepare-documents.ts";

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
  const summary = await writeFiles(join(project.root, project.output), files, {
    removals: pathsOf(true),
  });
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

/** Finds what is stale, missing or orphaned on disk. Of files that invalid operations withhold nothing can be said. */
export async function compareGenerated(
  project: ProjectFolders,
  { files, withheld }: Pick<Generation, "files" | "withheld">,
): Promise<Finding[]> {
  const { root, output } = project;
  const placeOf = (path: string, line: number | null = null) => ({
    file: `${output}/${path}`,
    line,
    column: null,
  });
  const findings: Finding[] = [];
  for (const { path, content } of files) {
    const actual = await readGeneratedText(join(root, output, path));
    if (actual === null) {
      findings.push(buildFileFinding("generated/missing", [], { place: placeOf(path) }));
      continue;
    }
    const difference = lineDifference(actual, content);
    if (difference === null) continue;
    findings.push(
      buildFileFinding("generated/stale", [], {
        before: excerpt(difference.expected, difference),
        after: excerpt(difference.actual, difference),
        place: placeOf(path, difference.line),
      }),
    );
  }
  const expected = [...files.map(({ path }) => path), ...withheld];
  for (const { path, ours } of await findOrphans(project, expected)) {
    findings.push(
      buildFileFinding("generated/orphaned", [false], {
        place: placeOf(path),
        ...(ours ? { fix: "run `lockflow generate` and commit the result. It will be removed." } : {}),
      }),
    );
  }
  return findings;
}

const LONGEST_LINE = 160;

/** How many characters of a long line are shown on either side of where it starts to differ. */
const BEFORE = 60;
const AFTER = 100;

/** A line as people are shown it: the part that differs, with what is there but cannot be seen spelled out. */
function excerpt(line: string | null, { column }: LineDifference): string {
  if (line === null) return "(end of file)";
  if (line.length <= LONGEST_LINE) return visible(line);
  const from = Math.max(0, column - 1 - BEFORE);
  const to = column - 1 + AFTER;
  return `${from > 0 ? "…" : ""}${visible(line.slice(from, to))}${to < line.length ? "…" : ""}`;
}

/** A byte order mark alone makes a file stale, and no terminal shows one. */
function visible(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being shown
    /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Where two texts first differ: line and column from 1, and both lines, null past the end of a text. */
export type LineDifference = {
  readonly line: number;
  readonly column: number;
  readonly actual: string | null;
  readonly expected: string | null;
};

/** The first lines in which two texts differ, or null when they are equal. */
export function lineDifference(actual: string, expected: string): LineDifference | null {
  if (actual === expected) return null;
  const [actualLines, expectedLines] = [actual.split("\n"), expected.split("\n")];
  let index = 0;
  while (actualLines[index] === expectedLines[index]) index++;
  const [one, other] = [actualLines[index] ?? null, expectedLines[index] ?? null];
  let same = 0;
  while (one !== null && same < one.length && one[same] === other?.[same]) same++;
  return { line: index + 1, column: same + 1, actual: one, expected: other };
}

/** What a finished generation leaves behind: which inputs gave which bytes. */
export type CachedGeneration = {
  readonly digest: string;
  /** SHA-256 by path, relative to the output folder. */
  readonly files: Readonly<Record<string, string>>;
  /** What was accepted when all of it was checked, as a hash; absent when it was only generated. */
  readonly baseline?: string;
  /** Whether some of the operations do not do what they seem to say; absent when none is known. */
  readonly hasPitfalls?: true;
};

/** Reads what the last generation of a project left; null where there is nothing. */
export async function readGenerationCache(root: string): Promise<CachedGeneration | null> {
  const cache = await readProjectCache(root, "generation");
  const isWhole = typeof cache?.["digest"] === "string" && isObject(cache["files"]);
  return isWhole ? (cache as unknown as CachedGeneration) : null;
}

/**
 * Leaves a finished generation for the next run, if the project has a place for caches.
 *
 * @param checked hashes by path that an earlier run vouches for; a file that has changed since has another.
 * @param told what is known beside: what was accepted when the snapshots were checked as well, and whether a check has
 * something to tell of the operations.
 */
export async function writeGenerationCache(
  root: string,
  digest: string,
  files: readonly OutputFile[],
  checked: Readonly<Record<string, string>>,
  told: Pick<CachedGeneration, "baseline" | "hasPitfalls">,
): Promise<void> {
  const cache: CachedGeneration = {
    digest,
    files: { ...checked, ...Object.fromEntries(files.map((file) => [file.path, hash(file.content)])) },
    ...told,
  };
  await writeProjectCache(root, "generation", cache);
}

/** Whether an earlier generation from these very inputs is on disk, byte for byte and with nothing beside it. */
export async function isCurrent(
  project: ProjectFolders,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<boolean> {
  if (cache === null || cache.digest !== inputs.digest || inputs.findings.length > 0) return false;
  const paths = Object.keys(cache.files);
  const same = await Promise.all(
    paths.map(async (path) => {
      const text = await readGeneratedText(join(project.root, project.output, path));
      return text !== null && hash(text) === cache.files[path];
    }),
  );
  return same.every(Boolean) && (await findOrphans(project, paths)).length === 0;
}

/** Whether the snapshots on disk were checked as well, all of them and as they are. */
export async function isChecked(
  project: ProjectFolders,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<boolean> {
  if (cache === null || !(await isCurrent(project, inputs, cache))) return false;
  const files = await readSchemaFiles(join(project.root, project.output));
  return files.every(({ path, content }) => cache.files[path] === hash(content));
}
