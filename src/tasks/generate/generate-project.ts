import type { Generation } from "../../generate/generate-files.ts";
import { writeGeneration } from "../../generate/write-generation.ts";
import type { ProjectPlace } from "../../project/load-project.ts";
import type { Project } from "../../project/project.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import type { GenerationInputs } from "../../workspace/generation-inputs.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The result of generating. Paths are relative to the output folder. */
export type GenerateResult = ProjectPlace & {
  /** Errors in operations, and operations that some chains cannot answer. */
  readonly findings: readonly Finding[];
  /** The findings that are errors. If there are any, nothing was written. */
  readonly failed: readonly Finding[];
  /** Files that are new or have changed. */
  readonly written: readonly string[];
  /** Files that were current. */
  readonly unchanged: readonly string[];
  /** Files of an earlier run that are no longer generated. */
  readonly removed: readonly string[];
  /** Code in the output folder that Lockflow did not generate. It was not changed. */
  readonly foreign: readonly string[];
  /** Files that list all operations and were not updated, because operations outside the selection have errors. */
  readonly kept: readonly string[];
  /** Whether an earlier run generated the same from unchanged inputs, so that nothing was generated. */
  readonly isCached: boolean;
};

/**
 * Generates all files into the output folder. Writes none if operations have errors.
 *
 * @throws FileError
 */
export async function generateProject(
  workspace: Workspace,
  inputs: GenerationInputs,
): Promise<GenerateResult & Pick<Generation, "files" | "pitfalls">> {
  const { project } = workspace;
  const { generateFiles } = await import("../../generate/generate-files.ts");
  const { files, findings: unexplained, pitfalls } = await generateFiles(project, inputs);
  const findings = await explainFindings(workspace, unexplained);
  const failed = findings.filter(isBreaking);
  const result = { ...nothingOf(project), files, pitfalls, findings, failed };
  return failed.length > 0 ? result : { ...result, ...(await writeGeneration(project, files)) };
}

/** Adds the new names to findings about renamed members. */
export async function explainFindings(workspace: Workspace, findings: readonly Finding[]) {
  if (!findings.some(isBreaking)) return findings;
  const { explainRenames } = await import("../../compare/explain-renames.ts");
  return explainRenames(workspace, findings);
}

/** Returns the result of a run that generated nothing. */
export function nothingOf({ root, output }: Project): GenerateResult {
  const none = { findings: [], failed: [], written: [], unchanged: [], removed: [], foreign: [], kept: [] };
  return { root, output, ...none, isCached: false };
}
