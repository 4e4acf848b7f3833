import { basename } from "node:path";
import { endSentence } from "../../../base/end-sentence.ts";
import { LockflowError } from "../../../base/errors/lockflow-error.ts";
import { requireProjectFields } from "../../../fleet/require-project-fields.ts";
import type { Project } from "../../../project/project.ts";
import { readEntities } from "../../../snapshots/read-entities.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem } from "../check-result.ts";

/** Whether the configuration is valid, and names fields that the snapshots have and entity schemas that can be read. */
export async function checkConfig({ config, project }: CheckContext): Promise<CheckResult[]> {
  if (project instanceof LockflowError) return [describe(project)];
  const error = await findWrongDefinition(project);
  if (error !== null) return [describe(error)];
  const { length } = project.deployments;
  const count = length === 1 ? "one deployment" : `${length} deployments`;
  if (config === null) return [ok(`There is no configuration, so every default holds: ${count}.`)];
  return [ok(`${basename(config)} is valid: ${count}.`)];
}

function describe({ sentence, context, hint }: LockflowError): CheckResult {
  return problem([sentence, ...context].map(endSentence).join(" "), hint);
}

async function findWrongDefinition(project: Project): Promise<LockflowError | null> {
  try {
    await requireProjectFields(project, []);
    for (const definition of project.definitions) {
      for (const style of definition.styles) await readEntities(project.root, definition, style);
    }
    return null;
  } catch (error) {
    if (error instanceof LockflowError) return error;
    throw error;
  }
}
