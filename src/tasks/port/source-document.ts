import { resolve } from "node:path";
import { cached } from "../../base/collections.ts";
import { readForeignText } from "../../base/read-files.ts";
import { createLocate, type Locate } from "../../operations/code-document.ts";
import type { Reason } from "./port-types.ts";

/** A GraphQL document of the project, with its text at run time. */
export type SourceDocument = {
  /** A path from the project's root. */
  readonly file: string;
  /** With the text of interpolated documents. */
  readonly text: string;
  /** The name of its constant or of its file, for operations without a name. */
  readonly name: string;
  readonly locate: Locate;
  /** The ranges of the text that come from other documents. */
  readonly foreign: readonly (readonly [start: number, end: number])[];
  /** Where it is in code; null for a file of operations. */
  readonly literal: CodeLiteral | null;
};

/** The place of a document in code, as offsets. */
export type CodeLiteral = {
  /** The whole expression: the tag with its template, or the call. */
  readonly start: number;
  readonly end: number;
  /** The constant that holds it; null for a document that is used in place. */
  readonly constant: string | null;
};

/** A document that cannot be read. The report lists it as refused. */
export type UnreadDocument = {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly reason: Reason;
};

/** A text file of the project, read once. */
export type SourceFile = { readonly path: string; readonly text: string; readonly locate: Locate };

/** Reads files of the project, each once. */
export type SourceReader = (path: string) => SourceFile | { readonly path: string; readonly problem: string };

/** The largest file that is read. Larger files of code are generated. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Creates a reader for files by their paths from a root. */
export function createSourceReader(root: string): SourceReader {
  const known = new Map<string, ReturnType<SourceReader>>();
  return (path) =>
    cached(known, path, () => {
      const { text, problem } = readForeignText(resolve(root, path), MOST_BYTES);
      return problem === null ? { path, text, locate: createLocate(text) } : { path, problem };
    });
}

/** Returns a name in the form of types: `StreamsBySender` for `STREAMS_BY_SENDER` and `streams-by-sender`. */
export function pascalCase(text: string): string {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^\dA-Za-z]+/)
    .filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("");
  return /^[A-Z]/.test(name) ? name : `Query${name}`;
}

/** Returns the name of an operation's file: `streams-by-sender`. */
export function kebabCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replaceAll(/[^\dA-Za-z]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase();
}
