import { basename } from "node:path";
import { endSentence } from "../../../base/end-sentence.ts";
import { LockflowError } from "../../../base/errors/lockflow-error.ts";
import { type Diagnosis, ok, problem } from "../diagnosis.ts";
import type { Patient } from "../patient.ts";

/** Whether the configuration is valid. */
export function checkConfig({ config, project }: Patient): Diagnosis[] {
  if (project instanceof LockflowError) return [problem(sentenceOf(project), project.hint)];
  const count = `${project.deployments.length} deployments`;
  if (config === null) return [ok(`There is no configuration, so every default holds: ${count}.`)];
  return [ok(`${basename(config)} is valid: ${count}.`)];
}

function sentenceOf({ sentence, context }: LockflowError): string {
  return [sentence, ...context].map(endSentence).join(" ");
}
