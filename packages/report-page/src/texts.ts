import { wellFormed } from "../../../src/base/clean-text.ts";
import type { SourceReport } from "../../../src/report/types.ts";

/** A line of a file. */
export type LinePlace = { readonly file: string; readonly line: number };

/** Whether a text has a line. */
export function hasLine({ file, line, text }: SourceReport, place: LinePlace): boolean {
  return file === place.file && place.line >= line && place.line < line + linesOf(text).length;
}

/** The text of the operation at a place, and those of the fragments that it spreads at any depth. */
export function textsOf(place: LinePlace, sources: readonly SourceReport[]): SourceReport[] {
  const texts = sources.filter((source) => hasLine(source, place)).slice(0, 1);
  // It grows during the loop.
  for (const { file, text } of texts) {
    for (const [, name] of text.matchAll(SPREAD)) {
      const fragment = nearest(
        sources.filter((source) => FRAGMENT.exec(source.text)?.[1] === name),
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
function nearest(sources: readonly SourceReport[], file: string): SourceReport | undefined {
  const shared = (other: string) => {
    const at = other.split("").findIndex((unit, index) => unit !== file[index]);
    return at === -1 ? other.length : at;
  };
  return [...sources].sort((a, b) => shared(b.file) - shared(a.file))[0];
}

/** The lines of a text as they may be shown: with their blanks, and without invisible characters. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r]/, MOST_LINES).map((line) => {
    const shown = wellFormed(line.replaceAll("\t", "  ").replaceAll(UNSEEN, "\ufffd"));
    return shown.length > LONGEST ? `${wellFormed(shown.slice(0, LONGEST))}…` : shown;
  });
}

/** Longer lines are cut, and longer texts: far beyond any that people write. */
const LONGEST = 400;
const MOST_LINES = 5000;

const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
