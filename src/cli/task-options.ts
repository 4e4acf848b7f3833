import { resolve } from "node:path";
import { listSome } from "../base/clean-text.ts";
import { FileError, UsageError } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import { styles } from "../dialects/index.ts";
import { resolveRelease } from "../dialects/platform.ts";
import type { Style } from "../dialects/style.ts";
import { type Environment, STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import type { OperatorSettings } from "../fleet/load-emulator.ts";
import type { Asking, AskingOptions } from "../fleet/open-targets.ts";
import type { ProjectOptions } from "../project/load-project.ts";
import { createProgress, type Progress } from "../report/terminal.ts";
import type { CommandContext } from "./context.ts";
import { flagOf, isGiven } from "./option.ts";
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

const SETTING_OF = {
  aggregates: "aggregates",
  perChainEntities: "perChainEntities",
  disableBoolFilters: "boolFilters",
  disableChildSorting: "childSorting",
  strictValidation: "strictValidation",
  rowCap: "rowCap",
} as const satisfies Partial<Record<keyof Options<"emulate">, keyof OperatorSettings>>;

/**
 * The settings that were given.
 *
 * @param served the styles they are for, and what an operator can set of each.
 * @throws UsageError for a setting that no served style has.
 */
export function operatorSettings(
  options: Partial<Pick<Options<"emulate">, keyof typeof SETTING_OF>>,
  served: readonly { readonly name: StyleName; readonly settings: readonly string[] }[],
): OperatorSettings {
  const settings: Record<string, unknown> = {};
  for (const [option, setting] of Object.entries(SETTING_OF)) {
    const value = options[option as keyof typeof SETTING_OF];
    if (!isGiven(value)) continue;
    if (!served.some((style) => style.settings.includes(setting))) {
      const names = served.map(({ name }) => name).join(" or ");
      throw new UsageError({
        sentence: `--${flagOf(option)} does not go with --style ${names}, which has none.`,
      });
    }
    settings[setting] = option.startsWith("disable") ? false : value;
  }
  return settings;
}

/**
 * The release a name means, of the one style that has it: `graph-node-0.44`, or `0.44` where no two styles have
 * such a release.
 *
 * @throws UsageError
 */
export function parseRelease(
  name: string,
  choices: readonly Style[],
): { readonly style: Style; readonly release: string } {
  const meant = choices.flatMap((style) => {
    const release = resolveRelease(name, style.platform);
    return release === null ? [] : [{ style, release }];
  });
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  const other = STYLE_NAMES.map((one) => styles[one]).find(
    (style) => !choices.includes(style) && name.startsWith(`${style.platform.name}-`),
  );
  const [chosen] = choices;
  const known = choices.map(({ platform }) => `${platform.name}-${platform.releases.join(", ")}`);
  throw new UsageError({
    sentence:
      other && chosen
        ? `--release "${name}" is a release of ${other.platform.name}, which serves the ${other.name} style; the ${chosen.name} style is served by ${chosen.platform.name}.`
        : `--release takes a release of ${choices.map(({ platform }) => platform.name).join(" or ")}, not "${name}".`,
    hint: `the releases are ${known.join("; ")}. What lies between two of them is the older one.`,
  });
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
