import type { SourceData } from "../page-data.ts";

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
