import { dirname } from "node:path";
import { LockflowError } from "../base/errors.ts";
import { readFileNames } from "../base/read-files.ts";
import { openProject, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import {
  type CheckContext,
  type CheckResult,
  type ProjectContext,
  problem,
  skipped,
} from "./doctor/context.ts";
import { checkConfig, checkDisk, checkGenerated } from "./doctor/disk.ts";
import {
  checkCollation,
  checkEndpoints,
  checkLifecycle,
  checkProxy,
  checkQuota,
} from "./doctor/endpoints.ts";
import { checkEnvFiles, checkPublicKeys, readEnvFiles } from "./doctor/env-files.ts";
import {
  checkClient,
  checkCodegen,
  checkGraphql,
  checkModules,
  checkNode,
  checkPackages,
  checkTypescript,
} from "./doctor/tools.ts";
import { checkKeys, checkVariables } from "./doctor/variables.ts";

/** The options of `diagnose`. */
export type DoctorOptions = ProjectOptions &
  Omit<CheckContext, "root" | "config" | "project" | "names" | "envFiles"> & {
    /** Absolute path of the configuration; null if the project has none. */
    readonly configPath: string | null;
  };

/** The result of a check, with the name of the check. */
export type Diagnosis = CheckResult & { readonly check: string };

/**
 * Runs every check of a project and its environment, in the order of the report. A check that throws becomes a problem and
 * stops no other. Changes nothing.
 */
export async function diagnose(options: DoctorOptions): Promise<Diagnosis[]> {
  const context = await readContext(options);
  const results = await Promise.all(
    CHECKS.map(async ({ name, run }) =>
      (await runAlone(run, context)).map((result) => ({ check: name, ...result })),
    ),
  );
  return results.flat();
}

/** Reads the context of the checks. A configuration error becomes part of the context. */
export async function readContext(options: DoctorOptions): Promise<CheckContext> {
  const { cwd, configPath: config } = options;
  const root = config === null ? cwd : dirname(config);
  const names = await readFileNames(root);
  const envFiles = await readEnvFiles(root, names);
  return { ...options, root, config, project: await openOrReport(options), names, envFiles };
}

async function openOrReport(options: ProjectOptions): Promise<Project | LockflowError> {
  try {
    return await openProject(options);
  } catch (error) {
    if (error instanceof LockflowError && error.code.startsWith("CONFIG_")) return error;
    throw error;
  }
}

async function runAlone(run: Check, context: CheckContext): Promise<readonly CheckResult[]> {
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof LockflowError) return [problem(error.sentence, error.hint)];
    const sentence = `The check failed: ${error instanceof Error ? error.message : String(error)}`;
    return [problem(sentence, "report this as a bug of Lockflow, with this line")];
  }
}

/** Returns any number of results. */
type Check<C = CheckContext> = (context: C) => readonly CheckResult[] | Promise<readonly CheckResult[]>;

const CHECKS: readonly { readonly name: string; readonly run: Check }[] = [
  { name: "node", run: checkNode },
  { name: "packages", run: checkPackages },
  { name: "graphql", run: checkGraphql },
  { name: "client", run: ofProject(checkClient) },
  { name: "codegen", run: checkCodegen },
  { name: "typescript", run: checkTypescript },
  { name: "config", run: checkConfig },
  { name: "generated", run: ofProject(checkGenerated, "Not checked: the configuration is not valid.") },
  { name: "modules", run: ofProject(checkModules) },
  { name: "status", run: ofProject(checkLifecycle) },
  { name: "keys", run: ofProject(checkKeys, "Not checked: the configuration is not valid.") },
  { name: "variables", run: ofProject(checkVariables) },
  { name: "public", run: ofProject(checkPublicKeys, "Not checked: the configuration is not valid.") },
  { name: "env files", run: checkEnvFiles },
  { name: "disk", run: checkDisk },
  { name: "proxy", run: ofProject(checkProxy) },
  { name: "endpoints", run: ofProject(checkEndpoints, "Not checked: the configuration is not valid.") },
  { name: "quota", run: ofProject(checkQuota) },
  { name: "collation", run: ofProject(checkCollation, "Not checked: the configuration is not valid.") },
];

/** Creates a check that needs a project. Without a valid one, it is skipped with a sentence, or silently. */
function ofProject(check: Check<ProjectContext>, without?: string): Check {
  return (context) => {
    const { project } = context;
    if (!(project instanceof LockflowError)) return check({ ...context, project });
    return without === undefined ? [] : [skipped(without)];
  };
}
