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

/** Writes files, given by their paths, to a project. */
function write(
  { root }: TempProject,
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof writeFiles>[2] = {},
) {
  return writeFiles(
    root,
    Object.entries(files).map(([path, content]) => ({ path, content })),
    options,
  );
}

const UNTOUCHED = expect.stringContaining("the old files are as they were");

describe("writeFiles", () => {
  it("writes changed files, keeps unchanged ones and modes, and removes removals", async () => {
    const project = tempProject({ "a.ts": "a", "b.sh": "old", "gone.ts": "x" });
    utimesSync(join(project.root, "a.ts"), new Date(0), new Date(0));
    chmodSync(join(project.root, "b.sh"), 0o755);
    const next = { "a.ts": "a", "b.sh": "new", "deep/er/c.ts": "c" };
    const removals = ["gone.ts", "missing.ts", "no/folder/missing.ts"];
    expect(await write(project, next, { removals })).toEqual({
      written: ["b.sh", "deep/er/c.ts"],
      unchanged: ["a.ts"],
      removed: removals,
    });
    expect(project.files()).toEqual(next);
    expect(statSync(join(project.root, "a.ts")).mtimeMs).toBe(0);
    expect(statSync(join(project.root, "b.sh")).mode & 0o777).toBe(0o755);
  });

  it("removes folders that removals empty, and keeps other folders", async () => {
    const removals = ["flow/deep/a.ts", "flow/deep/er/b.ts", "flow/deep/er/c.ts", "lockup/d.ts", "e.ts"];
    const project = tempProject(
      Object.fromEntries([...removals, "lockup/mine.txt"].map((path) => [path, ""])),
    );
    mkdirSync(join(project.root, "theirs"));
    await write(project, {}, { removals });
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
      const written = write(project, Object.fromEntries(order.map((path) => [path, "new"])));
      await expect(written).rejects.toMatchObject({ code: "FILE_UNWRITABLE", hint: UNTOUCHED });
      expect(project.files()).toEqual(before);
    }
  });

  it("error: keeps every old file if one cannot be removed", async () => {
    const project = tempProject({ "a.ts": "old", "gone.ts": "old", "folder.ts/kept": "old" });
    const before = project.files();
    const written = write(project, { "a.ts": "new" }, { removals: ["gone.ts", "folder.ts"] });
    await expect(written).rejects.toMatchObject({
      code: "FILE_UNWRITABLE",
      hint: UNTOUCHED,
      sentence: `${join(project.root, "folder.ts")} cannot be written (EISDIR).`,
    });
    expect(project.files()).toEqual(before);
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

  it("removes temporary files that are old, or of ended processes of this machine", async () => {
    let temporary = "";
    const disk: Disk = {
      ...DISK,
      write: (path, content, mode) => {
        temporary = basename(path);
        DISK.write(path, content, mode);
      },
    };
    const project = tempProject({ "0.lockflow-tmp/kept": "x" });
    await write(project, { "a.ts": "a" }, { disk });
    const [, machine = "", after = ""] = /^(a\.ts\.[0-9a-f]{8}-)\d+(-.*)$/.exec(temporary) ?? [];
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    const kept = [`${machine}${process.pid}${after}`, `a.ts.00000000-${ended}${after}`];
    const old = "a.ts.1-dead.lockflow-tmp";
    for (const name of [...kept, old, `${machine}${ended}${after}`]) project.write(name, "half");
    const long = new Date(Date.now() - 61_000);
    for (const name of [old, "0.lockflow-tmp"]) utimesSync(join(project.root, name), long, long);
    await write(project, { "a.ts": "a" });
    expect(Object.keys(project.files()).sort()).toEqual(["0.lockflow-tmp/kept", "a.ts", ...kept].sort());
  });

  it("never mixes the files of concurrent runs in one process", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.ts`);
    const project = tempProject(Object.fromEntries([...names, "gone.ts"].map((name) => [name, "old"])));
    const runs = ["a", "b", "c"].map((letter) => {
      const files = Object.fromEntries(names.map((path) => [path, letter.repeat(100_000)]));
      return write(project, files, { removals: ["gone.ts"] });
    });
    for (const { written } of await Promise.all(runs)) expect(written).toEqual(names);
    const files = project.files();
    expect(Object.keys(files).sort()).toEqual([...names].sort());
    expect(new Set(Object.values(files)).size).toBe(1);
    expect(files["file-0.ts"]).toHaveLength(100_000);
  });
});

describe("writeFiles on a disk that fails", () => {
  const OLD = { "a.ts": "old", "b/c.ts": "old", "gone.ts": "old", "same.ts": "same" };
  const NEW = { "a.ts": "new", "b/c.ts": "new", "d/e/f.ts": "new", "same.ts": "same" };
  const writeAll = (project: TempProject, disk: Disk) => write(project, NEW, { removals: ["gone.ts"], disk });

  it("keeps the old files before the first rename, and says to run again after it", async () => {
    const changes = countChanges();
    await writeAll(tempProject(OLD), changes.disk);
    const firstRename = changes.names.indexOf("rename");
    expect(changes.names.slice(firstRename)).toEqual(["rename", "rename", "rename", "remove"]);
    for (let failing = 0; failing < changes.names.length; failing++) {
      const project = tempProject(OLD);
      const error = await writeAll(project, countChanges(failing).disk).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(FileError);
      const isUntouched = failing <= firstRename;
      const message = expect.stringContaining("ENOSPC");
      const hint = isUntouched ? UNTOUCHED : expect.stringContaining("run it again");
      expect([failing, error]).toMatchObject([failing, { message, hint }]);
      // No temporary file is left.
      const files = project.files();
      expect(Object.keys(files).every((path) => path in OLD || path in NEW)).toBe(true);
      if (isUntouched) expect(files, `change ${failing}`).toEqual(OLD);
      await writeAll(project, DISK);
      expect(project.files()).toEqual(NEW);
    }
  });

  it.each([".a841a466-4242-80c5a841-4a84-988b-0fff-e7e612d80fff.lockflow-tmp", ".lockflow-tmp"])(
    "reports the path of the file, not of its temporary file with %s",
    (end) => {
      const path = `/folder/report.v1.json${end}`;
      const cause = Object.assign(new Error("read-only"), { code: "EROFS", path });
      expect(unwritable("/folder", cause, "look.").message).toBe(
        "/folder/report.v1.json cannot be written (EROFS).\nHint: look.",
      );
    },
  );
});

it.each<[code: string, failures: number, pauses: readonly number[], end: string]>([
  ["EPERM", 3, [10, 20, 50], "done"],
  ["EACCES", 3, [10, 20, 50], "done"],
  ["EBUSY", 3, [10, 20, 50], "done"],
  ["EBUSY", 7, [10, 20, 50, 100, 200, 400], "EBUSY"],
  ["ENOSPC", 1, [], "ENOSPC"],
])("retryWhileBusy retries for a second after %s: %i failures", (code, failures, want, end) => {
  const pauses: number[] = [];
  let calls = 0;
  const rename = () => {
    if (calls++ < failures) throw Object.assign(new Error(code), { code });
  };
  const retry = () => retryWhileBusy(rename, (milliseconds) => void pauses.push(milliseconds))("a", "b");
  if (end === "done") retry();
  else expect(retry).toThrow(end);
  expect([calls, pauses]).toEqual([want.length + 1, want]);
});

/** Creates a disk that records its changes; one of them may fail. */
function countChanges(failing?: number): { readonly disk: Disk; readonly names: string[] } {
  const names: string[] = [];
  const guarded = Object.entries(DISK).map(([name, change]) => [
    name,
    (...values: unknown[]) => {
      if (names.push(name) - 1 === failing) throw Object.assign(new Error(name), { code: "ENOSPC" });
      (change as (...values: unknown[]) => void)(...values);
    },
  ]);
  return { disk: Object.fromEntries(guarded) as Disk, names };
}

/** Bundles the writer for scripts in other processes: plain JavaScript, which every Node loads. */
function importWriteFiles(): string {
  const { root } = tempProject();
  const outfile = join(root, "write-files.mjs");
  buildSync({
    entryPoints: [join(REPOSITORY, "src/base/write-files.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return `import { writeFiles } from ${JSON.stringify(pathToFileURL(outfile).href)};`;
}
