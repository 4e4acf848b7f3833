import { styles } from "../../src/dialects/index.ts";
import { resolveRelease } from "../../src/dialects/platform.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { invalidFault } from "./fault.ts";

/**
 * The release of a name in each style that has it: `graph-node-0.44`, or only `0.44`.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` when no style has it.
 */
export function resolveReleases(name: string): ReadonlyMap<StyleName, string> {
  const found = new Map<StyleName, string>();
  for (const style of STYLE_NAMES) {
    const release = resolveRelease(name, styles[style].platform);
    if (release !== null) found.set(style, release);
  }
  if (found.size > 0) return found;
  const known = STYLE_NAMES.map(
    (style) => `${styles[style].platform.name}-${styles[style].platform.releases.join(", ")}`,
  );
  throw invalidFault(`There is no release "${name}".`, `the releases are ${known.join("; ")}.`);
}
