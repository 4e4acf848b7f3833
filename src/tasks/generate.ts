import { LockflowError } from "../base/errors.ts";
import { isCurrent, readGenerationCache, writeGenerationCache } from "../generate/write-generation.ts";
import { leftOut, openProject, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { NOTHING_ACCEPTED } from "../workspace/baseline.ts";
import { hasCache } from "../workspace/cache.ts";
import { readGenerationInputs } from "../workspace/generation-inputs.ts";
import { OPERATION_RECORD_PATH, SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import { isUniform, openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { type GenerateResult, generateProject, nothingOf } from "./generate/generate-project.ts";

/** Generates the files of a project. See `generate` in `src/index.ts`. */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  return runGenerate(await openProject(options));
}

/** The options of `generate`. */
export type GenerateOptions = Pick<ProjectOptions, "cwd" | "config">;

/**
 * Generates the files that are not current, and caches the hashes of current files for the next run.
 *
 * @param beforeWork called if a file may not be current.
 * @throws OperationError, SchemaError, FileError
 */
export async function runGenerate(
  project: Project,
  beforeWork?: () => Promise<void> | undefined,
): Promise<GenerateResult> {
  const workspace = openWorkspace(project);
  const inputs = await readGenerationInputs(workspace);
  const cache = await readGenerationCache(project.root);
  if (cache && isCurrent(workspace, inputs, cache)) {
    const unchanged = Object.keys(cache.files).filter(
      (path) => path === OPERATION_RECORD_PATH || !path.startsWith(`${SCHEMAS_FOLDER}/`),
    );
    return { ...nothingOf(project), unchanged, isCached: true };
  }
  await beforeWork?.();
  if (leftOut(project).length > 0) {
    const { generateSelected } = await import("./generate/generate-selected.ts");
    return generateSelected(workspace, inputs);
  }
  const { files, pitfalls, ...result } = await generateProject(workspace, inputs);
  // The next run must report warnings again, so it may not be skipped.
  if (result.findings.length > 0 || !hasCache(project.root)) return result;
  // The snapshots are already parsed, which takes most of the time of a check.
  const isClean = pitfalls.length === 0 && (await areSnapshotsClean(workspace));
  await writeGenerationCache(workspace, files, {
    digest: inputs.digest,
    files: {},
    pitfalls,
    ...(isClean && { baseline: NOTHING_ACCEPTED }),
  });
  return result;
}

/** Whether the snapshots have no findings. `check` reports them. */
async function areSnapshotsClean(workspace: Workspace): Promise<boolean> {
  // Only `check` compares the schemas of a fleet.
  if (!isUniform(workspace)) return false;
  const { checkSchemas } = await import("../compare/parity.ts");
  try {
    return checkSchemas(workspace).findings.length === 0;
  } catch (error) {
    if (error instanceof LockflowError) return false;
    throw error;
  }
}
