import { execFile } from "node:child_process";
import { posix } from "node:path";
import { FileError, orNull } from "./errors.ts";
import { shellArgument } from "./text.ts";

/** The exit status of git, and its output. */
export type GitAnswer = {
  readonly status: number;
  readonly out: string;
  /** What git wrote to standard error, in lines, without user names in URLs: these can be keys. */
  readonly reasons: readonly string[];
};

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs git without a shell, so that a ref or a path is never a command. Throws if git is not installed. */
export async function runGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  const { bytes, ...answer } = await runGitWithInput(cwd, args, "");
  return { ...answer, out: bytes.toString("utf8") };
}

type GitBytes = Omit<GitAnswer, "out"> & { readonly bytes: Buffer };

/** @param input the standard input of git. */
function runGitWithInput(cwd: string, args: readonly string[], input: string): Promise<GitBytes> {
  const env = { ...process.env, ...OF_HOOKS };
  return new Promise((resolve, reject) => {
    const options = { cwd, env, encoding: "buffer", maxBuffer: MAX_BYTES } as const;
    const git = execFile("git", args, options, (cause, bytes, errors) => {
      const status = cause === null ? 0 : cause.code;
      if (typeof status === "number") return resolve({ status, bytes, reasons: parseReasons(errors) });
      reject(
        new FileError({
          code: "FILE_UNREADABLE",
          sentence: `git could not be run (${String(status ?? cause?.signal ?? "unknown reason")}).`,
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

function parseReasons(errors: Buffer): string[] {
  const lines = errors
    .toString("utf8")
    .replaceAll(/:\/\/[^/@\s]*@/g, "://")
    .split("\n");
  return lines.map((line) => line.replace(/^fatal: /, "").trim()).filter((line) => line !== "");
}

/**
 * Variables that git sets for its hooks. They name the repository of the hook, its index and its objects, and git prefers
 * them to the folder that it runs in. Variables with settings, such as `safe.directory`, are kept.
 */
const OF_HOOKS: Readonly<Record<string, undefined>> = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_PREFIX: undefined,
  GIT_NAMESPACE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_SHALLOW_FILE: undefined,
};

/** The commit where a branch left a ref. All commits are full ids. */
export type MergeBase = {
  readonly base: string;
  /** The commit of the ref. */
  readonly commit: string;
  readonly head: string;
};

/**
 * Finds the newest common commit of a ref and `HEAD`.
 *
 * @throws FileError without a common commit, for a ref that git does not have, and outside a repository.
 */
export async function findMergeBase(folder: string, ref: string): Promise<MergeBase> {
  requireRef(ref);
  const refs = [`${ref}^{commit}`, "HEAD"];
  const mergeBase = await runGit(folder, ["merge-base", ...refs]);
  if (mergeBase.status === 1) {
    const sentence = `git has no common commit of "${ref}" and HEAD here, so nothing can be compared.`;
    throw missingRef(sentence, [], await adviseFetch(folder, ref));
  }
  if (mergeBase.status !== 0) throw await explainMissing(folder, ref, mergeBase.reasons);
  const [commit = "", head = ""] = (await runGit(folder, ["rev-parse", ...refs])).out.split("\n");
  return { base: mergeBase.out.trim(), commit, head };
}

/** A file at a git ref. */
export type EarlierFile = {
  /** From the folder; from the root of the repository if it was renamed since. */
  readonly path: string;
  /** With LF line ends and without a byte order mark. */
  readonly text: string;
};

/**
 * Reads files of a folder in a repository as they were at a git ref, also if they were renamed since. It takes at most six
 * processes for any number of files.
 *
 * @param paths the present paths, from the folder.
 * @returns the files by present path. Files that did not exist are left out.
 * @throws FileError for a ref or an object that git does not have, and outside a repository.
 */
export async function readAtRef(
  folder: string,
  ref: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, EarlierFile>> {
  requireRef(ref);
  const files = new Map<string, EarlierFile>();
  const texts = await readBlobs(folder, ref, paths);
  for (const path of paths) {
    const text = texts.get(posix.normalize(path));
    if (text !== undefined) files.set(path, { path, text });
  }
  const others = paths.filter((path) => !files.has(path));
  if (others.length === 0) return files;
  const { top, prefix, formerPaths } = await findRenames(folder, ref, others);
  const formerOf = (path: string) => formerPaths.get(posix.join(prefix, path));
  const formerTexts = await readBlobs(
    top,
    ref,
    others.map(formerOf).filter((path) => path !== undefined),
  );
  for (const path of others) {
    const former = formerOf(path) ?? "";
    const text = formerTexts.get(former);
    if (text !== undefined) files.set(path, { path: former, text });
  }
  return files;
}

/** Reads the files that exist at a ref, by path. */
async function readBlobs(
  folder: string,
  ref: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Without paths, git would list all.
  if (paths.length === 0) return new Map();
  const listed = await runGit(folder, ["ls-tree", "-z", `${ref}^{commit}`, "--", ...paths]);
  if (listed.status !== 0) throw await explainMissing(folder, ref, listed.reasons);
  // Each entry is "<mode> <type> <id>\t<path>".
  const entries = [...listed.out.matchAll(/(?<=^|\0)\d+ blob (\w+)\t([^\0]*)/g)];
  const texts = await readObjects(folder, ref, [...new Set(entries.map(([, id = ""]) => id))]);
  return new Map(entries.map(([, id = "", path = ""]) => [path, texts.get(id) ?? ""]));
}

/** Throws for a ref that git would take for an option. */
function requireRef(ref: string): void {
  if (ref === "" || ref.startsWith("-")) throw missingRef(sentenceOf(ref), [], CHOOSE);
}

/** Returns the error for a folder whose repository git does not read, or for a ref that the repository does not have. */
async function explainMissing(folder: string, ref: string, reasons: readonly string[]): Promise<FileError> {
  const { status } = await runGit(folder, ["rev-parse", "--git-dir"]);
  return status === 0
    ? missingRef(sentenceOf(ref), reasons, await adviseFetch(folder, ref))
    : missingRef(
        `git does not read a repository in ${folder}.`,
        reasons,
        "correct that, or compare files instead of refs.",
      );
}

function sentenceOf(ref: string): string {
  return `git has no "${ref}" here, or not all of its files.`;
}

function missingRef(sentence: string, reasons: readonly string[], hint: string): FileError {
  const context = reasons.map((reason) => `git: ${reason}`);
  return new FileError({ code: "FILE_UNREADABLE", sentence, context, hint });
}

const CHOOSE = "choose another branch, tag or commit of this repository.";

/** Returns the command that fetches a ref or its history, or the advice to choose another ref if no command helps. */
async function adviseFetch(folder: string, ref: string): Promise<string> {
  const remotes = (await runGit(folder, ["remote"])).out.split("\n").filter((name) => name !== "");
  const isShallow = (await runGit(folder, ["rev-parse", "--is-shallow-repository"])).out.trim() === "true";
  const full = ref.replace(/[~^@].*$/, "").replace(/^refs\/remotes\//, "");
  const commit = await runGit(folder, ["rev-parse", "--verify", "--quiet", `${full || "HEAD"}^{commit}`]);
  const isKnown = commit.status === 0;
  const owner = remotes.find((name) => full.startsWith(`${name}/`));
  const remote = owner ?? (remotes.includes("origin") ? "origin" : remotes[0]);
  if (remote === undefined || (isKnown && !isShallow)) return CHOOSE;
  const branch = full.slice(owner === undefined ? 0 : owner.length + 1);
  // Without a target, git fetches into FETCH_HEAD only, and the ref would still be missing.
  const target = `${branch}:${owner === undefined ? "" : "refs/remotes/"}${full}`;
  const isCommit = /^[0-9a-f]{7,64}$/.test(full);
  // Servers do not know short ids.
  const spec = isCommit ? (full.length < 40 ? "" : full) : shellArgument(target);
  const command = ["git fetch", isShallow ? "--unshallow" : "", remote, isKnown ? "" : spec].filter(Boolean);
  return `run \`${command.join(" ")}\` and try again.`;
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
  const { status, bytes, reasons } = await runGitWithInput(folder, ["cat-file", "--batch"], input);
  if (status !== 0) throw await explainMissing(folder, ref, reasons);
  let at = 0;
  for (const id of ids) {
    // "<id> <type> <size>", a line break, the bytes and a line break; or "<id> missing".
    const end = bytes.indexOf("\n", at);
    const [, type, size = ""] = bytes.toString("utf8", at, end).split(" ");
    // A partial or shallow clone lists objects that it does not have.
    if (type !== "blob") throw await explainMissing(folder, ref, reasons);
    at = end + 1 + Number(size);
    texts.set(id, toText(bytes, end + 1, at));
    at++;
  }
  return texts;
}

/** Finds where files with the extensions of `paths` were at a ref. Git compares the contents of all of them. */
async function findRenames(folder: string, ref: string, paths: readonly string[]) {
  const places = await runGit(folder, ["rev-parse", "--show-toplevel", "--show-prefix"]);
  const [top = "", prefix = ""] = places.out.split("\n");
  // A bare repository has no files to compare.
  if (places.status !== 0) return { top: folder, prefix: "", formerPaths: new Map<string, string>() };
  // The user's git settings must not change the output.
  const args = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "-z",
    "--name-status",
    "-M",
    // Git would stop comparing at its own limit of files.
    "-l0",
    "--no-relative",
    "--diff-filter=R",
  ];
  const extensions = new Set(paths.map((path) => `:(top,glob)**/*${posix.extname(path)}`));
  const moved = await runGit(top, [...args, `${ref}^{commit}`, "--", ...extensions]);
  const renames = [...moved.out.matchAll(/R\d*\0([^\0]*)\0([^\0]*)\0/g)];
  return {
    /** The root of the repository, where all paths start. */
    top,
    /** The path of the folder, with a slash at the end; empty for the root. */
    prefix,
    /** By present path. */
    formerPaths: new Map(renames.map(([, former = "", present = ""]) => [present, former])),
  };
}

/**
 * Reads the last committed version of a file that differs from a text and is whole; null if there is none among the last
 * ten, or no repository.
 *
 * @param requireWhole throws for a damaged version.
 */
export async function readLastDifferent(
  folder: string,
  { path, text }: { readonly path: string; readonly text: string },
  requireWhole: (text: string) => void,
): Promise<string | null> {
  // The newest version may be the text itself.
  const log = await runGit(folder, ["--literal-pathspecs", "log", "-n", "10", "--format=%H", "--", path]);
  for (const commit of log.status === 0 ? log.out.split("\n") : []) {
    const former = commit === "" ? undefined : (await readAtRef(folder, commit, [path])).get(path);
    if (former === undefined || former.text === text) continue;
    const whole = await orNull(async () => {
      requireWhole(former.text);
      return former.text;
    });
    if (whole !== null) return whole;
  }
  return null;
}

/** A commit that changed a file, and the path of the file then, from the root of the repository. */
export type FileCommit = { readonly commit: string; readonly path: string };

/** The commits that changed a file, the newest first. */
type FileHistory = { readonly commits: readonly FileCommit[]; readonly isShallow: boolean };

/** Returns the commits that changed a file, also before it was renamed; null outside a repository, or without commits. */
export async function readHistory(folder: string, path: string): Promise<FileHistory | null> {
  const args = ["--literal-pathspecs", "-c", "core.quotePath=false", "log", "--follow", "--format=%n%H"];
  // A merge that differs from each of its parents is a version too, which git lists with -c.
  const log = await runGit(folder, [...args, "-c", "--name-only", "--", path]);
  if (log.status !== 0) return null;
  // Each entry is a blank line, the commit, a blank line and the path.
  const commits = [...log.out.matchAll(/\n([0-9a-f]{40,64})\n\n([^\n]+)/g)].map(
    ([, commit = "", at = ""]): FileCommit => ({ commit, path: at }),
  );
  const shallow = await runGit(folder, ["rev-parse", "--is-shallow-repository"]);
  return { commits, isShallow: shallow.out.trim() === "true" };
}

/** Reads files at commits in one process. The text is null for one that git does not have. */
export async function readCommitted(
  folder: string,
  files: readonly FileCommit[],
): Promise<readonly { readonly id: string; readonly text: string | null }[]> {
  if (files.length === 0) return [];
  const input = files.map(({ commit, path }) => `${commit}:${path}\n`).join("");
  const { status, bytes, reasons } = await runGitWithInput(folder, ["cat-file", "--batch"], input);
  if (status !== 0) throw missingRef("git cannot read earlier versions here.", reasons, CHOOSE);
  let at = 0;
  return files.map(() => {
    const end = bytes.indexOf("\n", at);
    // "<id> <type> <size>", a line break, the bytes and a line break; or "<name> missing".
    const [, id = "", size] = /^(\w+) blob (\d+)$/.exec(bytes.toString("utf8", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return { id, text: null };
    const text = toText(bytes, at, at + Number(size));
    at += Number(size) + 1;
    return { id, text };
  });
}

/** Decodes a text with LF line ends and without a byte order mark. */
function toText(bytes: Buffer, start: number, end: number): string {
  return bytes
    .toString("utf8", start, end)
    .replaceAll("\r\n", "\n")
    .replace(/^\uFEFF/, "");
}
