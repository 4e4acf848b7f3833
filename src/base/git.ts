import { execFile } from "node:child_process";
import { posix } from "node:path";
import { FileError } from "./errors.ts";
import { createTextFiles, type FileTree } from "./file-tree.ts";

/** What git ended with, and what it wrote until then. */
export type GitAnswer = { readonly status: number; readonly out: string; readonly cause: unknown };

const MAX_BYTES = 64 * 1024 * 1024;

/** Asks git, without a shell: nothing of a ref or a path is read as a command. Throws where there is no git. */
export async function askGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  const { status, bytes, cause } = await runGit(cwd, args, "");
  return { status, out: bytes.toString("utf8"), cause };
}

type GitBytes = Omit<GitAnswer, "out"> & { readonly bytes: Buffer };

/** @param input what git reads from its standard input. */
function runGit(cwd: string, args: readonly string[], input: string): Promise<GitBytes> {
  return new Promise((resolve, reject) => {
    const git = execFile("git", args, { cwd, encoding: "buffer", maxBuffer: MAX_BYTES }, (cause, bytes) => {
      if (cause === null) return resolve({ status: 0, bytes, cause: null });
      if (typeof cause.code === "number") return resolve({ status: cause.code, bytes, cause });
      reject(
        new FileError({
          code: "FILE_UNREADABLE",
          sentence: `git could not be asked (${String(cause.code ?? cause.signal ?? "unknown reason")}).`,
          hint: "install git, or compare files instead of refs.",
          cause,
        }),
      );
    });
    // A git that ends before it has read everything closes the pipe; its status says why.
    git.stdin?.on("error", () => {});
    git.stdin?.end(input);
  });
}

/**
 * Reads a file of a folder in a repository as it was at a git ref; null when it did not exist.
 *
 * @throws FileError for a ref or an object that git does not have, and outside a repository.
 */
export async function readAtRef(folder: string, ref: string, path: string): Promise<string | null> {
  const [text, ...others] = (await readBlobs(folder, ref, [path])).values();
  // The path names a folder.
  if (others.length > 0) throw missingRef(ref, null);
  return text?.replace(/^\uFEFF/, "") ?? null;
}

/**
 * Opens files of a folder in a repository as they were at a git ref. It takes three processes for any number of files.
 *
 * @param paths from the folder. Only these files are in the tree.
 * @throws FileError for a ref or an object that git does not have, and outside a repository.
 */
export async function openGitTree(folder: string, ref: string, paths: readonly string[]): Promise<FileTree> {
  const texts = await readBlobs(folder, ref, paths);
  const toTextFile = createTextFiles();
  return {
    list: (name, extensions) =>
      [...texts.keys()]
        .filter((path) => path.startsWith(`${name}/`) && extensions.some((end) => path.endsWith(end)))
        .map((path) => path.slice(name.length + 1)),
    listSources: () => [],
    read: (path) => toTextFile(path, texts.get(posix.normalize(path)) ?? null),
  };
}

/** Reads the files that exist at a ref, by path. */
async function readBlobs(
  folder: string,
  ref: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const commit = await resolveCommit(folder, ref);
  const listed = await askGit(folder, ["ls-tree", "-z", commit, "--", ...paths]);
  if (listed.status !== 0) throw missingRef(ref, listed.cause);
  // Each entry is "<mode> <type> <id>\t<path>".
  const entries = listed.out
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => ({ path: entry.slice(entry.indexOf("\t") + 1), id: entry.split(/[ \t]/)[2] ?? "" }));
  const texts = await readObjects(folder, ref, [...new Set(entries.map(({ id }) => id))]);
  return new Map(entries.map(({ path, id }) => [path, texts.get(id) ?? ""]));
}

async function resolveCommit(folder: string, ref: string): Promise<string> {
  if (ref === "" || ref.startsWith("-")) throw missingRef(ref, null);
  const commit = await askGit(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (commit.status === 1) throw missingRef(ref, commit.cause);
  if (commit.status === 0) return commit.out.trim();
  throw new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${folder} is in no git repository that can be read.`,
    hint: "run it in a checkout, or compare files instead of refs.",
    cause: commit.cause,
  });
}

/** Reads the texts of objects by their ids. */
async function readObjects(
  folder: string,
  ref: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (ids.length === 0) return texts;
  const { status, bytes, cause } = await runGit(folder, ["cat-file", "--batch"], `${ids.join("\n")}\n`);
  if (status !== 0) throw missingRef(ref, cause);
  let at = 0;
  for (const id of ids) {
    // "<id> <type> <size>", a line break, the bytes and a line break; or "<id> missing".
    const end = bytes.indexOf("\n", at);
    const [, type, size = ""] = bytes.toString("utf8", at, end).split(" ");
    // A clone that holds only a part of the history, or of the files, lists objects that it does not have.
    if (type !== "blob") throw missingRef(ref, null);
    at = end + 1 + Number(size);
    texts.set(id, bytes.toString("utf8", end + 1, at).replaceAll("\r\n", "\n"));
    at++;
  }
  return texts;
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
