import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { exitCode, startCli } from "../support/run-process.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

/** How often each command is killed. */
const KILLS = 8;

const QUERY = { "subgraph/a.graphql": "query A { streams { id category depositAmount sender } }" };

// What is killed at each step on purpose, `npm test` shows; here chance decides.
describe.runIf(IS_THOROUGH)("a run that is killed at any moment", () => {
  it.each([
    ["generate", ["generate"], () => generatedProject(QUERY)],
    ["introspect", ["introspect"], () => generatedProject(QUERY)],
    ["drift --update", ["drift", "--update", "--emulator"], () => generatedProject(QUERY)],
    ["init", ["init", "--yes"], () => tempProject({ "package.json": '{ "name": "app" }\n' })],
  ])(
    "leaves the old files or the new ones, or is finished by the next: %s",
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
        if (isOneOf(ownFiles(project), before, after)) continue;
        expect((await run(project.root, ["check"])).out).toContain("[generated/interrupted ");
        await run(project.root, ["diff"]);
        expect(ownFiles(project)).toEqual(after);
      }
    },
    300_000,
  );
});

/** Waits until a run has put something beside its targets. */
async function untilItWrites(project: TempProject, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    if (hasUnfinished(project.root)) return;
    await setTimeout(1);
  }
}

function hasUnfinished(root: string): boolean {
  try {
    return readdirSync(root, { recursive: true }).some((name) => String(name).includes(".lockflow-"));
  } catch (error) {
    // A folder that was there is gone again: only what is unfinished goes.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}

function ownFiles(project: TempProject): Record<string, string> {
  return Object.fromEntries(Object.entries(project.files()).filter(([path]) => !path.includes(".lockflow-")));
}

function isOneOf(files: Record<string, string>, ...states: readonly Record<string, string>[]): boolean {
  const text = (state: Record<string, string>) => JSON.stringify(Object.entries(state).sort());
  return states.some((state) => text(state) === text(files));
}
