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
  const paths = ["a", "b"].map((name) => `${prefix}${name}.graphql`);
  const files = await readAtRef(join(project.root, folder), "main", paths);
  expect([...files.values()].map(({ path }) => path)).toEqual(["old/a.graphql", "old/b.graphql"]);
  expect(files.get(`${prefix}a.graphql`)?.text).toBe(TEXT.repeat(20));
});

// Git sets them for its hooks, and a hook may run in another repository.
it("reads the repository of the folder whatever variables git sets, and keeps settings", async () => {
  const other = committed({ "other.graphql": "" });
  const project = committed({ "old/schema.graphql": TEXT });
  git(project, "mv", "old", "new");
  const read = () => readAtRef(project.root, "main", ["new/schema.graphql"]);
  for (const name of ["DIR", "WORK_TREE", "COMMON_DIR", "INDEX_FILE", "OBJECT_DIRECTORY"]) {
    vi.stubEnv(`GIT_${name}`, join(other.root, name === "INDEX_FILE" ? ".git/index" : ".git"));
    const file = { path: "old/schema.graphql", text: TEXT };
    expect([name, (await read()).get("new/schema.graphql")]).toEqual([name, file]);
    vi.unstubAllEnvs();
  }
  vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
  await expect(read()).rejects.toThrow(
    /git: detected dubious ownership in repository at[^!]*git config --global --add safe\.directory/,
  );
  vi.stubEnv("GIT_CONFIG_COUNT", "1");
  vi.stubEnv("GIT_CONFIG_KEY_0", "safe.directory");
  vi.stubEnv("GIT_CONFIG_VALUE_0", "*");
  expect((await read()).size).toBe(1);
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
  it("has the reason of git, and no remote if there is none", async () => {
    const { root } = committed();
    const other = /Hint: choose another branch, tag or commit/;
    for (const [ref, want] of [
      ["moon", /git has no "moon".*\n {2}git: Not a valid object name moon/],
      ["@{upstream}", /\n {2}git: no upstream configured for branch 'main'/],
      ["origin/moon", other],
      ["HEAD~9", other],
      [`--output=${root}/written`, /./],
    ] as const) {
      await expect(readAtRef(root, ref, [FILE])).rejects.toThrow(want);
      await expect(findMergeBase(root, ref)).rejects.toThrow(FileError);
    }
    // An option did not write a file.
    expect(readdirSync(root).sort()).toEqual([".git", FILE]);
    await expect(findMergeBase(tempProject().root, "main")).rejects.toThrow(/git: not a git repository/);
  });

  it.each([
    ["feature:feature", ["feature"]],
    [
      "feature:refs/remotes/upstream/feature",
      ["upstream/feature", "refs/remotes/upstream/feature", "upstream/feature~1"],
    ],
    ["", ["HEAD~1"]],
  ])("has the command that fetches from the remote of a shallow clone: %s", async (fetched, refs) => {
    const origin = committed();
    git(origin, "commit", "-q", "--allow-empty", "-m", "later");
    git(origin, "branch", "feature");
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth=1", "--origin=upstream", `file://${origin.root}`, ".");
    const fetch = `fetch --unshallow upstream ${fetched}`.trimEnd();
    for (const ref of refs) {
      const failure = await findMergeBase(clone.root, ref).catch((error: FileError) => error);
      expect([ref, failure]).toMatchObject([ref, { hint: `run \`git ${fetch}\` and try again.` }]);
    }
    git(clone, ...fetch.split(" "));
    for (const ref of refs) await expect(findMergeBase(clone.root, ref)).resolves.toBeDefined();
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
