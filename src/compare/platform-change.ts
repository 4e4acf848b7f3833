import type { Change, ChangeKind } from "../schema/change.ts";
import type { Origin } from "../schema/origin.ts";
import type { Recognized } from "../styles/style.ts";

/** What changed of the platform behind a schema, as far as the schema shows it. */
export type PlatformChange = {
  readonly before: Recognized;
  readonly after: Recognized;
  readonly features: ReadonlyMap<string, Change>;
  /** Null where the release is the same. */
  readonly release: Change | null;
};

/** Compares the platforms of two schemas. */
export function comparePlatforms(before: Recognized, after: Recognized): PlatformChange {
  const features = new Map<string, Change>();
  const [from, to] = [new Set(before.features), new Set(after.features)];
  const add = (change: Change) => features.set(change.coordinate, change);
  for (const name of from) if (!to.has(name)) add(changeOf("platform-feature-removed", name, name, null));
  for (const name of to) if (!from.has(name)) add(changeOf("platform-feature-added", name, null, name));
  const release =
    before.release === after.release
      ? null
      : changeOf("platform-release-changed", "release", before.release, after.release);
  return { before, after, features, release };
}

/** The platform's change that explains a coordinate of these origins; null where a feature stayed. */
export function explainByPlatform(
  origins: readonly Origin[],
  { before, after, features, release }: PlatformChange,
): Change | null {
  const names = origins.flatMap((origin) => (origin.kind === "platform" ? [origin.feature] : []));
  for (const name of names) {
    const change = features.get(name);
    if (change) return change;
  }
  const [nearest] = names;
  if (nearest === undefined) return null;
  if (release) return release;
  const [first] = origins;
  // A part of the model that stayed is nearer than a platform of which nothing is known to have changed.
  if (first?.kind !== "platform") return null;
  const isUnchanged = before.features.includes(nearest) && after.features.includes(nearest);
  return isUnchanged ? null : changeOf("platform-feature-changed", nearest, nearest, nearest);
}

function changeOf(kind: ChangeKind, coordinate: string, before: string | null, after: string | null): Change {
  return { kind, coordinate, before, after };
}
