import { Minimatch } from "minimatch";
import type { SourceTree } from "../base/file-tree.ts";
import { isForeignFolder } from "../base/read-files.ts";
import type { CodeFile, CodeFiles } from "../operations/operation-set.ts";
import type { DocumentsEntry, Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Workspace } from "./workspace.ts";

/** The code files with documents, and the configuration entry of each. */
export type CodeTree = SourceTree & {
  /** Returns the entry of a file; null if no entry matches. */
  readonly entryOf: (path: string) => DocumentsEntry | null;
  /** Returns the patterns that match none of the files. */
  readonly unmatched: (paths: readonly string[]) => readonly string[];
};

/** Creates the tree of the code files that `documents` in the configuration matches. */
export function createCodeTree({
  root,
  output,
  documents,
}: Pick<Project, "root" | "output" | "documents">): CodeTree {
  const entries = documents.map((entry) => {
    const files = entry.files.map((pattern) => ({ pattern, matches: matcher(pattern) }));
    const except = entry.except.map(matcher);
    return { entry, files, isLeftOut: (path: string) => except.some((matches) => matches(path)) };
  });
  const entryOf = (path: string): DocumentsEntry | null =>
    entries.findLast(({ files, isLeftOut }) => files.some(({ matches }) => matches(path)) && !isLeftOut(path))
      ?.entry ?? null;
  return {
    root,
    folders: outermost(documents.flatMap(({ files }) => files.map(folderOf))),
    isWanted: (path) => CODE.test(path) && entryOf(path) !== null,
    isSkipped: (path) => path === output || isForeignFolder(path.slice(path.lastIndexOf("/") + 1)),
    entryOf,
    unmatched: (paths) =>
      entries.flatMap(({ files, isLeftOut }) =>
        files.flatMap(({ pattern, matches }) =>
          paths.some((path) => matches(path) && !isLeftOut(path)) ? [] : [pattern],
        ),
      ),
  };
}

/** Files that the TypeScript compiler reads. */
const CODE = /\.[cm]?[jt]sx?$/;

function matcher(pattern: string): (path: string) => boolean {
  const compiled = new Minimatch(pattern, { nocomment: true, nonegate: true });
  return (path) => compiled.match(path);
}

/** Returns the deepest folder that contains all matches of a pattern. */
function folderOf(pattern: string): string {
  const plain = pattern.match(/^[^*?[\]{}()!+@\\]*/)?.[0] ?? "";
  return plain.slice(0, Math.max(0, plain.lastIndexOf("/")));
}

function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)];
  return unique.filter(
    (folder) => !unique.some((other) => other !== folder && (other === "" || folder.startsWith(`${other}/`))),
  );
}

/** Reads the code files that `documents` matches, and keeps those that may contain a document. Parses nothing. */
export function readCodeFiles({ project, tree }: Pick<Workspace, "project" | "tree">): CodeFiles {
  const { entryOf, unmatched, ...sources } = createCodeTree(project);
  const paths = tree.listSources(sources);
  const files: CodeFile[] = [];
  for (const path of paths) {
    const { names, surfaces } = entryOf(path) ?? {};
    if (names === undefined || surfaces === undefined || surfaces.length === 0) continue;
    const text = tree.read(path)?.text ?? "";
    if (patternOfUse(names).test(text)) files.push({ path, text, names, surfaces });
  }
  const findings = unmatched(paths).map((pattern) =>
    buildFileFinding("operation/no-code", [pattern], { subject: pattern, place: null }),
  );
  return { files, findings };
}

/** Matches a call, a template, or an import under another name. */
function patternOfUse(names: readonly string[]): RegExp {
  const any = names.map((name) => name.replaceAll("$", "\\$&")).join("|");
  return new RegExp(`(?<![\\w$])(?:${any})\\s*(?:[(\`</!]|as\\s|\\?\\.)`);
}
