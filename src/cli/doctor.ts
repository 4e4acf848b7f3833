import { dirname } from "node:path";
import { LockflowError } from "../base/errors.ts";
import { readFileNames } from "../base/survey-folder.ts";
import { jsonWithoutCommands } from "../base/text.ts";
import { findConfig, openProject, type ProjectOptions } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { createProgress } from "../report/terminal.ts";
import { readEnvFiles } from "../tasks/doctor/context.ts";
import { renderResults, runChecks } from "../tasks/doctor.ts";
import { detectRepository } from "../tasks/init/detect-repository.ts";
import { PACKAGE_MANAGERS, type PackageManager } from "../workspace/package-manager.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./task-options.ts";

/** `lockflow doctor`: what is wrong around Lockflow, and what to type. It changes nothing. */
export async function runDoctor(context: CommandContext, options: Options<"doctor">): Promise<ExitCode> {
  const { cwd, env, node, err, isTerminal } = context;
  // A named file that is not there is a slip on the command line, and nothing about the project.
  const config = findConfig(cwd, options.config);
  const project = await loadOrReport(projectOptions(context, options));
  const root = config === null ? cwd : dirname(config);
  const names = await readFileNames(root);
  const diagnoses = await runChecks({
    root,
    node,
    env,
    config,
    project,
    packageManager: await detectPackageManager(env, root),
    names,
    envFiles: await readEnvFiles(root, names),
    isOffline: options.offline,
    environment: options.environment,
    startProgress: (total) => createProgress({ total, what: "endpoints", write: err, isTerminal }),
  });
  const json = () => `${jsonWithoutCommands(JSON.stringify({ version: 1, diagnoses }, null, 2))}\n`;
  context.out(options.json ? json() : renderResults(diagnoses));
  return diagnoses.some(({ status }) => status === "problem") ? 1 : 0;
}

async function loadOrReport(options: ProjectOptions): Promise<Project | LockflowError> {
  try {
    return await openProject(options);
  } catch (error) {
    if (error instanceof LockflowError && error.code.startsWith("CONFIG_")) return error;
    throw error;
  }
}

/** A folder that is no package, or a broken one, is reported in the words of npm. */
async function detectPackageManager(env: CommandContext["env"], root: string): Promise<PackageManager> {
  try {
    return (await detectRepository(root, env["npm_config_user_agent"])).packageManager;
  } catch (error) {
    if (error instanceof LockflowError) return PACKAGE_MANAGERS.npm;
    throw error;
  }
}
