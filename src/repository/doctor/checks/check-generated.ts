import { join } from "node:path";
import { readTree } from "../../../base/disk/read-tree.ts";
import { findInterrupted } from "../../../generate/find-interrupted.ts";
import { isCurrent, readGenerationCache } from "../../../generate/generation-cache.ts";
import { readGenerationInputs } from "../../../generate/generation-inputs.ts";
import { SCHEMAS_FOLDER } from "../../../snapshots/snapshot.ts";
import type { ProjectContext } from "../check-context.ts";
import { type CheckResult, ok, problem, skipped, warning } from "../check-result.ts";

/** Whether there is something to generate from, and whether what was generated is of it. Nothing is generated. */
export async function checkGenerated({ project, packageManager }: ProjectContext): Promise<CheckResult[]> {
  const generate = `${packageManager.exec} generate`;
  const interrupted = await findInterrupted(project);
  if (interrupted.length > 0) return interrupted.map(({ message }) => problem(message, generate));
  const inputs = await readGenerationInputs(project);
  const { root, output } = project;
  const present = await readTree(join(root, output), [`.${project.format}`]);
  if (present.every((path) => path.startsWith(`${SCHEMAS_FOLDER}/`))) {
    return [problem(`Nothing is generated in ${output}/ yet.`, generate)];
  }
  const cache = await readGenerationCache(root);
  if (cache === null) {
    const check = `${packageManager.exec} check`;
    return [skipped(`Whether ${output}/ is current was not looked at: \`${check}\` tells.`)];
  }
  if (await isCurrent(project, inputs, cache)) return [ok(`${output}/ is current.`)];
  return [warning(`${output}/, or what it is made of, has changed since it was generated here.`, generate)];
}
