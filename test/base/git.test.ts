import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FileError } from "../../src/base/errors.ts";
import { findMergeBase, readAtRef, readCommitted, readHistory } from "../../src/base/git.ts";
import { commitAll, git } from "../support/commit-all.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

afterEach(() => vi.unstubAllEnvs());

const FILE = "schema.graphql";
const TEXT = "type Stream { id: ID! }\n";

function committed(files: Readonly<Record<string, string>> = { [FILE]: TEXT }): TempProject {
  const project = tempProject(files);
  commitAll(project, "main");
  return project;
}

it("throws for a ref that git would parse as an option, and git writes no file", async () => {
  const { root } = committed();
  const ref = `--output=${root}/written`;
  await expect(readAtRef(root, ref, [FILE])).rejects.toThrow(FileError);
  await expect(findMergeBase(root, ref)).rejects.toThrow(FileError);
  expect(readdirSync(root).sort()).toEqual([".git", FILE]);
});

it("reads files with LF and without a byte order mark, and leaves out folders and missing files", async () => {
  const { root } = committed({ "a.graphql": "\uFEFFa\r\n", "b/c.graphql": "c", "tree blob/d": "d" });
  const files = await readAtRef(root, "main", ["./a.graphql", "b", "b/", "moon", "tree blob/d"]);
  expect([...files]).toEqual([
    ["./a.graphql", { path: "./a.graphql", text: "a\n" }],
    ["tree blob/d", { path: "tree blob/d", text: "d" }],
  ]);
});

it.each(["", "app"])("follows files that were renamed since, in the folder %j", async (folder) => {
  const project = committed({ "old/a.graphql": TEXT.repeat(20), "old/b.graphql": "enum Mood { calm }\n" });
  git(project, "mv", "old", "app");
  project.write("app/a.graphql", `${TEXT.repeat(20)}type Action { id: ID! }\n`);
  const prefix = folder === "" ? "app/" : "";
  const files = await readAtRef(join(project.root, folder), "main", [
    `${prefix}a.graphql`,
    `${prefix}b.graphql`,
  ]);
  expect([...files.values()].map(({ path }) => path)).toEqual(["old/a.graphql", "old/b.graphql"]);
  expect(files.get(`${prefix}a.graphql`)?.text).toBe(TEXT.repeat(20));
});

// Git sets them for its hooks, and a hook may run in another repository.
it.each(["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])(
  "reads the repository of the folder if %s is set",
  async (name) => {
    const other = committed({ "other.graphql": "" });
    const project = committed({ "old/schema.graphql": TEXT });
    git(project, "mv", "old", "new");
    vi.stubEnv(name, join(other.root, name === "GIT_INDEX_FILE" ? ".git/index" : ".git"));
    const files = await readAtRef(project.root, "main", ["new/schema.graphql"]);
    expect(files.get("new/schema.graphql")).toEqual({ path: "old/schema.graphql", text: TEXT });
  },
);

it("keeps the settings that variables give to git", async () => {
  const { root } = committed();
  vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
  await expect(readAtRef(root, "main", [FILE])).rejects.toThrow(FileError);
  vi.stubEnv("GIT_CONFIG_COUNT", "1");
  vi.stubEnv("GIT_CONFIG_KEY_0", "safe.directory");
  vi.stubEnv("GIT_CONFIG_VALUE_0", "*");
  expect((await readAtRef(root, "main", [FILE])).size).toBe(1);
});

it("reads the versions of a file, the newest first, also before it was moved", async () => {
  const project = committed();
  const { root } = project;
  git(project, "mv", FILE, "moved.graphql");
  git(project, "commit", "-q", "-m", "move");
  project.write("moved.graphql", `${TEXT}# more\r\n`);
  git(project, "commit", "-q", "-am", "more");
  const history = await readHistory(root, "moved.graphql");
  expect(history?.isShallow).toBe(false);
  expect(history?.commits.map(({ path }) => path)).toEqual(["moved.graphql", "moved.graphql", FILE]);
  const read = await readCommitted(root, [...(history?.commits ?? []), { commit: "HEAD", path: "none" }]);
  expect(read.map(({ text }) => text)).toEqual([`${TEXT}# more\n`, TEXT, TEXT, null]);
  expect(await readHistory(tempProject().root, FILE)).toBeNull();
});

it("reads the version of a merge that differs from both of its parents", async () => {
  const project = committed();
  const { root } = project;
  git(project, "checkout", "-q", "-b", "side");
  for (const [branch, text] of [
    ["side", "# side"],
    ["main", "# main"],
  ] as const) {
    git(project, "checkout", "-q", branch);
    project.write(FILE, text);
    git(project, "commit", "-q", "-am", branch);
  }
  git(project, "merge", "-q", "-s", "ours", "--no-commit", "side");
  project.write(FILE, "# both");
  git(project, "commit", "-q", "-am", "merge");
  const { commits } = (await readHistory(root, FILE)) ?? { commits: [] };
  const [newest, ...others] = (await readCommitted(root, commits)).map(({ text }) => text);
  expect(newest).toBe("# both");
  expect(others).toEqual(expect.arrayContaining(["# main", "# side", TEXT]));
});

describe("an error of git", () => {
  /** A shallow clone whose remote has another name. */
  function shallowClone(): TempProject {
    const origin = committed();
    git(origin, "commit", "-q", "--allow-empty", "-m", "later");
    git(origin, "branch", "feature");
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth=1", "--origin=upstream", `file://${origin.root}`, ".");
    return clone;
  }

  it.each<[given: string, ref: string, want: RegExp]>([
    ["names a missing branch", "moon", /git has no "moon".*\n {2}git: Not a valid object name moon/],
    ["has git's reason", "@{upstream}", /\n {2}git: no upstream configured for branch 'main'/],
    ["names no remote if there is none", "origin/moon", /Hint: choose another branch, tag or commit/],
    ["does not fetch a missing ancestor in vain", "HEAD~9", /Hint: choose another branch, tag or commit/],
  ])("%s", async (_, ref, want) => {
    const { root } = committed();
    await expect(readAtRef(root, ref, [FILE])).rejects.toThrow(want);
    await expect(findMergeBase(root, ref)).rejects.toThrow(want);
  });

  it.each<[ref: string, fetch: string]>([
    ["feature", "git fetch --unshallow upstream feature:feature"],
    ["upstream/feature", "git fetch --unshallow upstream feature:refs/remotes/upstream/feature"],
    ["refs/remotes/upstream/feature", "git fetch --unshallow upstream feature:refs/remotes/upstream/feature"],
    ["upstream/feature~1", "git fetch --unshallow upstream feature:refs/remotes/upstream/feature"],
    ["HEAD~1", "git fetch --unshallow upstream"],
  ])("has the command that fetches %s from the remote", async (ref, fetch) => {
    const clone = shallowClone();
    const failure = await findMergeBase(clone.root, ref).catch((error: FileError) => error);
    expect(failure).toMatchObject({ hint: `run \`${fetch}\` and try again.` });
    git(clone, ...fetch.split(" ").slice(1));
    await expect(findMergeBase(clone.root, ref)).resolves.toBeDefined();
  });

  it("fetches a branch of a complete clone without --unshallow", async () => {
    const origin = committed();
    const clone = tempProject();
    git(clone, "clone", "-q", origin.root, ".");
    git(origin, "branch", "later");
    await expect(findMergeBase(clone.root, "origin/later")).rejects.toThrow(
      "`git fetch origin later:refs/remotes/origin/later`",
    );
  });

  it("has the reason why git does not read a repository", async () => {
    const { root } = tempProject();
    await expect(findMergeBase(root, "main")).rejects.toThrow(/git: not a git repository/);
    vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    await expect(findMergeBase(committed().root, "main")).rejects.toThrow(
      /git: detected dubious ownership in repository at[^!]*git config --global --add safe\.directory/,
    );
  });

  it("has no user name of a URL", async () => {
    const project = committed();
    git(project, "remote", "add", "origin", "https://secret-token@127.0.0.1:1/a");
    git(project, "config", "remote.origin.promisor", "true");
    git(project, "config", "remote.origin.partialclonefilter", "blob:none");
    const id = git(project, "rev-parse", `main:${FILE}`).trim();
    project.remove(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    const failure = await readAtRef(project.root, "main", [FILE]).catch((error: Error) => error.message);
    expect(failure).toContain("127.0.0.1");
    expect(failure).not.toContain("secret-token");
  });
});
