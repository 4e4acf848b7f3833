import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSourceTree, type SourceTree } from "../../src/base/file-tree.ts";
import { tempProject } from "../support/temp-project.ts";

const ALL = { isWanted: (path: string) => path.endsWith(".ts"), isSkipped: (path: string) => path === "out" };

function read(root: string, folders: readonly string[], rest: Partial<SourceTree> = {}) {
  return readSourceTree({ root, folders, ...ALL, ...rest });
}

describe("readSourceTree", () => {
  it("lists the wanted files of several folders and ignores missing folders", async () => {
    const { root } = tempProject({ "a/b.ts": "", "a/c/d.ts": "", "a/e.md": "", "f/g.ts": "", "h.ts": "" });
    expect(await read(root, ["a", "f", "none"])).toEqual(["a/b.ts", "a/c/d.ts", "f/g.ts"]);
    expect(await read(root, [""])).toEqual(["a/b.ts", "a/c/d.ts", "f/g.ts", "h.ts"]);
    expect(await read(join(root, "none"), [""])).toEqual([]);
  });

  it("lists a file once, by its real path if that is inside", async () => {
    const { root } = tempProject({ "z/a.ts": "", "shared/b.ts": "" });
    for (const [to, name] of [
      ["z", "a"],
      ["z/a.ts", "b.ts"],
      [".", "round"],
      ["../a", "z/back"],
    ] as const) {
      symlinkSync(to, join(root, name));
    }
    expect(await read(root, [""])).toEqual(["shared/b.ts", "z/a.ts"]);
    symlinkSync("../shared", join(root, "z/shared"));
    expect(await read(root, ["z"])).toEqual(["z/a.ts", "z/shared/b.ts"]);
  });

  it("skips links to skipped folders, outside the root, to missing files and to themselves", async () => {
    const outside = tempProject({ "x.ts": "" });
    const { root } = tempProject({ "out/made.ts": "", "out/deep/made.ts": "", "a.ts": "" });
    for (const [to, name] of [
      ["out", "one"],
      ["out/deep", "two"],
      ["out/made.ts", "three.ts"],
      [outside.root, "four"],
      [join(outside.root, "x.ts"), "five.ts"],
      ["nowhere", "six.ts"],
      ["seven.ts", "seven.ts"],
    ] as const) {
      symlinkSync(to, join(root, name));
    }
    expect(await read(root, [""])).toEqual(["a.ts"]);
  });

  it("ends if every folder links to every other folder", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const { root } = tempProject(Object.fromEntries(names.map((name) => [`${name}/a.ts`, ""])));
    for (const from of names)
      for (const to of names) symlinkSync(join("..", to), join(root, from, `to-${to}`));
    expect(await read(root, [""])).toEqual(names.map((name) => `${name}/a.ts`).sort());
  });
});
