import { LockflowError } from "../../base/errors/lockflow-error.ts";
import { checkCodegen } from "./checks/check-codegen.ts";
import { checkConfig } from "./checks/check-config.ts";
import { checkDisk } from "./checks/check-disk.ts";
import { checkEndpoints } from "./checks/check-endpoints.ts";
import { checkEnvFiles } from "./checks/check-env-files.ts";
import { checkGenerated } from "./checks/check-generated.ts";
import { checkGraphql } from "./checks/check-graphql.ts";
import { checkKeys } from "./checks/check-keys.ts";
import { checkNode } from "./checks/check-node.ts";
import { checkPackages } from "./checks/check-packages.ts";
import { checkPublicKeys } from "./checks/check-public-keys.ts";
import { checkQuota } from "./checks/check-quota.ts";
import { checkTypescript } from "./checks/check-typescript.ts";
import { checkVariables } from "./checks/check-variables.ts";
import { type Diagnosis, problem } from "./diagnosis.ts";
import type { Patient } from "./patient.ts";

/** A diagnosis, and the name of the check that made it. */
export type NamedDiagnosis = Diagnosis & { readonly check: string };

/** What a check is: of a patient it says nothing, one thing or several. */
type Check = (patient: Patient) => readonly Diagnosis[] | Promise<readonly Diagnosis[]>;

/** Every check by name, in the order of the report. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["node", checkNode],
  ["packages", checkPackages],
  ["graphql", checkGraphql],
  ["codegen", checkCodegen],
  ["typescript", checkTypescript],
  ["config", checkConfig],
  ["generated", checkGenerated],
  ["keys", checkKeys],
  ["variables", checkVariables],
  ["public", checkPublicKeys],
  ["env files", checkEnvFiles],
  ["disk", checkDisk],
  ["endpoints", checkEndpoints],
  ["quota", checkQuota],
];

/** Makes every check. One that fails tells so and stops no other. */
export async function examine(patient: Patient): Promise<NamedDiagnosis[]> {
  const diagnoses = await Promise.all(
    CHECKS.map(async ([check, run]) => (await runAlone(run, patient)).map((one) => ({ check, ...one }))),
  );
  return diagnoses.flat();
}

async function runAlone(run: Check, patient: Patient): Promise<readonly Diagnosis[]> {
  try {
    return await run(patient);
  } catch (error) {
    if (error instanceof LockflowError) return [problem(error.sentence, error.hint)];
    const reason = error instanceof Error ? error.message : String(error);
    return [
      problem(`It could not be looked at: ${reason}`, "report it as a bug of Lockflow, with this line"),
    ];
  }
}
