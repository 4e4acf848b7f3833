import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { createRandom } from "../../../emulator/dataset/rows/create-random.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { runs } from "../../support/runs.ts";
import { tempProject } from "../../support/temp-project.ts";
import { compare } from "./histories/compare.ts";
import { CHAINS, createRuns, runExport } from "./histories/lake.ts";
import { createTruth, type Step } from "./histories/truth.ts";

const PROGRAM = join(REPOSITORY, "test/ask/export/histories/night.ts");

it("exports of processes that are killed at any time, or run concurrently, equal the indexers", async () => {
  const { root } = tempProject();
  const random = createRandom("nights");
  const truth = createTruth(CHAINS);
  const all: Step[] = [];
  const start = (): ChildProcess =>
    spawn(process.execPath, ["--import", "tsx", PROGRAM, root, JSON.stringify(all)], {
      cwd: REPOSITORY,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const ends: string[] = [];
  for (let night = 0; night < runs(20); night++) {
    for (let count = random.int(1, 5); count > 0; count--) {
      const kind = random.pick(["new", "new", "change", "reorganized"] as const);
      const step = { kind, chain: random.int(0, 1), number: random.int(1, 7) };
      all.push(step);
      truth.step(step);
    }
    const children = night % 3 === 2 ? [start(), start()] : [start()];
    const errors = children.map(async (child) => {
      let text = "";
      child.stderr?.on("data", (part) => {
        text += part;
      });
      const [code, signal] = await once(child, "exit");
      if (code !== 0 && signal === null) expect(text).toContain("is being written by");
      return String(signal ?? code);
    });
    await Promise.all(children.map((child) => child.stdout && once(child.stdout, "data")));
    if (night % 3 === 0) {
      await pause(random.int(0, 120));
      for (const child of children) child.kill("SIGKILL");
    }
    ends.push(...(await Promise.all(errors)));
  }
  expect(ends).toEqual(expect.arrayContaining(["SIGKILL", "0"]));
  for (const run of await createRuns(root, truth)) {
    await runExport(run);
    await compare(run, truth, Object.keys(CHAINS));
  }
}, 600_000);
