import { join } from "node:path";
import { readGenerationCache, writeGenerationCache } from "../generate/generation-cache.ts";
import { readGenerationInputs } from "../generate/generation-inputs.ts";
import { isCurrent } from "../generate/is-current.ts";
import { renderFindings } from "../report/render-findings.ts";
import type { CommandContext, ExitCode } from "./command.ts";
import { projectOf } from "./options.ts";

/** `lockflow check`: the same pipeline as `generate` with a comparing writer. */
export async function runCheck(context: CommandContext): Promise<ExitCode> {
  const project = await projectOf(context);
  const outputRoot = join(project.root, project.output);
  const inputs = await readGenerationInputs(project);
  if (await isCurrent(outputRoot, inputs, await readGenerationCache(project.root))) {
    context.out(CLEAN);
    return 0;
  }
  const { generateFiles } = await import("../generate/generate-files.ts");
  const { compareGenerated } = await import("../generate/compare-generated.ts");
  const { checkSnapshots } = await import("../snapshots/check-snapshots.ts");
  const generation = await generateFiles(project, inputs);
  const findings = [
    ...checkSnapshots(inputs.groups.flatMap(({ snapshot }) => snapshot)),
    ...generation.findings,
    // Without operations that parse there is nothing to compare the files with.
    ...(generation.files.length > 0
      ? await compareGenerated(outputRoot, project.output, generation.files)
      : []),
  ];
  if (findings.length > 0) context.out(`${renderFindings(findings)}\n`);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (errors > 0) {
    context.out(`\n${errors === 1 ? "One finding" : `${errors} findings`}.\n`);
    return 1;
  }
  if (findings.length === 0) {
    await writeGenerationCache(project.root, inputs.digest, generation.files);
  }
  context.out(CLEAN);
  return 0;
}

const CLEAN = "Everything generated is current, and every operation is valid.\n";
