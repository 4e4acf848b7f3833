import { basename, join } from "node:path";
import { LockflowError } from "../../base/errors.ts";
import { readTree, surveyFolder } from "../../base/read-files.ts";
import { endSentence } from "../../base/text.ts";
import { isCurrent, readGenerationCache } from "../../generate/write-generation.ts";
import type { Project } from "../../project/project.ts";
import { cacheFolder } from "../../workspace/cache.ts";
import { requireDefinitions } from "../../workspace/check-definitions.ts";
import { readGenerationInputs } from "../../workspace/generation-inputs.ts";
import { readEntities } from "../../workspace/models.ts";
import { SCHEMAS_FOLDER } from "../../workspace/snapshot.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import {
  type CheckContext,
  type CheckResult,
  ok,
  type ProjectContext,
  problem,
  skipped,
  warning,
} from "./context.ts";

/** Checks the configuration: its form, the fields that it names, and its entity schemas. */
export async function checkConfig({ config, project }: CheckContext): Promise<CheckResult[]> {
  if (project instanceof LockflowError) return [describe(project)];
  const error = findWrongDefinition(project);
  if (error !== null) return [describe(error)];
  const { length } = project.deployments;
  const count = length === 1 ? "one deployment" : `${length} deployments`;
  if (config === null) return [ok(`There is no configuration, so the defaults apply: ${count}.`)];
  return [ok(`${basename(config)} is valid: ${count}.`)];
}

function describe({ sentence, context, hint }: LockflowError): CheckResult {
  return problem([sentence, ...context].map(endSentence).join(" "), hint);
}

function findWrongDefinition(project: Project): LockflowError | null {
  const workspace = openWorkspace(project);
  try {
    requireDefinitions(workspace);
    for (const definition of project.definitions) {
      for (const style of definition.styles) readEntities(workspace.tree, definition, style);
    }
    return null;
  } catch (error) {
    if (error instanceof LockflowError) return error;
    throw error;
  }
}

const MEGABYTE = 1024 * 1024;

/** With less, writing is likely to fail. */
const TOO_LITTLE = 20 * MEGABYTE;

/** With less, the next installation of packages fills the disk. */
const LITTLE = 200 * MEGABYTE;

/** Checks that the output folder is writable and the disk has space, without writing. */
export async function checkDisk({ root, project }: CheckContext): Promise<CheckResult[]> {
  const isBroken = project instanceof LockflowError;
  const name = isBroken ? root : `${project.output}/`;
  const survey = await surveyFolder(isBroken ? root : join(root, project.output));
  const results: CheckResult[] = [];
  if (!survey.isWritable) {
    const sentence = `${name} is not writable: \`check\` works, but \`generate\` and \`introspect\` do not.`;
    results.push(warning(sentence, `make ${survey.path} writable, unless it is read-only on purpose`));
  }
  const cache = cacheFolder(root);
  if (cache !== null && !(await surveyFolder(cache)).isWritable) {
    results.push(ok("The cache in node_modules/ is not writable, which only makes runs slower."));
  }
  if (survey.free === null) return results;
  const left = `${Math.floor(survey.free / MEGABYTE)} MB are left on the disk of ${name}`;
  if (survey.free < TOO_LITTLE) return [...results, problem(`Only ${left}.`, "free space on the disk")];
  if (survey.free < LITTLE) return [...results, warning(`Only ${left}.`, "free space on the disk")];
  return results.length > 0 ? results : [ok(`${name} is writable, and the disk has space.`)];
}

/** Checks that generated files exist and are current, without generating. */
export async function checkGenerated({ project, packageManager }: ProjectContext): Promise<CheckResult[]> {
  const generate = `${packageManager.exec} generate`;
  const workspace = openWorkspace(project);
  const inputs = await readGenerationInputs(workspace);
  const { root, output } = project;
  const present = readTree(join(root, output), [`.${project.format}`]);
  if (present.every((path) => path.startsWith(`${SCHEMAS_FOLDER}/`))) {
    return [problem(`${output}/ has no generated files yet.`, generate)];
  }
  const cache = await readGenerationCache(root);
  if (cache === null) {
    const check = `${packageManager.exec} check`;
    return [skipped(`Not checked: run \`${check}\` to find out whether ${output}/ is current.`)];
  }
  if (isCurrent(workspace, inputs, cache)) return [ok(`${output}/ is current.`)];
  return [
    warning(`${output}/ or its inputs have changed since the last \`generate\` on this machine.`, generate),
  ];
}
