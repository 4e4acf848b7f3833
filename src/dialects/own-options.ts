import { styles } from "./index.ts";
import { type DeriveOptions, requireRelease } from "./platform.ts";
import type { ResolvedProtocol } from "./protocol.ts";
import type { StyleName } from "./surface.ts";

/** What a protocol's definition says of the platforms that run it. */
type OwnPlatforms = Pick<ResolvedProtocol, "release" | "bytesType">;

/**
 * Resolves what a protocol's definition names for a style: the release, and how bytes are stored. What it does not name
 * is left out.
 *
 * @throws UsageError for a release that the platform does not have.
 */
export function resolveOwnOptions(
  definition: OwnPlatforms | undefined,
  style: StyleName,
): Pick<DeriveOptions, "release" | "bytesType"> {
  const release = resolveOwnRelease(definition?.release, style);
  const bytesType = styles[style].platform.settings.includes("bytesType") ? definition?.bytesType : undefined;
  return { ...(release !== undefined && { release }), ...(bytesType && { bytesType }) };
}

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
