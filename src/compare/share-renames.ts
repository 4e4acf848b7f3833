import type { OfSurface } from "../dialects/surface.ts";
import type { ConfirmedRename } from "./find-api-renames.ts";

/**
 * Compares surfaces one by one. A rename that is certain in one style explains the same change in the other style of the
 * protocol, so that one is compared again.
 */
export async function shareRenames<
  S extends OfSurface,
  R extends { readonly renames: readonly ConfirmedRename[] },
>(
  surfaces: readonly S[],
  compare: (surface: S, renames: readonly ConfirmedRename[]) => R | Promise<R>,
): Promise<R[]> {
  const results: (readonly [S, R])[] = [];
  for (const surface of surfaces) results.push([surface, await compare(surface, [])]);
  const shared: R[] = [];
  for (const [surface, result] of results) {
    const renames = results.flatMap(([other, { renames }]) =>
      other.protocol === surface.protocol && other.style !== surface.style ? renames : [],
    );
    shared.push(renames.length === 0 ? result : await compare(surface, renames));
  }
  return shared;
}
