import { EmulatorError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import { resolveRelease } from "../../src/dialects/platform.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";

/** Resolves the name of a release, `graph-node-0.44` or only `0.44`, in each style that has it. */
export function resolveReleases(name: string): ReadonlyMap<StyleName, string> {
  const releases = new Map<StyleName, string>();
  for (const style of STYLE_NAMES) {
    const release = resolveRelease(name, styles[style].platform);
    if (release !== null) releases.set(style, release);
  }
  return releases;
}

/** The error for a release that the deployments called `name` cannot run on. */
export function unknownRelease(name: string, release: string): EmulatorError {
  return new EmulatorError({
    code: "EMULATOR_UNKNOWN_RELEASE",
    sentence: `"${release}", the release of "${name}", is not a release of its platform.`,
    hint: `${releasesHint()} What lies between two of them is the older one.`,
  });
}

export function releasesHint(): string {
  const names = STYLE_NAMES.map((style) => {
    const { name, releases } = styles[style].platform;
    return `${name}-${releases.join(", ")}`;
  });
  return `the releases are ${names.join("; ")}.`;
}
