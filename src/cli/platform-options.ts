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
 * Returns the operator settings on the command line.
 *
 * @param served the served styles, with the settings that each has.
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
        sentence: `--${flagOf(option)} is not a setting of the ${names} style.`,
      });
    }
    settings[setting] = option.startsWith("disable") ? false : value;
  }
  return settings;
}

/**
 * Parses a release such as `graph-node-0.44`, or `0.44` if only one of the styles has it.
 *
 * @throws UsageError
 */
export function parseRelease(
  name: string,
  choices: readonly Style[],
): { readonly style: Style; readonly release: string } {
  const matches = choices.flatMap((style) => {
    const release = resolveRelease(name, style.platform);
    return release === null ? [] : [{ style, release }];
  });
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const other = STYLE_NAMES.map((name) => styles[name]).find(
    (style) => !choices.includes(style) && name.startsWith(`${style.platform.name}-`),
  );
  const [chosen] = choices;
  const releases = choices.map(({ platform }) => `${platform.name}-${platform.releases.join(", ")}`);
  throw new UsageError({
    sentence:
      other && chosen
        ? `--release "${name}" is a release of ${other.platform.name}, the platform of the ${other.name} style; the ${chosen.name} style needs a release of ${chosen.platform.name}.`
        : `--release must be a release of ${choices.map(({ platform }) => platform.name).join(" or ")}; got "${name}".`,
    hint: `the releases are ${releases.join("; ")}. A release between two of them behaves like the older one.`,
  });
}
