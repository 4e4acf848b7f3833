import { join } from "node:path";
import { surveyFolder } from "../../../base/disk/survey-folder.ts";
import { LockflowError } from "../../../base/errors/lockflow-error.ts";
import { cacheFolder } from "../../../generate/project-cache.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem, warning } from "../check-result.ts";

const MEGABYTE = 1024 * 1024;

/** Below this nothing can be relied on to be written. */
const TOO_LITTLE = 20 * MEGABYTE;

/** Below this the next installation of packages fills the disk. */
const LITTLE = 200 * MEGABYTE;

/** Whether there is a place to write to, and room. Nothing is written to find out. */
export async function checkDisk({ root, project }: CheckContext): Promise<CheckResult[]> {
  const isBroken = project instanceof LockflowError;
  const name = isBroken ? root : `${project.output}/`;
  const survey = await surveyFolder(isBroken ? root : join(root, project.output));
  const found: CheckResult[] = [];
  if (!survey.isWritable) {
    const sentence = `${name} cannot be written: \`check\` works, and \`generate\` and \`introspect\` do not.`;
    found.push(warning(sentence, `make ${survey.path} writable for you, unless it is meant to be so`));
  }
  const cache = cacheFolder(root);
  if (cache !== null && !(await surveyFolder(cache)).isWritable) {
    found.push(ok("The cache in node_modules/ cannot be written, which only makes runs slower."));
  }
  if (survey.free === null) return found;
  const left = `${Math.floor(survey.free / MEGABYTE)} MB are left on the disk of ${name}`;
  if (survey.free < TOO_LITTLE) return [...found, problem(`Only ${left}.`, "make room on the disk")];
  if (survey.free < LITTLE) return [...found, warning(`Only ${left}.`, "make room on the disk")];
  return found.length > 0 ? found : [ok(`${name} can be written, and there is room.`)];
}
