import { UsageError } from "../base/errors/usage-error.ts";
import type { OperatorSettings } from "../load-emulator.ts";
import type { StyleName } from "../project/vocabulary.ts";
import type { CommandContext } from "./command.ts";
import { namesOption, numberOption, textOption } from "./options.ts";
import type { SCHEMA_SETTINGS, SERVING_SETTINGS } from "./settings.ts";

type SettingOption = keyof typeof SCHEMA_SETTINGS | keyof typeof SERVING_SETTINGS;

const SETTING_OF: Readonly<Record<SettingOption, keyof OperatorSettings>> = {
  aggregates: "aggregates",
  "per-chain-entities": "perChainEntities",
  "disable-bool-filters": "boolFilters",
  "disable-child-sorting": "childSorting",
  "strict-validation": "strictValidation",
  "row-cap": "rowCap",
};

/** A style, and what an operator can set of it. */
type SettableStyle = { readonly name: StyleName; readonly settings: readonly string[] };

const MOST_ROWS = 1_000_000_000;

/**
 * The settings that were given.
 *
 * @param served the styles they are for.
 * @throws UsageError for a setting that no served style has, or a value that is none.
 */
export function settingsOptions(context: CommandContext, served: readonly SettableStyle[]): OperatorSettings {
  for (const [option, setting] of Object.entries(SETTING_OF)) {
    if (context.options[option] === undefined) continue;
    if (served.some((style) => style.settings.some((known) => known === setting))) continue;
    const names = served.map(({ name }) => name).join(" or ");
    throw new UsageError({ sentence: `--${option} does not go with --style ${names}, which has none.` });
  }
  const aggregates = namesOption(context, "aggregates");
  const rowCap =
    textOption(context, "row-cap") === "none" ? null : numberOption(context, "row-cap", 0, MOST_ROWS);
  return {
    ...(aggregates === undefined ? {} : { aggregates }),
    ...(rowCap === undefined ? {} : { rowCap }),
    ...(context.options["per-chain-entities"] === true ? { perChainEntities: true } : {}),
    ...(context.options["disable-bool-filters"] === true ? { boolFilters: false } : {}),
    ...(context.options["disable-child-sorting"] === true ? { childSorting: false } : {}),
    ...(context.options["strict-validation"] === true ? { strictValidation: true } : {}),
  };
}
