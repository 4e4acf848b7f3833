import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { FileError } from "../../src/base/errors.ts";
import { GENERATED_MARK, isMarked } from "../../src/base/output-file.ts";
import { DISK, type Disk, retryWhileBusy, unwritable, writeFiles } from "../../src/base/write-files.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { REPOSITORY } from "../support/repository.ts";
import { runNode } from "../support/run-process.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

describe("isMarked", () => {
  it.each<[name: string, text: string | null, want: boolean]>([
    ["true if the file begins with the mark", `// ${GENERATED_MARK}\n`, true],
    ["true if the mark is on the second line", `#!/usr/bin/env node\n// ${GENERATED_MARK}\n`, true],
    ["false if the mark is further down", `${"x".repeat(200)}\n// ${GENERATED_MARK}\n`, false],
    ["false without the mark", "export const a = 1;\n", false],
    ["false without a file", null, false],
  ])("%s", (_, text, want) => {
    expect(isMarked(text)).toBe(want);
  });
});

describe("writeFiles", () => {
  it("writes changed files, keeps unchanged ones and removes removals", async () => {
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
      { removals: ["gone.ts"] },
    );
    expect(summary).toEqual({ written: ["b.ts", "deep/er/c.ts"], unchanged: ["a.ts"], removed: ["gone.ts"] });
    expect(project.files()).toEqual({ "a.ts": "a", "b.ts": "new", "deep/er/c.ts": "c" });
    expect(statSync(join(project.root, "a.ts")).mtimeMs).toBe(0);
  });

  it("keeps the mode of a file", async () => {
    const project = tempProject({ "a.sh": "old" });
    chmodSync(join(project.root, "a.sh"), 0o755);
    await writeFiles(project.root, [{ path: "a.sh", content: "new" }]);
    expect(statSync(join(project.root, "a.sh")).mode & 0o777).toBe(0o755);
  });

  it("removes folders that removals empty, and keeps other folders", async () => {
    const project = tempProject({
      "flow/deep/a.ts": "",
      "flow/deep/er/b.ts": "",
      "flow/deep/er/c.ts": "",
      "lockup/d.ts": "",
      "lockup/mine.txt": "",
      "e.ts": "",
    });
    mkdirSync(join(project.root, "theirs"));
    const removals = [
      "flow/deep/a.ts",
      "flow/deep/er/b.ts",
      "flow/deep/er/c.ts",
      "lockup/d.ts",
      "e.ts",
      "gone/f.ts",
    ];
    await writeFiles(project.root, [], { removals });
    expect(project.files()).toEqual({ "lockup/mine.txt": "" });
    expect(readdirSync(project.root).toSorted()).toEqual(["lockup", "theirs"]);
  });

  it.each([
    ["a folder has its name", ["a.ts", "b.ts/kept", "c.ts"], []],
    ["a file has the name of its folder", ["a.ts", "c.ts"], ["a.ts/d.ts"]],
  ])("error: keeps every old file if one cannot be written: %s", async (_, old, more) => {
    const project = tempProject(Object.fromEntries(old.map((path) => [path, "old"])));
    const before = project.files();
    // The failing file is once the last and once the first.
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

  it("error: keeps every old file if one cannot be removed", async () => {
    const project = tempProject({ "a.ts": "old", "gone.ts": "old", "folder.ts/kept": "old" });
    const before = project.files();
    const files = [{ path: "a.ts", content: "new" }];
    await expect(
      writeFiles(project.root, files, { removals: ["gone.ts", "folder.ts"] }),
    ).rejects.toMatchObject({
      code: "FILE_UNWRITABLE",
      sentence: `${join(project.root, "folder.ts")} cannot be written (EISDIR).`,
      hint: expect.stringContaining("the old files are as they were"),
    });
    expect(project.files()).toEqual(before);
  });

  it("ignores a removal of a missing file", async () => {
    const project = tempProject({ "a.ts": "old" });
    await writeFiles(project.root, [{ path: "a.ts", content: "new" }], {
      removals: ["gone.ts", "no/folder/gone.ts"],
    });
    expect(project.files()).toEqual({ "a.ts": "new" });
  });

  it.runIf(IS_THOROUGH)("leaves each file old or new, never partial, if the process is killed", async () => {
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

  it("removes old temporary files, and keeps recent ones", async () => {
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

  it("removes recent temporary files of ended processes of this machine", async () => {
    const seen: string[] = [];
    const disk: Disk = {
      ...DISK,
      write: (path, content, mode) => {
        seen.push(basename(path));
        DISK.write(path, content, mode);
      },
    };
    const project = tempProject({});
    await writeFiles(project.root, [{ path: "a.ts", content: "a" }], { disk });
    const [, before = "", after = ""] =
      /^(a\.ts\.[0-9a-f]{8}-)\d+(-[^.]+\.lockflow-tmp)$/.exec(seen[0] ?? "") ?? [];
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    project.write(`${before}${ended}${after}`, "half");
    project.write(`${before}${process.pid}${after}`, "half");
    project.write(`a.ts.00000000-${ended}${after}`, "half");
    await writeFiles(project.root, [{ path: "a.ts", content: "a" }]);
    expect(Object.keys(project.files()).sort()).toEqual(
      ["a.ts", `a.ts.00000000-${ended}${after}`, `${before}${process.pid}${after}`].sort(),
    );
  });

  it("never mixes the files of concurrent runs in one process", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries([...names, "gone.ts"].map((name) => [name, "old"])));
    const runs = ["a", "b", "c"].map((letter) =>
      writeFiles(
        project.root,
        names.map((path) => ({ path, content: letter.repeat(100_000) })),
        { removals: ["gone.ts"] },
      ),
    );
    for (const { written } of await Promise.all(runs)) expect(written).toEqual(names);
    expectWhole(project, names);
    expect(new Set(Object.values(project.files())).size).toBe(1);
  });

  it.runIf(IS_THOROUGH)("writes whole files while another process writes the same ones", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries([...names, "gone.ts"].map((name) => [name, "old"])));
    const ends = await Promise.all(
      ["a", "b"].map((letter) => {
        const script = `${importWriteFiles()}
          for (let round = 0; round < 5; round++) {
            const content = (${JSON.stringify(letter)} + round).repeat(50000);
            const files = ${JSON.stringify(names)}.map((path) => ({ path, content }));
            await writeFiles(${JSON.stringify(project.root)}, files, { removals: ["gone.ts"] });
          }
        `;
        return runNode(["--input-type=module", "--eval", script]);
      }),
    );
    expect(ends).toEqual([0, 0].map((code) => ({ code, out: "", err: "" })));
    expectWhole(project, names);
  });
});

describe("writeFiles on a disk that fails", () => {
  const OLD = { "a.ts": "old", "b/c.ts": "old", "gone.ts": "old", "same.ts": "same" };
  const NEW = { "a.ts": "new", "b/c.ts": "new", "d/e/f.ts": "new", "same.ts": "same" };
  const FILES = Object.entries(NEW).map(([path, content]) => ({ path, content }));
  const write = (project: TempProject, disk: Disk) =>
    writeFiles(project.root, FILES, { removals: ["gone.ts"], disk });

  it("keeps the old files before the first rename, and says to run again after it", async () => {
    const changes = countChanges();
    await write(tempProject(OLD), changes.disk);
    const firstRename = changes.names.indexOf("rename");
    expect(changes.names.slice(firstRename)).toEqual(["rename", "rename", "rename", "remove"]);
    for (let failing = 0; failing < changes.names.length; failing++) {
      const project = tempProject(OLD);
      const error = await write(project, countChanges(failing).disk).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(FileError);
      const { message, hint } = error as FileError;
      expect(message).toContain("ENOSPC");
      const isUntouched = failing <= firstRename;
      expect(hint, `change ${failing}`).toContain(
        isUntouched ? "the old files are as they were" : "run it again",
      );
      // No temporary file is left.
      const files = project.files();
      expect(Object.keys(files).every((path) => path in OLD || path in NEW)).toBe(true);
      if (isUntouched) expect(files, `change ${failing}`).toEqual(OLD);
      await write(project, DISK);
      expect(project.files()).toEqual(NEW);
    }
  });

  it("reports the path of the file, not of its temporary file", () => {
    const path = "/folder/report.v1.json.a841a466-80c5-4a84-988b-0fffe7e612d8.lockflow-tmp";
    const cause = Object.assign(new Error("read-only"), { code: "EROFS", path });
    expect(unwritable("/folder", cause, "look.").message).toBe(
      "/folder/report.v1.json cannot be written (EROFS).\nHint: look.",
    );
  });
});

describe("retryWhileBusy", () => {
  const failing = (times: number, code: string) => {
    let calls = 0;
    return {
      calls: () => calls,
      rename: () => {
        calls++;
        if (calls <= times) throw Object.assign(new Error(code), { code });
      },
    };
  };

  it.each(["EPERM", "EACCES", "EBUSY"])("retries after %s", (code) => {
    const pauses: number[] = [];
    const { rename, calls } = failing(3, code);
    retryWhileBusy(rename, (milliseconds) => void pauses.push(milliseconds))("a", "b");
    expect({ calls: calls(), pauses }).toEqual({ calls: 4, pauses: [10, 20, 50] });
  });

  it.each([
    ["at once for a full disk", "ENOSPC", 1],
    ["after 6 retries for a file that stays open", "EBUSY", 7],
  ])("error: throws %s", (_, code, want) => {
    const { rename, calls } = failing(99, code);
    expect(() => retryWhileBusy(rename, () => {})("a", "b")).toThrow(code);
    expect(calls()).toBe(want);
  });
});

/** Creates a disk that records its changes; one of them may fail. */
function countChanges(failing?: number): { readonly disk: Disk; readonly names: string[] } {
  const names: string[] = [];
  const guard =
    <Arguments extends readonly unknown[]>(name: string, change: (...values: Arguments) => void) =>
    (...values: Arguments) => {
      names.push(name);
      if (names.length - 1 === failing) throw Object.assign(new Error(name), { code: "ENOSPC" });
      change(...values);
    };
  const { makeFolder, write, rename, remove } = DISK;
  const disk = {
    makeFolder: guard("makeFolder", makeFolder),
    write: guard("write", write),
    rename: guard("rename", rename),
    remove: guard("remove", remove),
  };
  return { disk, names };
}

/** Bundles the writer for scripts in other processes: plain JavaScript, which every Node loads. */
function importWriteFiles(): string {
  const { root } = tempProject();
  const outfile = join(root, "write-files.mjs");
  buildSync({
    entryPoints: [join(REPOSITORY, "src/base/write-files.ts")],
    ...{ bundle: true, platform: "node", format: "esm", outfile },
  });
  return `import { writeFiles } from ${JSON.stringify(pathToFileURL(outfile).href)};`;
}

/** Expects that each file is complete and that no temporary file is left. */
function expectWhole(project: TempProject, names: readonly string[]): void {
  const files = project.files();
  expect(Object.keys(files).sort()).toEqual([...names].sort());
  for (const content of Object.values(files)) {
    expect(content).toHaveLength(100_000);
    expect(content === content.slice(0, 2).repeat(50_000)).toBe(true);
  }
}
