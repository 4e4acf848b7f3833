import { askGit } from "./ask-git.ts";

/** A place in a repository: its folder on the disk, and a path in it. */
export type FormerPath = { readonly top: string; readonly path: string };

/**
 * Where a file was at a git ref that has another name since, as git sees it by the content; null for one that is new.
 *
 * @param folder the file's, in the repository.
 * @param name of the file in its folder.
 */
export async function findFormerPath(folder: string, ref: string, name: string): Promise<FormerPath | null> {
  const places = await askGit(folder, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  const [top = "", prefix = ""] = places.out.split("\n");
  const commit = await askGit(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (places.status !== 0 || commit.status !== 0) return null;
  // Without the attributes and the settings of whoever runs it.
  const args = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "-z",
    "--name-status",
    "-M",
    "--no-relative",
    "--diff-filter=R",
  ];
  const moved = await askGit(top, [...args, commit.out.trim(), "--"]);
  const [, path] =
    [...moved.out.matchAll(/R\d*\0([^\0]*)\0([^\0]*)\0/g)].find(([, , now]) => now === `${prefix}${name}`) ??
    [];
  return path === undefined ? null : { top, path };
}
