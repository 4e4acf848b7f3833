import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { TempProject } from "./temp-project.ts";

/** Runs git in a project, as an author whom no machine has to know. */
export function git({ root }: TempProject, ...args: readonly string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...author, ...args], { cwd: root, stdio: "pipe" }).toString();
}

const repositories = new Map<string, ReadonlyMap<string, Buffer>>();

/** Makes a project a repository whose only commit has all that is there. Of equal projects git is asked once. */
export function commitAll(project: TempProject, branch: string): void {
  const key = JSON.stringify([branch, project.files()]);
  const known = repositories.get(key);
  if (known === undefined) {
    git(project, "init", "-q", "--template=", "-b", branch);
    git(project, "add", "-A");
    git(project, "commit", "-q", "-m", "all");
    repositories.set(key, readRepository(project));
    return;
  }
  for (const [path, content] of known) {
    mkdirSync(dirname(join(project.root, path)), { recursive: true });
    writeFileSync(join(project.root, path), content);
  }
}

function readRepository({ root }: TempProject): Map<string, Buffer> {
  const entries = readdirSync(join(root, ".git"), { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(root, path), readFileSync(path)]),
  );
}
