import { UsageError } from "../base/errors/usage-error.ts";
import { resolveRelease } from "../base/resolve-release.ts";
import type { Platform } from "../styles/style.ts";

/**
 * Resolves the release of a platform that a name means.
 *
 * @throws UsageError for one that the platform does not have.
 */
export function requireRelease(name: string, platform: Platform): string {
  const release = resolveRelease(name, platform);
  if (release !== null) return release;
  throw new UsageError({
    sentence: `${platform.name} has no release "${name}".`,
    hint: `the releases are ${platform.releases.join(", ")}.`,
  });
}
