import { createMemo, type Memo } from "../base/collections.ts";
import { LockflowError } from "../base/errors.ts";
import { NOTHING_ACCEPTED } from "../compare/baseline.ts";
import type { CheckedSchemas } from "../compare/parity.ts";
import { OPERATION_RECORD_PATH } from "../generate/prepare-documents.ts";
import { isCurrent, readGenerationCache, writeGenerationCache } from "../generate/write-generation.ts";
import { leftOut, openProject, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { hasCache } from "../workspace/cache.ts";
import { SCHEMAS_FOLDER } from "../workspace/snapshot.ts";
import { readGenerationInputs } from "../workspace/workspace.ts";
import { type GenerateResult, generateProject, nothingOf } from "./generate/generate-project.ts";

/** Generates the files of a project: see `generate` of `src/index.ts`. */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  return runGenerate(await openProject(options));
}

/** The options of `generate`. */
export type GenerateOptions = Pick<ProjectOptions, "cwd" | "config">;

/**
 * Generates what is not current, and leaves for the next run what is known of it.
 *
 * @throws OperationError, SchemaError, FileError
 */
export async function runGenerate(project: Project): Promise<GenerateResult> {
  const inputs = await readGenerationInputs(project);
  const cache = await readGenerationCache(project.root);
  if (cache && (await isCurrent(project, inputs, cache))) {
    const unchanged = Object.keys(cache.files).filter(
      (path) => path === OPERATION_RECORD_PATH || !path.startsWith(`${SCHEMAS_FOLDER}/`),
    );
    return { ...nothingOf(project), unchanged, isCached: true };
  }
  if (leftOut(project).length > 0) {
    const { generateSelected } = await import("./generate/generate-selected.ts");
    return generateSelected(project, inputs);
  }
  const memo = createMemo();
  const { files, pitfalls, ...result } = await generateProject(project, inputs, memo);
  // With warnings the next run has to say them again, so it must not be spared.
  if (result.findings.length > 0 || !hasCache(project.root)) return result;
  // They are parsed already, of which a check would take most of its time.
  const schemaFiles = await readCleanSchemas(project, memo);
  await writeGenerationCache(
    project.root,
    inputs.digest,
    [...files, ...(schemaFiles ?? [])],
    {},
    {
      ...(schemaFiles === null || pitfalls.length > 0 ? {} : { baseline: NOTHING_ACCEPTED }),
      ...(pitfalls.length > 0 && { hasPitfalls: true }),
    },
  );
  return result;
}

/** The snapshots when nothing is wrong with them, else null: what is wrong is for `check` to tell. */
async function readCleanSchemas(project: Project, memo: Memo): Promise<CheckedSchemas["schemaFiles"] | null> {
  const { checkSchemas } = await import("../compare/parity.ts");
  try {
    const { findings, schemaFiles } = await checkSchemas(project, memo);
    return findings.length === 0 ? schemaFiles : null;
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}
