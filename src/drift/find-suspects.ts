import type { Observation } from "./observation.ts";

/**
 * Finds the deployments of a surface to ask again: those with an unexpected answer, unless half of the fleet gives the
 * same. That many do not flap at once, and asking all of them again would cost a day's quota.
 */
export function findSuspects(observations: readonly Observation[]): Observation[] {
  const sizes = new Map<string, number>();
  for (const { hashes } of observations) sizes.set(hashes.schema, (sizes.get(hashes.schema) ?? 0) + 1);
  const all = observations.length;
  return observations.filter(
    ({ isSame, hashes }) => !isSame && (all < FLEET || (sizes.get(hashes.schema) ?? 0) * 2 < all),
  );
}

/** Of fewer deployments than this, half is no crowd. */
const FLEET = 4;
