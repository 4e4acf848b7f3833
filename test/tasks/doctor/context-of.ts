import { expect } from "vitest";
import { LockflowError } from "../../../src/base/errors.ts";
import { findConfig } from "../../../src/project/load-project.ts";
import type { CheckContext, CheckResult, ProjectContext } from "../../../src/tasks/doctor/context.ts";
import { type DoctorOptions, readContext } from "../../../src/tasks/doctor.ts";
import { PACKAGE_MANAGERS } from "../../../src/workspace/package-manager.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";

/** A key that no result may contain. */
export const KEY = "s3cr3t-9f8e7d6c5b4a";

/** A configuration with a key for production, and a testing URL for most chains. */
export const KEYED = {
  protocols: ["lockup"],
  subgraph: {
    testing: { url: "https://testing.example/{deployment}" },
    production: { url: "https://gateway.example/{deployment}", apiKey: { env: "GRAPH_KEY" } },
  },
};

/** Creates a package with a configuration and further files. */
export function keyed(files: Record<string, string> = {}, config: object = KEYED): TempProject {
  return tempProject({ "package.json": "{}", "lockflow.config.json": JSON.stringify(config), ...files });
}

/** Reads the inputs of checks, as the command does. */
export function contextOf(
  { root }: TempProject,
  options: Partial<DoctorOptions> = {},
): Promise<CheckContext> {
  return readContext({
    cwd: root,
    configPath: findConfig(root, undefined),
    node: process.versions.node,
    env: {},
    packageManager: PACKAGE_MANAGERS.npm,
    isOffline: false,
    environment: undefined,
    startProgress: () => ({ advance: () => {}, finish: () => {} }),
    ...options,
  });
}

/** Reads the same for checks that need a project. */
export async function projectContextOf(
  files: TempProject,
  options: Partial<DoctorOptions> = {},
): Promise<ProjectContext> {
  const { project, ...context } = await contextOf(files, options);
  if (project instanceof LockflowError) throw project;
  return { ...context, project };
}

/** Renders results as `status sentence`. */
export function lines(results: readonly CheckResult[]): string[] {
  return results.map(({ status, sentence }) => `${status} ${sentence}`);
}

/** Renders results as `status sentence → fix`. */
export function linesWithFix(results: readonly CheckResult[]): string[] {
  return results.map(
    ({ status, sentence, fix }) => `${status} ${sentence}${fix === null ? "" : ` → ${fix}`}`,
  );
}

/** A pattern for each line. */
export function matching(...patterns: readonly (RegExp | string)[]): unknown[] {
  return patterns.map((one) => (typeof one === "string" ? one : expect.stringMatching(one)));
}
