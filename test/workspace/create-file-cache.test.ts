import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readText, readTree } from "../../src/base/read-files.ts";
import { createFileCache } from "../../src/workspace/watch.ts";
import { tempProject } from "../support/temp-project.ts";

const GRAPHQL = [".graphql"];

describe("createFileCache", () => {
  it("answers as the disk does, as of the last refresh", async () => {
    const { root, write } = tempProject({
      "in/b.graphql": "b\r\n",
      "in/a/c.graphql": "c",
      "in/x.txt": "",
      one: "1",
    });
    const folder = join(root, "in");
    const cache = createFileCache();
    const places = {
      folders: [{ path: folder, extensions: GRAPHQL }],
      files: [join(root, "one"), join(root, "none")],
      trees: [],
    };
    expect(await cache.refresh(places)).toEqual(
      ["in/a/c.graphql", "in/b.graphql", "one"].map((path) => join(root, path)),
    );
    for (const path of ["", "a", "none"]) {
      expect(await cache.readTree(join(folder, path), GRAPHQL)).toEqual(
        await readTree(join(folder, path), GRAPHQL),
      );
    }
    for (const path of ["in/b.graphql", "in/a/c.graphql", "one", "none"]) {
      expect(await cache.readText(join(root, path))).toBe(await readText(join(root, path)));
    }
    write("in/b.graphql", "changed");
    expect(await cache.readText(join(root, "in/b.graphql"))).toBe("b\n");
    expect(await cache.refresh(places)).toEqual([join(root, "in/b.graphql")]);
    expect(await cache.readText(join(root, "in/b.graphql"))).toBe("changed");
  });

  it("sees a second write of one size within one tick of the file system's clock, and trusts an old file", async () => {
    const { root, write } = tempProject();
    const file = join(root, "a.graphql");
    const tick = 1_000_000;
    let now = tick;
    const cache = createFileCache({
      stat: (path) => {
        const { dev, ino, size } = statSync(path, { bigint: true });
        const times = { mtimeMs: BigInt(tick), mtimeNs: BigInt(tick) * 1_000_000n, ctimeNs: 0n };
        return { dev, ino, size, ...times };
      },
      now: () => now,
    });
    const refresh = async (text: string) => {
      write("a.graphql", text);
      return [await cache.refresh({ folders: [], files: [file], trees: [] }), await cache.readText(file)];
    };
    expect(await refresh("text 1")).toEqual([[file], "text 1"]);
    expect(await refresh("text 2")).toEqual([[file], "text 2"]);
    // The coarsest file systems tell two seconds apart.
    now = tick + 2000;
    expect(await refresh("text 3")).toEqual([[file], "text 3"]);
    now = tick + 10_000;
    expect(await refresh("text 4")).toEqual([[file], "text 4"]);
    expect(await refresh("text 5")).toEqual([[], "text 4"]);
  });

  it("tells of what it could not read when it is asked for it", async () => {
    const { root } = tempProject({ "in/folder.graphql/x": "" });
    const cache = createFileCache();
    const file = join(root, "in/folder.graphql");
    await cache.refresh({ folders: [], files: [file], trees: [] });
    await expect(cache.readText(file)).rejects.toThrow("cannot be read (EISDIR)");
  });
});
