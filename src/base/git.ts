import { execFile } from "node:child_process";
import { posix } from "node:path";
import { FileError } from "./errors.ts";
import { createTextFiles, type FileTree } from "./file-tree.ts";

/** The exit status of git, and its output. */
export type GitAnswer = { readonly status: number; readonly out: string; readonly cause: unknown };

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs git without a shell, so that a ref or a path is never a command. Throws if git is not installed. */
export async function runGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  const { status, bytes, cause } = await runGitWithInput(cwd, args, "");
  return { status, out: bytes.toString("utf8"), cause };
}

type GitBytes = Omit<GitAnswer, "out"> & { readonly bytes: Buffer };

/** @param input the standard input of git. */
function runGitWithInput(cwd: string, args: readonly string[], input: string): Promise<GitBytes> {
  return new Promise((resolve, reject) => {
    const git = execFile("git", args, { cwd, encoding: "buffer", maxBuffer: MAX_BYTES }, (cause, bytes) => {
      if (cause === null) return resolve({ status: 0, bytes, cause: null });
      if (typeof cause.code === "number") return resolve({ status: cause.code, bytes, cause });
      reject(
        new FileError({
          code: "FILE_UNREADABLE",
          sentence: `git could not be run (${String(cause.code ?? cause.signal ?? "unknown reason")}).`,
          hint: "install git, or compare files instead of refs.",
          cause,
        }),
      );
    });
    // If git ends before it has read its input, the pipe breaks. Its status says why.
    git.stdin?.on("error", () => {});
    git.stdin?.end(input);
  });
}

/**
 * Reads a file of a folder in a repository as it was at a git ref; null if it did not exist.
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
 * Opens files of a folder in a repository as they were at a git ref. It takes two processes for any number of files.
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
  requireRef(ref);
  const listed = await runGit(folder, ["ls-tree", "-z", `${ref}^{commit}`, "--", ...paths]);
  if (listed.status !== 0) throw await explainMissing(folder, ref, listed.cause);
  // Each entry is "<mode> <type> <id>\t<path>".
  const entries = listed.out
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => ({ path: entry.slice(entry.indexOf("\t") + 1), id: entry.split(/[ \t]/)[2] ?? "" }));
  const texts = await readObjects(folder, ref, [...new Set(entries.map(({ id }) => id))]);
  return new Map(entries.map(({ path, id }) => [path, texts.get(id) ?? ""]));
}

/** Throws for a ref that git would take for an option. */
function requireRef(ref: string): void {
  if (ref === "" || ref.startsWith("-")) throw missingRef(ref, null);
}

/** Returns the error for a folder without a repository, or for a ref that the repository does not have. */
async function explainMissing(folder: string, ref: string, cause: unknown): Promise<FileError> {
  const verified = await runGit(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (verified.status <= 1) return missingRef(ref, cause);
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${folder} is not in a git repository, or git cannot read it.`,
    hint: "run it in a checkout, or compare files instead of refs.",
    cause: verified.cause,
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
  const input = `${ids.join("\n")}\n`;
  const { status, bytes, cause } = await runGitWithInput(folder, ["cat-file", "--batch"], input);
  if (status !== 0) throw missingRef(ref, cause);
  let at = 0;
  for (const id of ids) {
    // "<id> <type> <size>", a line break, the bytes and a line break; or "<id> missing".
    const end = bytes.indexOf("\n", at);
    const [, type, size = ""] = bytes.toString("utf8", at, end).split(" ");
    // A partial or shallow clone lists objects that it does not have.
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
    sentence: `git has no "${ref}" here, or not all of its files.`,
    context: ["a clone for CI often has one commit only"],
    hint: `run \`${fetchCommand(ref)}\` and try again.`,
    cause,
  });
}

/** Returns the command that fetches a ref. */
function fetchCommand(ref: string): string {
  const name = ref.replace(/[~^@].*$/, "");
  if (name === "" || name === "HEAD") return "git fetch --unshallow origin";
  if (name !== ref) return `git fetch --deepen=100 origin ${withoutRemote(name)}`;
  if (/^[0-9a-f]{7,64}$/.test(ref)) return `git fetch origin ${ref}`;
  const branch = withoutRemote(ref);
  // Without a target, git fetches into FETCH_HEAD only, and the ref would still be missing.
  return `git fetch origin ${branch}:${branch === ref ? branch : `refs/remotes/${ref}`}`;
}

function withoutRemote(ref: string): string {
  return ref.replace(/^(refs\/remotes\/)?origin\//, "");
}

/** A path in a repository, and the folder of the repository on disk. */
export type FormerPath = { readonly top: string; readonly path: string };

/**
 * Finds the path that a file had at a git ref, if it was renamed since. Git compares the contents. Null if it was not.
 *
 * @param folder the folder of the file.
 * @param name the name of the file in its folder.
 */
export async function findFormerPath(folder: string, ref: string, name: string): Promise<FormerPath | null> {
  requireRef(ref);
  const places = await runGit(folder, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  const [top = "", prefix = ""] = places.out.split("\n");
  if (places.status !== 0) return null;
  // The user's git settings must not change the output.
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
  const moved = await runGit(top, [...args, `${ref}^{commit}`, "--"]);
  if (moved.status !== 0) return null;
  const [, path] =
    [...moved.out.matchAll(/R\d*\0([^\0]*)\0([^\0]*)\0/g)].find(([, , now]) => now === `${prefix}${name}`) ??
    [];
  return path === undefined ? null : { top, path };
}
