import { groupBy } from "../base/group-by.ts";
import type { Observation } from "./observation.ts";

/**
 * Finds the deployments of a surface to ask again: those with an unexpected answer, unless half of the fleet gives the
 * same. That many do not flap at once, and asking all of them again would cost a day's quota.
 */
export function findSuspects(observations: readonly Observation[]): Observation[] {
  const all = observations.length;
  return [...groupBy(observations, ({ hashes }) => hashes.schema).values()]
    .filter((same) => all < FLEET || same.length * 2 < all)
    .flatMap((same) => same.filter(({ isSame }) => !isSame));
}

/** Of fewer deployments than this, half is no crowd. */
const FLEET = 4;
