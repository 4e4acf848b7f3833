import { join } from "node:path";
import type { Generation } from "../generate/generate-files.ts";
import { readGenerationCache, writeGenerationCache } from "../generate/generation-cache.ts";
import { type GenerationInputs, readGenerationInputs } from "../generate/generation-inputs.ts";
import { isChecked, isCurrent } from "../generate/is-current.ts";
import type { Project } from "../registry/project.ts";
import { renderFindings } from "../report/render-findings.ts";
import { readSchemaFiles } from "../snapshots/read-schema-files.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { projectOf } from "./options.ts";

/** `lockflow check`: the same pipeline as `generate` with a comparing writer. */
export async function runCheck(context: CommandContext): Promise<ExitCode> {
  const project = await projectOf(context);
  const inputs = await readGenerationInputs(project);
  const cache = await readGenerationCache(project.root);
  if (await isChecked(project, inputs, cache)) {
    context.out(CLEAN);
    return 0;
  }
  const { checkSnapshots } = await import("../snapshots/check-snapshots.ts");
  const { styles } = await import("../styles/index.ts");
  const schemaFiles = await readSchemaFiles(join(project.root, project.output));
  // After `generate`, only the snapshots it worked from are left to be checked.
  const generated = (await isCurrent(project, inputs, cache))
    ? { files: [], findings: [] }
    : await compareWithGeneration(project, inputs);
  const findings = [
    ...checkSnapshots({
      files: schemaFiles,
      protocols: project.protocols,
      deployments: project.deployments,
      output: project.output,
      readEntities: (style, schema) => styles[style].read(schema),
    }),
    ...generated.findings,
  ];
  if (findings.length > 0) context.out(`${renderFindings(findings)}\n`);
  const errors = findings.filter(({ severity }) => severity === "breaking").length;
  if (errors > 0) {
    context.out(`\n${errors === 1 ? "One finding" : `${errors} findings`}.\n`);
    return 1;
  }
  if (findings.length === 0) {
    await writeGenerationCache(
      project.root,
      inputs.digest,
      [...generated.files, ...schemaFiles],
      generated.files.length === 0 ? cache?.files : {},
    );
  }
  context.out(CLEAN);
  return 0;
}

async function compareWithGeneration(
  project: Project,
  inputs: GenerationInputs,
): Promise<Pick<Generation, "files" | "findings">> {
  const { generateFiles } = await import("../generate/generate-files.ts");
  const { compareGenerated } = await import("../generate/compare-generated.ts");
  const generation = await generateFiles(project, inputs);
  const findings = [...generation.findings, ...(await compareGenerated(project, generation))];
  return { files: generation.files, findings };
}

const CLEAN = "Everything generated is current, and every operation is valid.\n";
