import { LockflowError } from "../../base/errors/lockflow-error.ts";
import type { CheckContext, ProjectContext } from "./check-context.ts";
import { type CheckResult, problem, skipped } from "./check-result.ts";
import { checkCollation } from "./checks/check-collation.ts";
import { checkConfig } from "./checks/check-config.ts";
import { checkDisk } from "./checks/check-disk.ts";
import { checkEndpoints, checkQuota } from "./checks/check-endpoints.ts";
import { checkEnvFiles } from "./checks/check-env-files.ts";
import { checkGenerated } from "./checks/check-generated.ts";
import { checkGraphql } from "./checks/check-graphql.ts";
import { checkKeys } from "./checks/check-keys.ts";
import { checkLifecycle } from "./checks/check-lifecycle.ts";
import { checkModules } from "./checks/check-modules.ts";
import { checkPublicKeys } from "./checks/check-public-keys.ts";
import { checkCodegen, checkNode, checkPackages, checkTypescript } from "./checks/check-tools.ts";
import { checkVariables } from "./checks/check-variables.ts";

/** A result, and the name of its check. */
export type NamedResult = CheckResult & { readonly check: string };

/** A check says nothing, one thing or several. */
type Check<C = CheckContext> = (context: C) => readonly CheckResult[] | Promise<readonly CheckResult[]>;

/** Every check by name, in the order of the report. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["node", checkNode],
  ["packages", checkPackages],
  ["graphql", checkGraphql],
  ["codegen", checkCodegen],
  ["typescript", checkTypescript],
  ["config", checkConfig],
  ["generated", ofProject(checkGenerated, "Without a configuration nothing is known of it.")],
  ["modules", ofProject(checkModules)],
  ["status", ofProject(checkLifecycle)],
  ["keys", ofProject(checkKeys, "Without a configuration no key is known of.")],
  ["variables", ofProject(checkVariables)],
  ["public", ofProject(checkPublicKeys, "Without a configuration no key is known of.")],
  ["env files", checkEnvFiles],
  ["disk", checkDisk],
  ["endpoints", ofProject(checkEndpoints, "Without a configuration no endpoint is known of.")],
  ["quota", ofProject(checkQuota)],
  ["collation", ofProject(checkCollation, "Without a configuration no endpoint is known of.")],
];

/** A check that needs a project, and what is said without one. */
function ofProject(check: Check<ProjectContext>, without?: string): Check {
  return (context) => {
    const { project } = context;
    if (!(project instanceof LockflowError)) return check({ ...context, project });
    return without === undefined ? [] : [skipped(without)];
  };
}

/** Runs every check. One that fails says so and stops no other. */
export async function runChecks(context: CheckContext): Promise<NamedResult[]> {
  const results = await Promise.all(
    CHECKS.map(async ([check, run]) => (await runAlone(run, context)).map((one) => ({ check, ...one }))),
  );
  return results.flat();
}

async function runAlone(run: Check, context: CheckContext): Promise<readonly CheckResult[]> {
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof LockflowError) return [problem(error.sentence, error.hint)];
    const sentence = `It could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
    return [problem(sentence, "report it as a bug of Lockflow, with this line")];
  }
}
