import { UsageError } from "../base/errors/usage-error.ts";
import type { OperatorSettings } from "../load-emulator.ts";
import type { StyleName } from "../project/vocabulary.ts";
import { flagOf, isGiven } from "./option.ts";
import type { Options } from "./options.ts";

const SETTING_OF = {
  aggregates: "aggregates",
  perChainEntities: "perChainEntities",
  disableBoolFilters: "boolFilters",
  disableChildSorting: "childSorting",
  strictValidation: "strictValidation",
  rowCap: "rowCap",
} as const satisfies Partial<Record<keyof Options<"emulate">, keyof OperatorSettings>>;

/** A style, and what an operator can set of it. */
type SettableStyle = { readonly name: StyleName; readonly settings: readonly string[] };

/**
 * The settings that were given.
 *
 * @param served the styles they are for.
 * @throws UsageError for a setting that no served style has.
 */
export function operatorSettings(
  options: Partial<Pick<Options<"emulate">, keyof typeof SETTING_OF>>,
  served: readonly SettableStyle[],
): OperatorSettings {
  for (const [option, setting] of Object.entries(SETTING_OF)) {
    if (!isGiven(options[option as keyof typeof SETTING_OF])) continue;
    if (served.some((style) => style.settings.some((known) => known === setting))) continue;
    const names = served.map(({ name }) => name).join(" or ");
    throw new UsageError({
      sentence: `--${flagOf(option)} does not go with --style ${names}, which has none.`,
    });
  }
  const { aggregates, rowCap } = options;
  return {
    ...(aggregates === undefined ? {} : { aggregates }),
    ...(rowCap === undefined ? {} : { rowCap }),
    ...(options.perChainEntities ? { perChainEntities: true } : {}),
    ...(options.disableBoolFilters ? { boolFilters: false } : {}),
    ...(options.disableChildSorting ? { childSorting: false } : {}),
    ...(options.strictValidation ? { strictValidation: true } : {}),
  };
}
