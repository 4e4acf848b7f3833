import { join } from "node:path";
import type { OutputFile } from "../base/disk/output-file.ts";
import { readGeneratedText } from "../base/disk/read-tree.ts";
import { hash } from "../base/hash.ts";
import { isObject } from "../base/is-object.ts";
import { readSchemaFiles } from "../snapshots/read-snapshots.ts";
import type { GenerationInputs } from "./generation-inputs.ts";
import { readProjectCache, writeProjectCache } from "./project-cache.ts";
import { findOrphans, type ProjectFolders } from "./write-generation.ts";

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
