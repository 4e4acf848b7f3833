import { unfinishedFolders } from "../base/disk/unfinished-folders.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import type { AskingOptions } from "../fleet/open-targets.ts";
import { loadProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { ENVIRONMENTS, type Environment } from "../project/vocabulary.ts";
import type { CommandContext } from "./command.ts";
import { finishInterrupted } from "./finish-interrupted.ts";

/** The text of an option, if it was given. */
export function textOption({ options }: CommandContext, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** All values of an option that may be given more than once; none when it was not given. */
export function textsOption({ options }: CommandContext, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** The names in a comma-separated option, if it was given. */
export function namesOption(context: CommandContext, name: string): string[] | undefined {
  return textOption(context, name)
    ?.split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** @throws UsageError when it is not one of `values`. */
export function choiceOption<T extends string>(
  context: CommandContext,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = textOption(context, name);
  if (text === undefined) return undefined;
  const value = values.find((candidate) => candidate === text);
  if (value !== undefined) return value;
  throw new UsageError({ sentence: `--${name} takes ${values.join(" or ")}, not "${text}".` });
}

/** @throws UsageError when it is not a whole number from `least` to `most`. */
export function numberOption(
  context: CommandContext,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = textOption(context, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError({
    sentence: `--${name} takes a whole number from ${least} to ${most}, not "${text}".`,
  });
}

/** The project of a command that reads its files: what an interrupted run had begun is finished first. */
export async function wholeProjectOf(context: CommandContext): Promise<Project> {
  const project = await projectOf(context);
  await finishInterrupted(unfinishedFolders(project.root, project.output), context);
  return project;
}

/** The project the command runs in, with what its flags override. */
export async function projectOf(context: CommandContext): Promise<Project> {
  const concurrency = numberOption(context, "concurrency", 1, 64);
  const seconds = numberOption(context, "timeout", 1, 600);
  const project = await loadProject(context.cwd, textOption(context, "config"));
  return {
    ...project,
    concurrency: concurrency ?? project.concurrency,
    timeout: seconds === undefined ? project.timeout : seconds * 1000,
  };
}

/** Whom a command was told to ask. */
export function askingOptions(context: CommandContext): AskingOptions {
  return {
    environment: environmentOption(context),
    useEmulator: context.options["emulator"] === true,
  };
}

/** The environment a command was told to ask. */
export function environmentOption(context: CommandContext): Environment | undefined {
  return choiceOption(context, "environment", ENVIRONMENTS);
}
