import { FileError } from "../errors/file-error.ts";
import { askGit } from "./ask-git.ts";

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
