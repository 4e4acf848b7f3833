import { createMemo, type Memo } from "../base/create-memo.ts";
import type { Generation } from "../generate/generate-files.ts";
import { type CachedGeneration, isCurrent } from "../generate/generation-cache.ts";
import type { GenerationInputs } from "../generate/generation-inputs.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { CheckedSchemas } from "./check-schemas.ts";

/** What was found wrong in a repository, and what it was compared with. */
export type CheckedRepository = CheckedSchemas & {
  /** What was generated for comparison; empty when an earlier generation is known to be current. */
  readonly generated: Generation["files"];
};

/**
 * Checks what is in a repository: that generated files and snapshots are as they were written, that operations are
 * valid and do what they say, and that the styles agree.
 *
 * @param cache what an earlier run knows to be current; null to look at everything.
 */
export async function checkRepository(
  project: Project,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<CheckedRepository> {
  const { checkSchemas } = await import("./check-schemas.ts");
  // A snapshot is looked at three times, and parsed once.
  const memo = createMemo();
  const generated: { readonly files: Generation["files"]; readonly findings: readonly Finding[] } =
    // What it knows to be current may still not do what it says, which is told again every time.
    !cache?.hasPitfalls && (await isCurrent(project, inputs, cache))
      ? { files: [], findings: [] }
      : await compareWithGeneration(project, inputs, memo);
  const schemas = await checkSchemas(project, memo);
  return { ...schemas, findings: [...schemas.findings, ...generated.findings], generated: generated.files };
}

async function compareWithGeneration(project: Project, inputs: GenerationInputs, memo: Memo) {
  const { generateFiles } = await import("../generate/generate-files.ts");
  const { compareGenerated } = await import("../generate/compare-generated.ts");
  const generation = await generateFiles(project, inputs, memo);
  const stale = await compareGenerated(project, generation);
  const findings = [...generation.findings, ...generation.pitfalls, ...stale];
  return { files: generation.files, findings };
}
