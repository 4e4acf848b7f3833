import { braceExpand, Minimatch } from "minimatch";
import { compareCodeUnits } from "../base/collections.ts";
import type { SourceTree } from "../base/file-tree.ts";
import { isForeignFolder } from "../base/read-files.ts";
import type { CodeFile, CodeFiles } from "../operations/operation-set.ts";
import type { DocumentsEntry, Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { Workspace } from "./workspace.ts";

/** The code files with documents, and the configuration entry of each. */
export type CodeTree = SourceTree & {
  /** Returns the entry of a file; null if no entry matches. */
  readonly entryOf: (path: string) => DocumentsEntry | null;
  /** The patterns of `documents`. Each covers the files that its entry does not exclude. */
  readonly patterns: readonly { readonly pattern: string; readonly covers: (path: string) => boolean }[];
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
    isWanted: (path) => (CODE.test(path) || HOST.test(path)) && entryOf(path) !== null,
    isSkipped: (path) => path === output || isForeignFolder(path.slice(path.lastIndexOf("/") + 1)),
    entryOf,
    patterns: entries.flatMap(({ files, isLeftOut }) =>
      files.map(({ pattern, matches }) => ({
        pattern,
        covers: (path: string) => matches(path) && !isLeftOut(path),
      })),
    ),
  };
}

/** Files that the TypeScript compiler reads. */
const CODE = /\.[cm]?[jt]sx?$/;

/** Other files that contain code, and so may contain documents that users expect to be read. */
const HOST = /\.(astro|gjs|gts|mdx|svelte|vue)$/;

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

/**
 * Reads the code files that `documents` matches, and keeps those that may contain a document. Parses nothing. Documents that
 * are expected to be read, and are not, are findings.
 */
export function readCodeFiles({ project, tree }: Pick<Workspace, "project" | "tree">): CodeFiles {
  const { entryOf, patterns, ...sources } = createCodeTree(project);
  const paths = tree.listSources(sources);
  const files: CodeFile[] = [];
  /** The line of the first document in each file that is not read. */
  const unread = new Map<string, number>();
  for (const path of paths) {
    const { names, surfaces } = entryOf(path) ?? {};
    if (names === undefined || surfaces === undefined || surfaces.length === 0) continue;
    const text = tree.read(path)?.text ?? "";
    if (CODE.test(path)) {
      if (patternOfUse(names).test(text)) files.push({ path, text, names, surfaces });
      continue;
    }
    const at = text.search(patternOfDocument(names));
    if (at !== -1) unread.set(path, text.slice(0, at).split("\n").length);
  }
  const findings = new Map<string, Finding>();
  for (const { pattern, covers } of patterns) {
    const extensions = unreadExtensions(pattern);
    const hosts = [...unread].filter(([path]) => covers(path));
    const at = { subject: pattern, place: null };
    if (extensions.length > 0) {
      findings.set(pattern, buildFileFinding("operation/unread-file", [pattern, extensions], at));
    } else if (hosts.length > 0) {
      for (const [file, line] of hosts) {
        const place = { file, line, column: null };
        findings.set(file, buildFileFinding("operation/unread-file", [pattern, null], { place }));
      }
    } else if (!paths.some((path) => CODE.test(path) && covers(path))) {
      findings.set(pattern, buildFileFinding("operation/no-code", [pattern, paths.filter(covers)], at));
    }
  }
  return { files, findings: [...findings.values()] };
}

/** Returns the extensions that a pattern spells and that are never read, in code-unit order. */
function unreadExtensions(pattern: string): string[] {
  // `@(ts|vue)` has the same alternatives as `{ts,vue}`.
  const braces = pattern.replaceAll(
    /[@+*?]\(([^()]*)\)/g,
    (_, list: string) => `{${list.replaceAll("|", ",")},}`,
  );
  const extensions = braceExpand(braces).flatMap((path) => /\.[A-Za-z][\w-]*$/.exec(path) ?? []);
  return [...new Set(extensions)].filter((extension) => !CODE.test(extension)).sort(compareCodeUnits);
}

/** Matches a call, a template, or an import under another name. */
function patternOfUse(names: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w$])(?:${anyOf(names)})\\s*(?:[(\`</!]|as\\s|\\?\\.)`);
}

/** Matches a template, or a call with a text. A name between backticks, as in Markdown, is neither. */
function patternOfDocument(names: readonly string[]): RegExp {
  return new RegExp(
    `(?<![\\w$\`])(?:${anyOf(names)})\\s*(?:<[^<>]*>\\s*)?(?:\`|\\(\\s*(?:/\\*[^*]*\\*/\\s*)?[\`"'])`,
  );
}

function anyOf(names: readonly string[]): string {
  return names.map((name) => name.replaceAll("$", "\\$&")).join("|");
}
