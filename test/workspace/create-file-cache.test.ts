import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readText, readTree } from "../../src/base/read-files.ts";
import { createFileCache } from "../../src/workspace/watch.ts";
import { tempProject } from "../support/temp-project.ts";

const GRAPHQL = [".graphql"];

it("createFileCache returns the files on disk as of the last refresh", async () => {
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
  const text = (path: string) => cache.tree(root).read(path)?.text ?? null;
  expect(cache.refresh(places)).toEqual(
    ["in/a/c.graphql", "in/b.graphql", "one"].map((path) => join(root, path)),
  );
  for (const path of ["", "a", "none"]) {
    const listed = cache.tree(root).list(join("in", path), GRAPHQL);
    expect(listed).toEqual(readTree(join(folder, path), GRAPHQL));
  }
  for (const path of ["in/b.graphql", "in/a/c.graphql", "one", "none"]) {
    expect(text(path)).toBe(await readText(join(root, path)));
  }
  write("in/b.graphql", "changed");
  expect(text("in/b.graphql")).toBe("b\n");
  expect(cache.refresh(places)).toEqual([join(root, "in/b.graphql")]);
  expect(text("in/b.graphql")).toBe("changed");
});

it("createFileCache returns the same object for a file until its content changes", () => {
  const { root, write } = tempProject({ "in/a.graphql": "a", "in/b.graphql": "b" });
  const cache = createFileCache();
  const poll = () => {
    cache.refresh({ folders: [{ path: join(root, "in"), extensions: GRAPHQL }], files: [], trees: [] });
    return ["a", "b"].map((name) => cache.tree(root).read(`in/${name}.graphql`));
  };
  const [a, b] = poll();
  write("in/b.graphql", "changed");
  const after = poll();
  expect([after[0] === a, after[1] === b]).toEqual([true, false]);
});

it("createFileCache detects two writes of equal size within one clock tick of the file system", () => {
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
  const refresh = (text: string) => {
    write("a.graphql", text);
    const changed = cache.refresh({ folders: [], files: [file], trees: [] });
    return [changed, cache.tree(root).read("a.graphql")?.text];
  };
  expect(refresh("text 1")).toEqual([[file], "text 1"]);
  expect(refresh("text 2")).toEqual([[file], "text 2"]);
  // The coarsest file systems have times of two seconds.
  now = tick + 2000;
  expect(refresh("text 3")).toEqual([[file], "text 3"]);
  now = tick + 10_000;
  expect(refresh("text 4")).toEqual([[file], "text 4"]);
  expect(refresh("text 5")).toEqual([[], "text 4"]);
});

it("createFileCache throws on access to a file that could not be read", () => {
  const { root } = tempProject({ "in/folder.graphql/x": "" });
  const cache = createFileCache();
  const file = join(root, "in/folder.graphql");
  cache.refresh({ folders: [], files: [file], trees: [] });
  expect(() => cache.tree(root).read("in/folder.graphql")).toThrow("cannot be read (EISDIR)");
});
