import type { FindingData, PlaceData } from "../page-data.ts";

/** What a finding says of one surface; undefined where it says nothing of it. */
export function placeIn({ places }: FindingData, surface: string): PlaceData | undefined {
  return places.find((place) => place.surface === surface);
}
