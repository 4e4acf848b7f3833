import { basename } from "node:path";
import { endSentence } from "../../../base/end-sentence.ts";
import { LockflowError } from "../../../base/errors/lockflow-error.ts";
import type { CheckContext } from "../check-context.ts";
import { type CheckResult, ok, problem } from "../check-result.ts";

/** Whether the configuration is valid. */
export function checkConfig({ config, project }: CheckContext): CheckResult[] {
  if (project instanceof LockflowError) {
    const { sentence, context, hint } = project;
    return [problem([sentence, ...context].map(endSentence).join(" "), hint)];
  }
  const count = `${project.deployments.length} deployments`;
  if (config === null) return [ok(`There is no configuration, so every default holds: ${count}.`)];
  return [ok(`${basename(config)} is valid: ${count}.`)];
}
