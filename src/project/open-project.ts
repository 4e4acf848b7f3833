import { resolve } from "node:path";
import { finishInterrupted, unfinishedFolders } from "../base/disk/finish-interrupted.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { loadProject } from "./load-project.ts";
import type { Project } from "./project.ts";
import { type Selection, selectDeployments } from "./select-deployments.ts";

/** Which project is meant, what of it the run is about, and what of its configuration is overridden. */
export type ProjectOptions = Selection & {
  /** A folder: the project is that of its configuration, or of the nearest one above it. */
  readonly cwd: string;
  /** The configuration file, from `cwd`. @default the one that is found */
  readonly config?: string | undefined;
  /** Deployments asked at the same time, from 1 to 64. @default as configured */
  readonly concurrency?: number | undefined;
  /** Milliseconds a request may take, at most 600000. @default as configured */
  readonly timeout?: number | undefined;
  /** Takes lines for people, such as that what an interrupted run had begun was finished. @default nobody does */
  readonly onNotice?: ((notice: string) => void) | undefined;
};

/** Where the files are that a result names. */
export type ProjectPlace = {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** The folder of everything generated, from `root`. */
  readonly output: string;
};

/** Finds a project, and reads nothing of it but its configuration. */
export async function findProject(options: ProjectOptions): Promise<Project> {
  const { cwd, config, concurrency, timeout } = options;
  const project = await loadProject(cwd, config);
  return {
    ...project,
    selected: selectDeployments(project, options),
    concurrency: wholeNumber("concurrency", concurrency, 64) ?? project.concurrency,
    timeout: wholeNumber("timeout", timeout, 600_000) ?? project.timeout,
  };
}

/** Opens the project of a run that reads its files: what an interrupted run had begun is finished first. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const project = await findProject(options);
  const folders = unfinishedFolders(project.root, project.output);
  await finishInterrupted(folders, resolve(options.cwd), options.onNotice ?? (() => {}));
  return project;
}

function wholeNumber(name: string, value: number | undefined, most: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return value;
  throw new UsageError({ sentence: `"${name}" is a whole number from 1 to ${most}, not ${value}.` });
}
