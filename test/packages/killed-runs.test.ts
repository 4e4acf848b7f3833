import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { exitCode, startCli } from "../support/run-process.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

/** The number of kills per command. */
const KILLS = 8;

const QUERY = { "subgraph/a.graphql": "query A { streams { id category depositAmount sender } }" };

describe("a killed run", () => {
  it.each([
    ["generate", ["generate"], () => generatedProject(QUERY)],
    ["introspect", ["introspect"], () => generatedProject(QUERY)],
    ["drift --update", ["drift", "--update", "--emulator"], () => generatedProject(QUERY)],
    ["init", ["init", "--yes"], () => tempProject({ "package.json": '{ "name": "app" }\n' })],
  ])(
    "leaves each file old or new, and never half written: %s",
    async (_, args, create) => {
      const whole = create();
      const before = ownFiles(whole);
      await exitCode(startCli(args, { cwd: whole.root, env: { CI: undefined } }));
      const after = ownFiles(whole);
      expect(after).not.toEqual(before);
      for (let kill = 0; kill < KILLS; kill++) {
        const project = create();
        const child = startCli(args, { cwd: project.root, env: { CI: undefined } });
        const ended = exitCode(child);
        await untilItWrites(project, () => child.exitCode !== null);
        await setTimeout(Math.random() * 3);
        child.kill("SIGKILL");
        await ended;
        for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
          expect([before[path], after[path]], path).toContain(ownFiles(project)[path]);
        }
      }
    },
    300_000,
  );
});

describe("a mixture of old and new files", () => {
  it("is reported by check and repaired by generate", async () => {
    const whole = generatedProject(QUERY);
    expect((await run(whole.root, ["generate"])).code).toBe(0);
    // The state between two renames: the first file is new, the others are old or missing.
    const mixed = generatedProject(QUERY);
    const [path = "", text = ""] = Object.entries(whole.files()).find(([path]) => path.endsWith(".ts")) ?? [];
    mixed.write(path, text);
    expect((await run(mixed.root, ["check"])).out).toMatch(/\[generated\/(missing|stale) /);
    expect((await run(mixed.root, ["generate"])).code).toBe(0);
    expect(ownFiles(mixed)).toEqual(ownFiles(whole));
  });
});

/** Waits for the first temporary file. */
async function untilItWrites(project: TempProject, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    if (hasTemporaryFile(project.root)) return;
    await setTimeout(1);
  }
}

function hasTemporaryFile(root: string): boolean {
  try {
    return readdirSync(root, { recursive: true }).some((name) => String(name).includes(".lockflow-"));
  } catch (error) {
    // A folder was removed during the walk.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}

function ownFiles(project: TempProject): Record<string, string> {
  return Object.fromEntries(Object.entries(project.files()).filter(([path]) => !path.includes(".lockflow-")));
}
