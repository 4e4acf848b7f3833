import { resolve } from "node:path";
import { listSome } from "../base/clean-text.ts";
import { FileError } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import type { Environment } from "../dialects/surface.ts";
import type { Asking, AskingOptions } from "../fleet/open-targets.ts";
import type { ProjectOptions } from "../project/load-project.ts";
import { createProgress, type Progress } from "../report/terminal.ts";
import type { CommandContext } from "./context.ts";
import type { Options, SelectionOptions } from "./options.ts";

/** The project that a command line means. */
export function projectOptions(
  { cwd }: CommandContext,
  {
    config,
    concurrency,
    timeout,
    protocol,
    style,
    chain,
  }: Pick<Options<"check">, "config"> &
    Partial<Pick<Options<"introspect">, "concurrency" | "timeout">> &
    SelectionOptions,
): ProjectOptions {
  const milliseconds = timeout === undefined ? undefined : timeout * 1000;
  return {
    cwd,
    config,
    concurrency,
    timeout: milliseconds,
    protocols: protocol,
    styles: style,
    chains: chain,
  };
}

/** Whether a command line is about a part of the project. */
export function isNarrowed({ protocol = [], style = [], chain = [] }: SelectionOptions): boolean {
  return [protocol, style, chain].some((names) => names.length > 0);
}

/** Whom a command line wants to be asked, with a progress to look at meanwhile. */
export function askingOptions(
  context: CommandContext,
  options: Options<"sync"> & SelectionOptions,
): Omit<AskingOptions, "onAsking"> {
  const { environment, emulator } = options;
  const { env, err, isTerminal } = context;
  let progress: Progress | null = null;
  return {
    ...projectOptions(context, options),
    env,
    environment,
    emulator,
    onProgress: ({ done, total, deployment }) => {
      progress ??= createProgress({ total, what: "deployments", write: err, isTerminal });
      if (deployment !== null) progress.advance(deployment);
      if (done === total) progress.finish();
    },
  };
}

/** Renders that a run is about a part of a project only; nothing where it is about all. */
export function renderLeftOut(names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = listSome(names, 3);
  return names.length === 1
    ? `  One deployment was left out: ${shown}\n`
    : `  ${names.length} deployments were left out: ${shown}\n`;
}

/** Renders who is not asked because nothing says where it is, and what could say it; nothing where all are asked. */
export function renderUnconfigured(
  { unconfigured, unset, leftOut }: Asking,
  environment: Environment | undefined,
): string {
  const others = renderLeftOut(leftOut);
  if (unconfigured.length === 0) return others;
  const shown = `${unconfigured.slice(0, 4).join(", ")}${unconfigured.length > 4 ? ", …" : ""}`;
  const url = environment === undefined ? "URL" : `${environment} URL`;
  const whence =
    unset.length === 0 ? "" : `  Neither the configuration nor ${unset.join(", ")} says where they are.\n`;
  const count = unconfigured.length === 1 ? "One deployment has" : `${unconfigured.length} deployments have`;
  return `  ${count} no ${url} and ${unconfigured.length === 1 ? "was" : "were"} not asked: ${shown}\n${whence}${others}`;
}

/**
 * Reads a file that the command line names.
 *
 * @param hint what it should name.
 * @throws FileError
 */
export async function readFile(cwd: string, path: string, hint: string): Promise<string> {
  const text = await readText(resolve(cwd, path));
  if (text !== null) return text;
  throw new FileError({ code: "FILE_UNREADABLE", sentence: `There is no file "${path}".`, hint });
}
