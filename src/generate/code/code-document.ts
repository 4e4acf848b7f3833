import type { Place } from "../../base/place.ts";
import type { OperationSource } from "../operation-source.ts";
import type { CodeFile } from "./read-code-files.ts";

/** A document in code, as the program has it when it runs. */
export type CodeDocument = OperationSource &
  Pick<CodeFile, "surfaces"> & {
    /** Where a character of the text stands in the file. */
    readonly locate: Locate;
    /** Where in the text other documents are put in, which are documents of their own. */
    readonly interpolations: readonly number[];
    /** What the function or tag is imported from; null where it is not. */
    readonly importedFrom: string | null;
  };

/** Where something at an offset is, both from 1. */
export type Locate = (offset: number) => { readonly line: number; readonly column: number };

/** A part of a text that stands elsewhere as it is, from its first character on. */
export type Segment = { readonly at: number; readonly from: number };

/** Creates what tells lines and columns of a text. */
export function createLocate(text: string): Locate {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map(({ index, 0: { length } }) => index + length)];
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Creates what tells where the characters of a text stand that is made of parts of a file. */
export function locateSegments(segments: readonly Segment[], locate: Locate): Locate {
  const starts = segments.map(({ at }) => at);
  return (offset) => {
    const { at, from } = segments[lastAtMost(starts, offset)] ?? { at: 0, from: 0 };
    return locate(from + offset - at);
  };
}

/** The index of the last number, of some in order, that is at most another. */
function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0;
  for (let high = sorted.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The segments of the text of a literal: an escape is one character, or none, and several in the file.
 *
 * @param raw what stands between the quotes.
 * @param at where the text begins in the document.
 * @param from where it begins in the file.
 */
export function segmentsOf(raw: string, at: number, from: number): Segment[] {
  const segments: Segment[] = [{ at, from }];
  let shorter = 0;
  for (const { index, 0: sequence } of raw.matchAll(ESCAPE)) {
    shorter += sequence.length - lengthOf(sequence);
    const end = index + sequence.length;
    segments.push({ at: at + end - shorter, from: from + end });
  }
  return segments;
}

const ESCAPE = /\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|\r\n|[\s\S])/gu;

/** How many characters an escape stands for. */
function lengthOf(sequence: string): number {
  if (/^\\[\r\n\u2028\u2029]/.test(sequence)) return 0;
  const point = sequence.match(/^\\u\{(.*)\}$/)?.[1];
  if (point !== undefined) return Number.parseInt(point, 16) > 0xffff ? 2 : 1;
  return /^\\[ux]/.test(sequence) ? 1 : sequence.length - 1;
}

/** The place of what stands at an offset of a file's text. */
export function placeAt(file: string, locate: Locate, offset: number): Place {
  return { file, ...locate(offset) };
}
