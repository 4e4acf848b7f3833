import { orNull } from "../../base/errors.ts";
import { isOf, type OfSurface, surfaceId } from "../../dialects/surface.ts";
import type { AdaptSchemas } from "./adapt-schemas.ts";
import { findFits } from "./old-schema.ts";
import type { Group } from "./read-units.ts";

/** Gives documents in code that no schema on disk accepts to the surface with the newest version that does. */
export async function placeCode(groups: readonly Group[], schemas: AdaptSchemas): Promise<readonly Group[]> {
  const parts = groups.flatMap((group) => {
    const candidates = group.units.find((unit) => unit.candidates?.length)?.candidates;
    if (!candidates || group.units.some(({ inFile }) => inFile === undefined)) return [];
    const definitions = group.units.flatMap(({ document }) => document.definitions);
    return [{ group, candidates, definitions }];
  });
  const nearest = new Map<Group, { readonly surface: OfSurface; readonly age: number }>();
  const surfaces = new Map(
    parts.flatMap((part) => part.candidates.map((candidate) => [surfaceId(candidate), candidate] as const)),
  );
  for (const surface of surfaces.values()) {
    const versions = await orNull(() => schemas.versions(surface));
    if (versions === null) continue;
    const ofSurface = parts
      .filter(({ candidates }) => candidates.some(isOf(surface)))
      .map((part) => ({
        ...part,
        definitions: part.definitions.filter((node) => !schemas.isValid(node, surface)),
      }));
    for (const [{ group }, fit] of (await findFits(ofSurface, versions, () => {})).fits) {
      const age = fit?.between.length ?? Number.POSITIVE_INFINITY;
      if (age < (nearest.get(group)?.age ?? Number.POSITIVE_INFINITY)) nearest.set(group, { surface, age });
    }
  }
  return groups.map((group) => {
    const surface = nearest.get(group)?.surface;
    if (surface === undefined) return group;
    return { units: group.units.map((unit) => ({ ...unit, surface, folder: surfaceId(surface) })) };
  });
}
