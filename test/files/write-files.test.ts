import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../src/files/write-files.ts";
import { tempProject } from "../support/temp-project.ts";

describe("writeFiles", () => {
  it("writes what changed, leaves what did not, removes what it is told", async () => {
    const project = tempProject({ "a.ts": "a", "b.ts": "old", "gone.ts": "x" });
    const long = new Date(0);
    utimesSync(join(project.root, "a.ts"), long, long);
    const summary = await writeFiles(
      project.root,
      [
        { path: "a.ts", content: "a" },
        { path: "b.ts", content: "new" },
        { path: "deep/er/c.ts", content: "c" },
      ],
      ["gone.ts"],
    );
    expect(summary).toEqual({ written: ["b.ts", "deep/er/c.ts"], unchanged: ["a.ts"], removed: ["gone.ts"] });
    expect(project.files()).toEqual({ "a.ts": "a", "b.ts": "new", "deep/er/c.ts": "c" });
    expect(statSync(join(project.root, "a.ts")).mtimeMs).toBe(0);
  });

  it("error: leaves every old file as it was when one cannot be written", async () => {
    const project = tempProject({ "a.ts": "old a" });
    // A folder in the place of a file fails for every user, root included.
    mkdirSync(join(project.root, "b.ts.lockflow-tmp"));
    await expect(
      writeFiles(project.root, [
        { path: "a.ts", content: "new a" },
        { path: "b.ts", content: "b" },
      ]),
    ).rejects.toMatchObject({ code: "FILE_UNWRITABLE" });
    expect(project.files()).toEqual({ "a.ts": "old a" });
  });

  it("leaves old or new files, never half of one, when the process is killed", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries(names.map((name) => [name, "old"])));
    const next = "new".repeat(50_000);
    const script = `
      import { writeFiles } from ${JSON.stringify(new URL("../../src/files/write-files.ts", import.meta.url).href)};
      const files = ${JSON.stringify(names)}.map((path) => ({ path, content: "new".repeat(50000) }));
      process.stdout.write("ready");
      await writeFiles(${JSON.stringify(project.root)}, files);
    `;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      cwd: new URL("../..", import.meta.url),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    await setTimeout(20);
    child.kill("SIGKILL");
    await once(child, "close");
    const contents = Object.entries(project.files()).filter(([path]) => path.endsWith(".ts"));
    expect(contents).toHaveLength(names.length);
    for (const [, content] of contents) expect(content === "old" || content === next).toBe(true);
  });

  it("removes what a killed run left behind", async () => {
    const project = tempProject({ "a.ts": "a", "a.ts.lockflow-tmp": "half" });
    await writeFiles(project.root, [{ path: "a.ts", content: "a" }]);
    expect(project.files()).toEqual({ "a.ts": "a" });
  });
});
