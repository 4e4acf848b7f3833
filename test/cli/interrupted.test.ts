import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DISK, type Disk } from "../../src/base/write-files.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { buryOwner, stopAt } from "../support/stopping-disk.ts";
import { tempProject } from "../support/temp-project.ts";

const RECENT = { "subgraph/recent.graphql": "query Recent { streams { id category depositAmount sender } }" };
const INTERRUPTED =
  /An earlier run was interrupted while it replaced files in (.+): finished \((\d+) files\)\.\n/;

/** Kills whatever replaces files before it replaces the second. */
function killBetweenFiles(): void {
  const whole = { ...DISK };
  const dead = stopAt(whole, 1, "killed");
  let replaced = 0;
  const rename: Disk["rename"] = (from, to) => {
    if (from.endsWith(".lockflow-tmp") && ++replaced > 1) Object.assign(DISK, dead);
    (replaced > 1 ? dead : whole).rename(from, to);
  };
  Object.assign(DISK, { rename });
  onTestFinished(() => void Object.assign(DISK, whole));
}

async function killedAt(cwd: string, args: readonly string[]): Promise<void> {
  const whole = { ...DISK };
  killBetweenFiles();
  const { code, err } = await run(cwd, args);
  Object.assign(DISK, whole);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("the next run finishes it") });
}

/** The files once those that lie beside them have taken their places. */
function finished(files: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(files).filter(([path]) => !path.includes(".lockflow-"));
  const waiting = Object.entries(files).filter(([path]) => path.endsWith(".lockflow-tmp"));
  expect(waiting.length).toBeGreaterThan(0);
  const targets = waiting.map(([path, text]) => [path.replace(/\.[0-9a-f-]{36}\.lockflow-tmp$/, ""), text]);
  return Object.fromEntries([...own, ...targets]);
}

describe("a command that is killed between two files", () => {
  it.each([
    ["generate", ["generate"], ["diff"]],
    ["introspect", ["introspect"], ["accept", "--prune"]],
    ["drift", ["drift", "--update"], ["diff"]],
  ])("%s: check says so, and the next command finishes it, whichever it is", async (_, args, next) => {
    const project = generatedProject(RECENT);
    await killedAt(project.root, args);
    buryOwner(join(project.root, "generated"));
    const mixed = project.files();

    const check = await run(project.root, ["check"]);
    expect(check).toMatchObject({ code: 1, err: "" });
    expect(check.out).toMatch(/breaking {2}generated\/ .*\[generated\/interrupted \w+\]/);
    expect(check.out).toMatch(/A run was interrupted while it replaced files in generated\/: \d+ of \d+ are/);
    expect(check.out).toContain("exit 1: 1 finding to act on");
    expect((await run(project.root, ["doctor", "--offline"])).out).toContain("was interrupted");
    expect(project.files()).toEqual(mixed);

    const { err } = await run(project.root, next);
    expect(err).toMatch(INTERRUPTED);
    expect(project.files()).toEqual(finished(mixed));
    expect((await run(project.root, ["check"])).out).not.toContain("interrupted");
  });

  it("init: the next command in the package finishes it at the root of the repository", async () => {
    const project = tempProject({
      "packages/app/package.json": '{ "name": "app", "dependencies": { "graphql": "16.11.0" } }\n',
      "package.json": '{ "name": "root", "workspaces": ["packages/*"] }\n',
    });
    mkdirSync(join(project.root, ".git"));
    const folder = join(project.root, "packages/app");
    await killedAt(folder, ["init", "--yes", "--protocol", "flow"]);
    buryOwner(project.root);
    const wanted = finished(project.files());
    const check = await run(folder, ["check"]);
    expect(check).toMatchObject({ code: 1, out: expect.stringContaining("[generated/interrupted ") });
    expect((await run(folder, ["diff"])).err).toMatch(INTERRUPTED);
    expect(project.files()).toEqual(wanted);
  });
});
