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
  it("finds what is wanted in some folders, whether they are there or not", async () => {
    const { root } = tempProject({ "a/b.ts": "", "a/c/d.ts": "", "a/e.md": "", "f/g.ts": "", "h.ts": "" });
    expect(await read(root, ["a", "f", "none"])).toEqual(["a/b.ts", "a/c/d.ts", "f/g.ts"]);
    expect(await read(root, [""])).toEqual(["a/b.ts", "a/c/d.ts", "f/g.ts", "h.ts"]);
    expect(await read(join(root, "none"), [""])).toEqual([]);
  });

  it("finds a file once, by its own path before that of a link", async () => {
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

  it("passes over what is skipped, outside or nowhere, by whatever link", async () => {
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

  it("is not lost among folders that all lead to each other", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const { root } = tempProject(Object.fromEntries(names.map((name) => [`${name}/a.ts`, ""])));
    for (const from of names)
      for (const to of names) symlinkSync(join("..", to), join(root, from, `to-${to}`));
    expect(await read(root, [""])).toEqual(names.map((name) => `${name}/a.ts`).sort());
  });
});
