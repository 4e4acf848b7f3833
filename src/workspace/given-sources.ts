import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { escape as escapeGlob, Minimatch } from "minimatch";
import { compareCodeUnits } from "../base/collections.ts";
import { openDisk } from "../base/file-tree.ts";
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
 * Lists the files that patterns match, with files of folders that are named. Generated files, operation files of the project and
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
  const leftOut = [output, operations].map((folder) => resolve(root, folder));
  const paths = new Set<string>();
  const isLeftOut = (path: string) =>
    leftOut.some((folder) => path === folder || path.startsWith(`${folder}${sep}`));
  const list = (from: string, folders: readonly string[], matches: (path: string) => boolean) =>
    tree
      .listSources({
        root: from,
        folders,
        isWanted: (path) => isWanted(path) && matches(join(from, path)),
        isSkipped: (path) =>
          isLeftOut(join(from, path)) || isForeignFolder(path.slice(path.lastIndexOf("/") + 1)),
      })
      .map((path) => join(from, path));
  const unmatched = patterns.filter((pattern) => {
    const files = matchFiles(pattern.replaceAll("\\", "/"));
    for (const file of files) paths.add(relative(root, file).split(sep).join("/"));
    return files.length === 0;
  });
  return { paths: [...paths].sort(compareCodeUnits), unmatched };

  function matchFiles(pattern: string): string[] {
    const path = resolve(cwd, pattern);
    if (isLeftOut(path)) return [];
    // A folder with all of its files, or a file. The name of either may have the characters of a glob.
    const inFolder = list(path, [""], () => true);
    const named = inFolder.length > 0 ? inFolder : list(dirname(path), [basename(path)], () => true);
    const [plain = ""] = pattern.match(/^[^*?[\]{}()!+@]*/) ?? [];
    if (named.length > 0 || plain === pattern) return named;
    const glob = resolve(escapeGlob(cwd, OPTIONS), pattern).split(sep).join("/");
    const matcher = new Minimatch(glob, OPTIONS);
    const base = resolve(cwd, plain.slice(0, plain.lastIndexOf("/") + 1));
    if (isLeftOut(base)) return [];
    return list(base, [""], (file) => matcher.match(file.split(sep).join("/")));
  }
}

/** A backslash separates folders. */
const OPTIONS = { nocomment: true, nonegate: true, dot: false, windowsPathsNoEscape: true } as const;
