import { execFile } from "node:child_process";
import { FileError } from "./errors.ts";

/** What git ended with, and what it wrote until then. */
export type GitAnswer = { readonly status: number; readonly out: string; readonly cause: unknown };

const MAX_BYTES = 64 * 1024 * 1024;

/** Asks git, without a shell: nothing of a ref or a path is read as a command. Throws where there is no git. */
export function askGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    execFile("git", args, { cwd, encoding: "utf8", maxBuffer: MAX_BYTES }, (cause, out) => {
      if (cause === null) return resolve({ status: 0, out, cause: null });
      if (typeof cause.code === "number") return resolve({ status: cause.code, out, cause });
      reject(
        new FileError({
          code: "FILE_UNREADABLE",
          sentence: `git could not be asked (${String(cause.code ?? cause.signal ?? "unknown reason")}).`,
          hint: "install git, or compare files instead of refs.",
          cause,
        }),
      );
    });
  });
}

/** The text of a file of a repository's folder as it was at a git ref; null when there was no such file. */
export async function readAtRef(folder: string, ref: string, path: string): Promise<string | null> {
  if (ref === "" || ref.startsWith("-")) throw missingRef(ref, null);
  const commit = await askGit(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (commit.status === 1) throw missingRef(ref, commit.cause);
  if (commit.status !== 0) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `${folder} is in no git repository that can be read.`,
      hint: "run it in a checkout, or compare files instead of refs.",
      cause: commit.cause,
    });
  }
  const id = commit.out.trim();
  const listed = await askGit(folder, ["ls-tree", "--name-only", id, "--", path]);
  if (listed.status !== 0) throw missingRef(ref, listed.cause);
  if (listed.out.trim() === "") return null;
  const shown = await askGit(folder, ["show", `${id}:./${path}`]);
  // A clone that holds only a part of the history, or of the files, lists what it cannot show.
  if (shown.status !== 0) throw missingRef(ref, shown.cause);
  return shown.out.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
}

function missingRef(ref: string, cause: unknown): FileError {
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `git has no "${ref}" here, or not all of it.`,
    context: ["a clone for CI often holds one commit only"],
    hint: `run \`${fetchLine(ref)}\` and try again.`,
    cause,
  });
}

/** What brings a ref into a clone that does not have it. */
function fetchLine(ref: string): string {
  const name = ref.replace(/[~^@].*$/, "");
  if (name === "" || name === "HEAD") return "git fetch --unshallow origin";
  if (name !== ref) return `git fetch --deepen=100 origin ${withoutRemote(name)}`;
  if (/^[0-9a-f]{7,64}$/.test(ref)) return `git fetch origin ${ref}`;
  const branch = withoutRemote(ref);
  // By itself git would leave what it fetched in FETCH_HEAD, and the ref would still be missing.
  return `git fetch origin ${branch}:${branch === ref ? branch : `refs/remotes/${ref}`}`;
}

function withoutRemote(ref: string): string {
  return ref.replace(/^(refs\/remotes\/)?origin\//, "");
}

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
