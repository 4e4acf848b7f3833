import { posix, resolve } from "node:path";
import { once } from "../../base/collections.ts";
import type { Project } from "../../project/project.ts";
import { listGivenSources } from "../../workspace/given-sources.ts";
import { type CodeModules, createCodeModules } from "./code-modules.ts";
import { createCodeReader } from "./link-code.ts";
import {
  createSourceReader,
  type SourceDocument,
  type SourceReader,
  type UnreadDocument,
} from "./source-document.ts";

/** The documents of the files that patterns match. */
export type ReadDocuments = {
  /** In order of file and position. */
  readonly documents: readonly SourceDocument[];
  readonly unread: readonly UnreadDocument[];
  /** The patterns that match no file. */
  readonly unmatched: readonly string[];
  /** The files that were read, in code-unit order. */
  readonly paths: readonly string[];
  readonly read: SourceReader;
  readonly modules: CodeModules;
};

/** Reads the documents of the files that patterns match. A file that cannot be read is listed, and others are read. */
export function readDocuments(
  project: Project,
  given: { readonly cwd: string; readonly patterns: readonly string[] },
): ReadDocuments {
  const { paths, unmatched } = listGivenSources(
    project,
    given,
    (path) => SOURCE.test(path) && !TYPES.test(path),
  );
  const read = createSourceReader(project.root, resolve);
  const modules = createCodeModules(project.root, read);
  const readCode = once(() => createCodeReader(read, modules));
  const documents: SourceDocument[] = [];
  const unread: UnreadDocument[] = [];
  for (const path of paths) {
    const file = read(path);
    const name = posix.basename(path).replace(/\.[^.]*$/, "");
    if (!("text" in file)) {
      // A large or binary file of code holds no document that a person wrote.
      if (!GRAPHQL.test(path)) continue;
      const message = `The file is ${file.problem === "not text" ? "not UTF-8 text" : file.problem}.`;
      unread.push({ file: path, line: 1, name, reason: { code: "port/unreadable", message } });
    } else if (GRAPHQL.test(path)) {
      documents.push({ file: path, text: file.text, name, locate: file.locate, foreign: [], literal: null });
    } else {
      const found = readCode()(path);
      documents.push(...found.documents);
      unread.push(...found.unread);
    }
  }
  return { documents, unread, unmatched, paths, read, modules };
}

const SOURCE = /\.(?:graphql|gql|[cm]?[jt]sx?)$/;
const GRAPHQL = /\.(?:graphql|gql)$/;
const TYPES = /\.d\.[cm]?ts$/;
