import { resolve } from "node:path";
import { cached } from "../base/collections.ts";
import { readForeignText } from "../base/read-files.ts";
import { capitalize } from "../base/text.ts";
import { createLocate, type Locate } from "../operations/code-document.ts";
import type { Reason } from "./port-types.ts";
import type { Hole } from "./read-hole.ts";

/** A GraphQL document of the project, with its text at run time. */
export type SourceDocument = {
  /** A path from the project's root. */
  readonly file: string;
  /** With the text of interpolated documents, and a variable for each value. */
  readonly text: string;
  /** The name of its constant, its function or its file, for operations without a name. */
  readonly name: string;
  readonly locate: Locate;
  /** The ranges of the text that come from other documents. */
  readonly foreign: readonly (readonly [start: number, end: number])[];
  readonly isInCode: boolean;
  /** Whether the project says that it is a document. Any other text only looks like one. */
  readonly isMarked: boolean;
  /** The values in the text: each has a mark in it until `fillHoles` replaces them by variables. */
  readonly holes: readonly Hole[];
};

/** The name that stands for a value in a text. */
export const MARK = "LOCKFLOW_VALUE";

/** A document that cannot be read. The report lists it as refused. */
export type UnreadDocument = Pick<SourceDocument, "file" | "name"> & {
  readonly line: number;
  readonly reason: Reason;
};

export type SourceFile = { readonly path: string; readonly text: string; readonly locate: Locate };

/** Reads files of the project, each once. */
export type SourceReader = (path: string) => SourceFile | { readonly path: string; readonly problem: string };

/** The largest file of operations, and of code, that is read. Larger files of code are generated. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_BYTES_OF_CODE = 1024 * 1024;

export function createSourceReader(root: string): SourceReader {
  const files = new Map<string, ReturnType<SourceReader>>();
  return (path) =>
    cached(files, path, () => {
      const most = /\.(?:graphql|gql)$/.test(path) ? MOST_BYTES : MOST_BYTES_OF_CODE;
      const { text, problem } = readForeignText(resolve(root, path), most);
      return problem === null ? { path, text, locate: createLocate(text) } : { path, problem };
    });
}

/** Returns a name in the form of types: `StreamsBySender` for `STREAMS_BY_SENDER` and `streams-by-sender`. */
export function pascalCase(text: string): string {
  const name = wordsOf(text).map(capitalize).join("");
  return /^[A-Z]/.test(name) ? name : `Query${name}`;
}

/** Returns the name of an operation's file: `streams-by-sender`. */
export function kebabCase(name: string): string {
  return wordsOf(name).join("-");
}

/** Returns the words of a name, in lower case. */
export function wordsOf(name: string): string[] {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase();
  return words.split(/[^\da-z]+/).filter((word) => word !== "");
}
