import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { Minimatch } from "minimatch";
import { compareCodeUnits } from "../base/collections.ts";
import { type FileTree, openDisk } from "../base/file-tree.ts";
import { isForeignFolder } from "../base/read-files.ts";
import type { Project } from "../project/project.ts";

/** The files that patterns of a command line match. */
export type GivenSources = {
  /** Paths from the project's root, in code-unit order; of files outside of it with `../`. */
  readonly paths: readonly string[];
  /** The patterns that match no file. */
  readonly unmatched: readonly string[];
};

/**
 * Lists the files that patterns match, with files of given folders. Generated files, operation files of the project and
 * folders of tools are left out, and so is what a link leads to outside of a pattern's folder.
 *
 * @param patterns globs and paths, from `cwd`.
 * @param isWanted returns whether a file is wanted, by its path.
 */
export function listGivenSources(
  { root, output, operations }: Pick<Project, "root" | "output" | "operations">,
  { cwd, patterns }: { readonly cwd: string; readonly patterns: readonly string[] },
  isWanted: (path: string) => boolean,
): GivenSources {
  const tree = openDisk(root);
  const own = [output, operations].map((folder) => resolve(root, folder));
  const found = new Set<string>();
  const unmatched = patterns.filter((pattern) => {
    const files = matchFiles(tree, resolve(cwd, pattern.replaceAll("\\", "/")), { own, isWanted });
    for (const file of files) found.add(relative(root, file).split(sep).join("/"));
    return files.length === 0;
  });
  return { paths: [...found].sort(compareCodeUnits), unmatched };
}

function matchFiles(
  tree: FileTree,
  pattern: string,
  { own, isWanted }: { readonly own: readonly string[]; readonly isWanted: (path: string) => boolean },
): string[] {
  const absolute = pattern.split(sep).join("/");
  const plain = absolute.match(/^[^*?[\]{}()!+@]*/)?.[0] ?? "";
  const isPlain = plain === absolute;
  const base = isPlain ? absolute : plain.slice(0, Math.max(1, plain.lastIndexOf("/")));
  const matcher = new Minimatch(absolute, { nocomment: true, nonegate: true, dot: false });
  const isOwn = (path: string) => own.some((folder) => path === folder || path.startsWith(`${folder}${sep}`));
  const list = (root: string, folders: readonly string[], matches: (path: string) => boolean) =>
    tree
      .listSources({
        root,
        folders,
        isWanted: (path) => isWanted(path) && matches(join(root, path)),
        isSkipped: (path) =>
          isOwn(join(root, path)) || isForeignFolder(path.slice(path.lastIndexOf("/") + 1)),
      })
      .map((path) => join(root, path));
  if (!isPlain) return list(base, [""], (path) => matcher.match(path.split(sep).join("/")));
  // A path is a file, or a folder with all of its files. A file whose name has the characters of a glob is not a pattern.
  const within = list(base, [""], () => true);
  if (within.length > 0 || !isAbsolute(base)) return within;
  const folder = base.slice(0, Math.max(1, base.lastIndexOf("/")));
  const name = base.slice(base.lastIndexOf("/") + 1);
  return isOwn(base) ? [] : list(folder, [name], () => true);
}
