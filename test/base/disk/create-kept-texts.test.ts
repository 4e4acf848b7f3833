import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createKeptTexts } from "../../../src/base/disk/create-kept-texts.ts";
import { readText, readTree } from "../../../src/base/disk/read-tree.ts";
import { tempProject } from "../../support/temp-project.ts";

const GRAPHQL = [".graphql"];

describe("createKeptTexts", () => {
  it("answers as the disk does, as of the last look", async () => {
    const { root, write } = tempProject({
      "in/b.graphql": "b\r\n",
      "in/a/c.graphql": "c",
      "in/x.txt": "",
      one: "1",
    });
    const folder = join(root, "in");
    const texts = createKeptTexts();
    const places = {
      folders: [{ path: folder, extensions: GRAPHQL }],
      files: [join(root, "one"), join(root, "none")],
    };
    expect(await texts.look(places)).toEqual(
      ["in/a/c.graphql", "in/b.graphql", "one"].map((path) => join(root, path)),
    );
    for (const path of ["", "a", "none"]) {
      expect(await texts.readTree(join(folder, path), GRAPHQL)).toEqual(
        await readTree(join(folder, path), GRAPHQL),
      );
    }
    for (const path of ["in/b.graphql", "in/a/c.graphql", "one", "none"]) {
      expect(await texts.readText(join(root, path))).toBe(await readText(join(root, path)));
    }
    write("in/b.graphql", "changed");
    expect(await texts.readText(join(root, "in/b.graphql"))).toBe("b\n");
    expect(await texts.look(places)).toEqual([join(root, "in/b.graphql")]);
    expect(await texts.readText(join(root, "in/b.graphql"))).toBe("changed");
  });

  it("sees every write, however many of one size there are within one tick of the clock", async () => {
    const { root, write } = tempProject();
    const texts = createKeptTexts();
    const file = join(root, "a.graphql");
    for (let round = 100; round < 200; round++) {
      write("a.graphql", `text ${round}`);
      expect(await texts.look({ folders: [], files: [file] })).toEqual([file]);
      expect(await texts.readText(file)).toBe(`text ${round}`);
    }
  });

  it("tells of what it could not read when it is asked for it", async () => {
    const { root } = tempProject({ "in/folder.graphql/x": "" });
    const texts = createKeptTexts();
    const file = join(root, "in/folder.graphql");
    await texts.look({ folders: [], files: [file] });
    await expect(texts.readText(file)).rejects.toThrow("cannot be read (EISDIR)");
  });
});
