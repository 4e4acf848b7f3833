import { generateFiles } from "../../src/generate/generate-files.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import type { TempProject } from "../support/temp-project.ts";

/** Generates a project of lockup without writing: the findings as `place message [code]`, their fixes, and the files. */
export async function generateInMemory({ root }: TempProject, config: Config = {}) {
  const workspace = openWorkspace(resolveProject({ protocols: ["lockup"], ...config }, root));
  const { files, findings } = await generateFiles(workspace.project, await readGenerationInputs(workspace));
  return {
    texts: Object.fromEntries(files.map(({ path, content }) => [path, content])),
    fixes: findings.map(({ fix }) => fix),
    errors: findings.map(
      ({ place, message, code }) => `${place?.file}:${place?.line}:${place?.column} ${message} [${code}]`,
    ),
  };
}
