import { join } from "node:path";
import { readText } from "../files/read-tree.ts";
import { hash } from "../utils/hash.ts";
import { findOrphans } from "./find-orphans.ts";
import type { CachedGeneration } from "./generation-cache.ts";
import type { GenerationInputs } from "./generation-inputs.ts";

/**
 * Whether an earlier generation from these very inputs is on disk, byte for byte and with nothing beside it.
 * Told by hashes alone, without loading what parses or generates.
 */
export async function isCurrent(
  outputRoot: string,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<boolean> {
  if (cache === null || cache.digest !== inputs.digest || inputs.findings.length > 0) return false;
  const paths = Object.keys(cache.files);
  const same = await Promise.all(
    paths.map(async (path) => {
      const text = await readText(join(outputRoot, path));
      return text !== null && hash(text) === cache.files[path];
    }),
  );
  if (!same.every(Boolean)) return false;
  return (
    (
      await findOrphans(
        outputRoot,
        paths.map((path) => ({ path })),
      )
    ).length === 0
  );
}
