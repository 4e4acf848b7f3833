import { generateFiles } from "../../src/generate/generate-files.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import type { TempProject } from "../support/temp-project.ts";

/** Entities of `generatedProject` that can have portable operations. */
export const WITH_CHAIN = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");

/** Generates the files of a project by a configuration, without writing them. */
export async function generateIn({ root }: TempProject, config: Config = {}) {
  const project = resolveProject({ protocols: ["lockup"], ...config }, root);
  return generateFiles(project, await readGenerationInputs(openWorkspace(project)));
}

/** The content of generated files by path. */
export async function filesIn(project: TempProject, config?: Config): Promise<Record<string, string>> {
  const { files } = await generateIn(project, config);
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}
