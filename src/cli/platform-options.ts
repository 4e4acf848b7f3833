import { UsageError } from "../base/errors.ts";
import { styles } from "../dialects/index.ts";
import { resolveRelease } from "../dialects/platform.ts";
import type { Style } from "../dialects/style.ts";
import { STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import type { OperatorSettings } from "../fleet/load-emulator.ts";
import { flagOf, isGiven } from "./option.ts";
import type { Options } from "./options.ts";

const SETTING_OF = {
  aggregates: "aggregates",
  perChainEntities: "perChainEntities",
  bytesType: "bytesType",
  disablePostgresDefault: "postgresDefault",
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
