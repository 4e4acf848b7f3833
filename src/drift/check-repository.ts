import { join } from "node:path";
import { createMemo, type Memo } from "../base/create-memo.ts";
import type { Generation } from "../generate/generate-files.ts";
import { type CachedGeneration, isCurrent } from "../generate/generation-cache.ts";
import type { GenerationInputs } from "../generate/generation-inputs.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { ParseSnapshot } from "../snapshots/check-snapshots.ts";
import { readSchemaFiles, readSnapshots } from "../snapshots/read-snapshots.ts";

/** What was found wrong in a repository, and what it was compared with. */
export type CheckedRepository = {
  readonly findings: readonly Finding[];
  /** What was generated for comparison; empty when an earlier generation is known to be current. */
  readonly generated: Generation["files"];
  readonly schemaFiles: Awaited<ReturnType<typeof readSchemaFiles>>;
  /** Whether a snapshot is not as introspection wrote it. */
  readonly isSpoilt: boolean;
};

/**
 * Checks what is in a repository: that generated files and snapshots are as they were written, that operations are
 * valid, and that the styles agree.
 *
 * @param cache what an earlier run knows to be current; null to look at everything.
 */
export async function checkRepository(
  project: Project,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<CheckedRepository> {
  const { checkSnapshots } = await import("../snapshots/check-snapshots.ts");
  const { styles } = await import("../styles/index.ts");
  const { parseSdl } = await import("../schema/parse-sdl.ts");
  // A snapshot is looked at three times, and parsed once.
  const memo = createMemo();
  const parse: ParseSnapshot = (text, path) => memo(`snapshot ${path}`, [text], () => parseSdl(text, path));
  const schemaFiles = await readSchemaFiles(join(project.root, project.output));
  // After `generate`, only the snapshots it worked from are left to be checked.
  const generated = (await isCurrent(project, inputs, cache))
    ? { files: [], findings: [] }
    : await compareWithGeneration(project, inputs, memo);
  const snapshots = checkSnapshots({
    files: schemaFiles,
    surfaces: project.surfaces,
    deployments: project.deployments,
    output: project.output,
    parse,
    readEntities: (style, schema) => styles[style].read(schema),
  });
  const isSpoilt = snapshots.some(({ code }) => code === "snapshot/edited");
  const parity = isSpoilt ? [] : await findParity(project, parse);
  // What one style has more is for `diff` to tell: nothing in this repository can be wrong about it.
  const disagreements = parity.filter(({ severity }) => severity !== "additive");
  return {
    findings: [...snapshots, ...generated.findings, ...disagreements],
    generated: generated.files,
    schemaFiles,
    isSpoilt,
  };
}

/** What the styles of every protocol do not agree in, from the snapshots. */
async function findParity({ root, output, protocols, surfaces }: Project, parse: ParseSnapshot) {
  const { compareStyles } = await import("./compare-styles.ts");
  const { parityFindings } = await import("../compare/parity-findings.ts");
  const snapshots = await readSnapshots(join(root, output), surfaces);
  const parities = compareStyles(protocols, snapshots, ({ text, path }) => parse(text, path));
  return parities.flatMap((parity) => parityFindings(parity, parity.protocol));
}

async function compareWithGeneration(project: Project, inputs: GenerationInputs, memo: Memo) {
  const { generateFiles } = await import("../generate/generate-files.ts");
  const { compareGenerated } = await import("../generate/compare-generated.ts");
  const generation = await generateFiles(project, inputs, memo);
  const findings = [...generation.findings, ...(await compareGenerated(project, generation))];
  return { files: generation.files, findings };
}
