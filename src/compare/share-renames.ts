import type { OfSurface } from "../dialects/surface.ts";
import { type CertainRenames, NO_RENAMES } from "./find-renames.ts";

/**
 * Compares surfaces one by one. A rename that is certain in one style explains the same change in the other style of the
 * protocol, so that one is compared again.
 */
export async function shareRenames<S extends OfSurface, R extends { readonly renames: CertainRenames }>(
  surfaces: readonly S[],
  compare: (surface: S, renames: CertainRenames) => R | Promise<R>,
): Promise<R[]> {
  const results: (readonly [S, R])[] = [];
  for (const surface of surfaces) results.push([surface, await compare(surface, NO_RENAMES)]);
  const shared: R[] = [];
  for (const [surface, result] of results) {
    const renames = results.flatMap(([other, { renames }]) =>
      other.protocol === surface.protocol && other.style !== surface.style ? [...renames] : [],
    );
    shared.push(renames.length === 0 ? result : await compare(surface, new Map(renames)));
  }
  return shared;
}
