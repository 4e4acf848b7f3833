import type { DocumentNode } from "graphql";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { CodeFile, OperationFile, OperationSource } from "./operation-set.ts";
import { parseFile } from "./parse-operations.ts";

/** A document in code, with the text that it has at run time. */
export type CodeDocument = OperationSource &
  Pick<CodeFile, "surfaces"> & {
    /** Locates an offset of the text in the file. */
    readonly locate: Locate;
    /** Offsets in the text at which other documents are interpolated. */
    readonly interpolations: readonly number[];
    /** The module that the function or tag is imported from; null if it is not imported. */
    readonly importedFrom: string | null;
  };

/** Locates an offset; line and column count from 1. */
export type Locate = (offset: number) => { readonly line: number; readonly column: number };

/** Parses a document in code. Its nodes have the lines and columns of the file. */
export function parseCodeDocument(code: CodeDocument, findings: Finding[]): OperationFile | null {
  const { path, text, locate, interpolations } = code;
  const errors: Finding[] = [];
  const parsed = parseFile({ path, text }, errors);
  for (const { place, fix, ...finding } of errors) {
    const offset = offsetOf(text, place?.line ?? 1, place?.column ?? 1);
    const isEmpty = text.trim() === "";
    findings.push({
      ...finding,
      place: { file: path, ...locate(offset) },
      fix: isEmpty ? "the document is empty: write an operation, or delete it." : fix,
    });
  }
  if (parsed === null) return null;
  relocate(parsed.document, locate);
  const inside = interpolations.find((offset) =>
    parsed.document.definitions.some(({ loc }) => loc && loc.start < offset && offset < loc.end),
  );
  if (inside === undefined) return parsed;
  findings.push(
    buildFileFinding(
      "operation/unreadable",
      ["A document is interpolated inside of another's operation or fragment."],
      {
        place: { file: path, ...locate(inside) },
        fix: "put it after them, and spread its fragment by name.",
      },
    ),
  );
  return null;
}

/** Returns the offset of a line and a column, which count from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  return (lineStarts(text)[line - 1] ?? 0) + column - 1;
}

/** Sets line and column of every token, because graphql-js reads the position of a node from its tokens. */
function relocate({ loc }: DocumentNode, locate: Locate): void {
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) {
    Object.assign(token, locate(token.start));
  }
}

/** A part of a text that is a copy of the file from its first character on. */
export type Segment = { readonly at: number; readonly from: number };

/** Returns a function that locates offsets of a text. */
export function createLocate(text: string): Locate {
  const starts = lineStarts(text);
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map(({ index, 0: end }) => index + end.length)];
}

/** Returns a function that locates offsets of a text that is assembled from parts of a file. */
export function locateSegments(segments: readonly Segment[], locate: Locate): Locate {
  const starts = segments.map(({ at }) => at);
  return (offset) => {
    const { at, from } = segments[lastAtMost(starts, offset)] ?? { at: 0, from: 0 };
    return locate(from + offset - at);
  };
}

/** Returns the index of the last of some sorted numbers that is at most `wanted`. */
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
 * Returns the segments of a literal's text. An escape is several characters of the file, and one or none of the text.
 *
 * @param raw the source text between the quotes.
 * @param at the offset at which the text begins in the document.
 * @param from the offset at which it begins in the file.
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

/** Returns the number of characters that an escape stands for. */
function lengthOf(sequence: string): number {
  if (/^\\[\r\n\u2028\u2029]/.test(sequence)) return 0;
  const point = sequence.match(/^\\u\{(.*)\}$/)?.[1];
  if (point !== undefined) return Number.parseInt(point, 16) > 0xffff ? 2 : 1;
  return /^\\[ux]/.test(sequence) ? 1 : sequence.length - 1;
}
