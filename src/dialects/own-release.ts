import { styles } from "./index.ts";
import { requireRelease } from "./platform.ts";
import type { ResolvedProtocol } from "./protocol.ts";
import type { StyleName } from "./surface.ts";

/**
 * Resolves the release that a protocol's definition names for a style; undefined where it names none.
 *
 * @throws UsageError for a release that the platform does not have.
 */
export function resolveOwnRelease(
  release: ResolvedProtocol["release"] | undefined,
  style: StyleName,
): string | undefined {
  const name = release?.[style];
  return name === undefined ? undefined : requireRelease(name, styles[style].platform);
}
