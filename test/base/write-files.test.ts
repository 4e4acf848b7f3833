import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../src/base/write-files.ts";
import { REPOSITORY } from "../support/repository.ts";
import { runNode } from "../support/run-process.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

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

  it("takes folders away that removals leave empty, and none that holds something or was empty before", async () => {
    const project = tempProject({
      "flow/deep/a.ts": "",
      "flow/deep/er/b.ts": "",
      "flow/deep/er/c.ts": "",
      "lockup/d.ts": "",
      "lockup/mine.txt": "",
      "e.ts": "",
    });
    mkdirSync(join(project.root, "theirs"));
    await writeFiles(
      project.root,
      [],
      ["flow/deep/a.ts", "flow/deep/er/b.ts", "flow/deep/er/c.ts", "lockup/d.ts", "e.ts", "gone/f.ts"],
    );
    expect(project.files()).toEqual({ "lockup/mine.txt": "" });
    expect(readdirSync(project.root).toSorted()).toEqual(["lockup", "theirs"]);
  });

  it.each([
    ["a folder is in its place", ["a.ts", "b.ts/kept", "c.ts"], []],
    ["a file is in its folder's place", ["a.ts", "c.ts"], ["a.ts/d.ts"]],
  ])("error: leaves every old file as it was when one cannot be written: %s", async (_, old, more) => {
    const project = tempProject(Object.fromEntries(old.map((path) => [path, "old"])));
    const before = project.files();
    // The one that fails is the last of all and the first of all in turn.
    const paths = ["a.ts", "c.ts", "b.ts", ...more];
    for (const order of [paths, paths.toReversed()]) {
      const files = order.map((path) => ({ path, content: "new" }));
      await expect(writeFiles(project.root, files)).rejects.toMatchObject({
        code: "FILE_UNWRITABLE",
        hint: expect.stringContaining("the old files are as they were"),
      });
      expect(project.files()).toEqual(before);
    }
  });

  it("error: leaves every old file as it was when one cannot be removed", async () => {
    const project = tempProject({ "a.ts": "old", "gone.ts": "old", "folder.ts/kept": "old" });
    const before = project.files();
    const files = [{ path: "a.ts", content: "new" }];
    await expect(writeFiles(project.root, files, ["gone.ts", "folder.ts"])).rejects.toMatchObject({
      code: "FILE_UNWRITABLE",
      sentence: `${join(project.root, "folder.ts")} cannot be written (EISDIR).`,
      hint: expect.stringContaining("the old files are as they were"),
    });
    expect(project.files()).toEqual(before);
  });

  it("is content when what it should remove is gone already", async () => {
    const project = tempProject({ "a.ts": "old" });
    await writeFiles(project.root, [{ path: "a.ts", content: "new" }], ["gone.ts", "no/folder/gone.ts"]);
    expect(project.files()).toEqual({ "a.ts": "new" });
  });

  it("leaves old or new files, never half of one, when the process is killed", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries(names.map((name) => [name, "old"])));
    const next = "new".repeat(50_000);
    const script = `${importWriteFiles()}
      const files = ${JSON.stringify(names)}.map((path) => ({ path, content: "new".repeat(50000) }));
      process.stdout.write("ready");
      await writeFiles(${JSON.stringify(project.root)}, files);
    `;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
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

  it("removes what a killed run left behind, and nothing of a run under way", async () => {
    const project = tempProject({
      "a.ts": "a",
      "a.ts.1-dead.lockflow-tmp": "half",
      "a.ts.2-alive.lockflow-tmp": "half",
      "0.lockflow-tmp/kept": "x",
    });
    const long = new Date(Date.now() - 61_000);
    utimesSync(join(project.root, "a.ts.1-dead.lockflow-tmp"), long, long);
    utimesSync(join(project.root, "0.lockflow-tmp"), long, long);
    await writeFiles(project.root, [{ path: "a.ts", content: "a" }]);
    expect(Object.keys(project.files()).sort()).toEqual([
      "0.lockflow-tmp/kept",
      "a.ts",
      "a.ts.2-alive.lockflow-tmp",
    ]);
  });

  it("lets runs at once in one process end as if one came after the other", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries([...names, "gone.ts"].map((name) => [name, "old"])));
    const runs = ["a", "b", "c"].map((letter) =>
      writeFiles(
        project.root,
        names.map((path) => ({ path, content: letter.repeat(100_000) })),
        ["gone.ts"],
      ),
    );
    for (const { written } of await Promise.all(runs)) expect(written).toEqual(names);
    expectWhole(project, names);
  });

  it("lets runs at once in processes of their own end as if one came after the other", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries([...names, "gone.ts"].map((name) => [name, "old"])));
    const ends = await Promise.all(
      ["a", "b"].map((letter) => {
        const script = `${importWriteFiles()}
          for (let round = 0; round < 5; round++) {
            const content = (${JSON.stringify(letter)} + round).repeat(50000);
            const files = ${JSON.stringify(names)}.map((path) => ({ path, content }));
            await writeFiles(${JSON.stringify(project.root)}, files, ["gone.ts"]);
          }
        `;
        return runNode(["--input-type=module", "--eval", script]);
      }),
    );
    expect(ends).toEqual([0, 0].map((code) => ({ code, out: "", err: "" })));
    expectWhole(project, names);
  });
});

/** For scripts of processes of their own: one file without types, which any Node loads at once. */
function importWriteFiles(): string {
  const { root } = tempProject();
  const outfile = join(root, "write-files.mjs");
  buildSync({
    entryPoints: [join(REPOSITORY, "src/base/write-files.ts")],
    ...{ bundle: true, platform: "node", format: "esm", outfile },
  });
  return `import { writeFiles } from ${JSON.stringify(pathToFileURL(outfile).href)};`;
}

/** All files are one run's, and nothing lies beside them. */
function expectWhole(project: TempProject, names: readonly string[]): void {
  const files = project.files();
  expect(Object.keys(files).sort()).toEqual([...names].sort());
  expect(new Set(Object.values(files)).size).toBe(1);
  for (const content of Object.values(files)) {
    expect(content).toHaveLength(100_000);
    expect(new Set(content.match(/../g)).size).toBe(1);
  }
}
