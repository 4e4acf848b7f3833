import { join } from "node:path";
import { readGeneratedText } from "../base/disk/read-tree.ts";
import { hash } from "../base/hash.ts";
import { readSchemaFiles } from "../snapshots/read-schema-files.ts";
import { findOrphans, type ProjectFolders } from "./find-orphans.ts";
import type { CachedGeneration } from "./generation-cache.ts";
import type { GenerationInputs } from "./generation-inputs.ts";

/**
 * Whether an earlier generation from these very inputs is on disk, byte for byte and with nothing beside it.
 * Told by hashes alone, without loading what parses or generates.
 */
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

/**
 * Whether all of that was checked as well, the folder of snapshots with it. Only `check` leaves the hashes of
 * those files in the cache: `generate` takes snapshots as they are, so what it left vouches for none.
 */
export async function isChecked(
  project: ProjectFolders,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<boolean> {
  if (cache === null || !(await isCurrent(project, inputs, cache))) return false;
  const files = await readSchemaFiles(join(project.root, project.output));
  return files.every(({ path, content }) => cache.files[path] === hash(content));
}
