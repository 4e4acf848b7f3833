import type { Cell } from "../../../src/report/html/cell.ts";
import type { FindingData, FleetState, PlaceData, SourceData } from "../../../src/report/html/page-data.ts";

/** A line of a file. */
export type LinePlace = { readonly file: string; readonly line: number };

/** Whether a text holds a line. */
export function holds({ file, line, lines }: SourceData, place: LinePlace): boolean {
  return file === place.file && place.line >= line && place.line < line + lines.length;
}

/** The text of the operation at a place, and those of the fragments that it spreads, of whatever depth. */
export function textsOf(place: LinePlace, sources: readonly SourceData[]): SourceData[] {
  const texts = sources.filter((source) => holds(source, place)).slice(0, 1);
  // It grows while it is walked through.
  for (const { file, lines } of texts) {
    for (const [, name] of lines.join("\n").matchAll(SPREAD)) {
      const fragment = nearest(
        sources.filter(({ lines: [first = ""] }) => FRAGMENT.exec(first)?.[1] === name),
        file,
      );
      if (fragment !== undefined && !texts.includes(fragment)) texts.push(fragment);
    }
  }
  return texts;
}

const SPREAD = /\.\.\.\s*([A-Za-z_]\w*)/g;
const FRAGMENT = /^\s*fragment\s+([A-Za-z_]\w*)/;

/** Protocols have fragments of the same names, each in its own folder. */
function nearest(sources: readonly SourceData[], file: string): SourceData | undefined {
  const shared = (other: string) => {
    const at = other.split("").findIndex((unit, index) => unit !== file[index]);
    return at === -1 ? other.length : at;
  };
  return [...sources].sort((a, b) => shared(b.file) - shared(a.file))[0];
}

/** What a finding says of one surface; undefined where it says nothing of it. */
export function placeIn({ places }: FindingData, surface: string): PlaceData | undefined {
  return places.find((place) => place.surface === surface);
}

/** What the states of the fleet are called and marked by, in the order of the legend: shape and word, not colour alone. */
export const STATES: readonly (readonly [state: FleetState, mark: string, words: string])[] = [
  ["wrong", "\u2715", "wrong chain or indexer"],
  ["drifted", "\u25c6", "drifted"],
  ["failing", "\u25b2", "indexing failed"],
  ["silent", "\u25cb", "silent"],
  ["variant", "\u25d0", "platform variant"],
  ["accepted", "\u25c7", "accepted"],
  ["same", "\u25cf", "same"],
  ["dormant", "\u2013", "dormant"],
  ["retired", "\u00d7", "retired"],
  ["skipped", "\u00b7", "not asked"],
];

/** The same of an operation on a chain. */
export const CELLS: readonly (readonly [cell: Cell, name: string, mark: string, words: string])[] = [
  ["b", "broken", "\u2715", "broken"],
  ["r", "risk", "\u25b2", "at risk or changed"],
  ["v", "valid", "\u25cf", "valid"],
  ["n", "none", "", "not served"],
];
