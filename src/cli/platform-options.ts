import { UsageError } from "../base/errors/usage-error.ts";
import { resolveRelease } from "../base/resolve-release.ts";
import type { OperatorSettings } from "../load-emulator.ts";
import { STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { styles } from "../styles/index.ts";
import type { Style } from "../styles/style.ts";
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

/** A style, and one of its releases. */
export type StyleRelease = { readonly style: Style; readonly release: string };

/**
 * The release a name means, of the one style that has it: `graph-node-0.44`, or `0.44` where no two styles have
 * such a release.
 *
 * @throws UsageError
 */
export function parseRelease(name: string, choices: readonly Style[]): StyleRelease {
  const meant = choices.flatMap((style) => {
    const release = resolveRelease(name, style.platform);
    return release === null ? [] : [{ style, release }];
  });
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  throw unknownRelease(name, choices);
}

function unknownRelease(name: string, choices: readonly Style[]): UsageError {
  const other = ALL_STYLES.find(
    (style) => !choices.includes(style) && name.startsWith(`${style.platform.name}-`),
  );
  const known = choices.map(
    ({ platform: { name: platform, releases } }) => `${platform}-${releases.join(", ")}`,
  );
  const hint = `the releases are ${known.join("; ")}. What lies between two of them is the older one.`;
  if (other !== undefined && choices.length === 1) {
    return new UsageError({
      sentence: `--release "${name}" is a release of ${other.platform.name}, which serves the ${other.name} style; the ${choices[0]?.name} style is served by ${choices[0]?.platform.name}.`,
      hint,
    });
  }
  return new UsageError({
    sentence: `--release takes a release of ${choices.map(({ platform }) => platform.name).join(" or ")}, not "${name}".`,
    hint,
  });
}

const ALL_STYLES: readonly Style[] = STYLE_NAMES.map((name) => styles[name]);
