import { resolve } from "node:path";
import { jsonWithoutCommands, listSome } from "../base/clean-text.ts";
import { FileError } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import type { Environment } from "../dialects/surface.ts";
import type { Asking, AskingOptions } from "../fleet/open-targets.ts";
import type { ProjectOptions } from "../project/load-project.ts";
import { createProgress, type Progress } from "../report/terminal.ts";
import type { CommandContext } from "./context.ts";
import type { Options, SelectionOptions } from "./options.ts";

/** The options of a command line that the project depends on. */
type LineOptions = Pick<Options<"check">, "config"> &
  Partial<Pick<Options<"introspect">, "concurrency" | "timeout">> &
  SelectionOptions;

/** Returns the options of the project from a command line. */
export function projectOptions({ cwd }: CommandContext, options: LineOptions): ProjectOptions {
  const { config, concurrency, timeout: seconds, protocol, style, chain } = options;
  const timeout = seconds === undefined ? undefined : seconds * 1000;
  return { cwd, config, concurrency, timeout, protocols: protocol, styles: style, chains: chain };
}

/** Returns whether a command line selects a part of the project. */
export function isNarrowed({ protocol = [], style = [], chain = [] }: SelectionOptions): boolean {
  return [protocol, style, chain].some((names) => names.length > 0);
}

/** Returns the options for requests to the deployments, with a progress bar on standard error. */
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

/** Renders the deployments outside of the selection; empty if there are none. */
export function renderLeftOut(names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = listSome(names, 3);
  return names.length === 1
    ? `  One deployment is not selected: ${shown}\n`
    : `  ${names.length} deployments are not selected: ${shown}\n`;
}

/** Renders the deployments that have no URL, and the variables that could set one, then the unselected ones. */
export function renderUnconfigured(
  { unconfigured, unset, leftOut }: Asking,
  environment: Environment | undefined,
): string {
  const others = renderLeftOut(leftOut);
  if (unconfigured.length === 0) return others;
  const shown = `${unconfigured.slice(0, 4).join(", ")}${unconfigured.length > 4 ? ", …" : ""}`;
  const url = environment === undefined ? "URL" : `${environment} URL`;
  const remedy = unset.length === 0 ? "" : `  Set ${unset.join(", ")}, or their URLs in the configuration.\n`;
  const count = unconfigured.length === 1 ? "One deployment has" : `${unconfigured.length} deployments have`;
  return `  ${count} no ${url} and ${unconfigured.length === 1 ? "was" : "were"} skipped: ${shown}\n${remedy}${others}`;
}

/**
 * Reads a file of the command line.
 *
 * @param hint the hint of the error if it does not exist.
 * @throws FileError
 */
export async function readFile(cwd: string, path: string, hint: string): Promise<string> {
  const text = await readText(resolve(cwd, path));
  if (text !== null) return text;
  throw new FileError({ code: "FILE_UNREADABLE", sentence: `The file "${path}" does not exist.`, hint });
}

/** Renders a value as JSON for standard output. */
export function renderJson(value: unknown): string {
  return `${jsonWithoutCommands(JSON.stringify(value, null, 2))}\n`;
}
