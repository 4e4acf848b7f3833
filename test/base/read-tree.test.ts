import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSourceTree } from "../../src/base/file-tree.ts";
import { readContent, readText, readTree } from "../../src/base/read-files.ts";
import { catchError } from "../support/catch-error.ts";
import { tempProject } from "../support/temp-project.ts";

/** Creates a folder with empty files, and links: `target > path, target > path`. */
function createTree(files: string, links = ""): string {
  const { root } = tempProject(Object.fromEntries(files.split(" ").map((path) => [path, ""])));
  for (const [to = "", name = ""] of links.split(", ").map((link) => link.split(" > "))) {
    if (to !== "") symlinkSync(to, join(root, name));
  }
  return root;
}

describe("readTree", () => {
  it.each<[name: string, files: string, links: string, folder: string, want: string]>([
    ["files by extension in code-unit order", "b.gql B.gql a/z.gql a/c.txt", "", ".", "B.gql a/z.gql b.gql"],
    ["no files of a missing folder", "a.gql", "", "none", ""],
    ["no files of a file", "a.gql", "", "a.gql", ""],
    [
      "no files of skipped folders",
      "a.gql skip/b.gql deep/skip/c.gql deep/d.gql",
      "",
      ".",
      "a.gql deep/d.gql",
    ],
    [
      "the targets of links, once per link",
      "out/x/1.gql out/2.txt in/own.gql",
      "../out/x > in/one, ../out/x > in/two, ../out/2.txt > in/named.gql",
      "in",
      "named.gql one/1.gql own.gql two/1.gql",
    ],
    [
      "no targets of links to a folder that contains them",
      "in/a/1.gql other/2.gql",
      ".. > in/a/up, . > in/a/self, ../.. > in/a/above, ../other > in/there, ../in > other/back",
      "in",
      "a/1.gql there/2.gql",
    ],
    ["files of a folder that is a link itself", "real/a.gql", "real > link", "link", "a.gql"],
    ["no lock link of an editor", "a.gql", "user@host.1:2 > .#a.gql", ".", "a.gql"],
  ])("lists %s", (_, files, links, folder, want) => {
    const found = readTree(join(createTree(files, links), folder), [".gql"], (name) => name === "skip");
    expect(found.join(" ")).toBe(want);
  });

  it.each([
    ["to nowhere", "gone"],
    ["to itself", "lost"],
  ])("error: a link %s", (_, target) => {
    const root = createTree("deep/a.gql", `${target} > deep/lost`);
    expect(catchError(() => readTree(root, [".gql"]))).toMatchObject({
      code: "FILE_UNREADABLE",
      sentence: `${join(root, "deep/lost")} is a broken link.`,
    });
  });
});

describe("readSourceTree", () => {
  const isWanted = (path: string) => path.endsWith(".ts");
  const read = async (root: string, ...folders: readonly string[]) =>
    (await readSourceTree({ root, folders, isWanted, isSkipped: (path) => path === "out" })).join(" ");

  it("lists the wanted files of several folders and ignores missing folders", async () => {
    const root = createTree("a/b.ts a/c/d.ts a/e.md f/g.ts h.ts");
    expect(await read(root, "a", "f", "none")).toBe("a/b.ts a/c/d.ts f/g.ts");
    expect(await read(root, "")).toBe("a/b.ts a/c/d.ts f/g.ts h.ts");
    expect(await read(join(root, "none"), "")).toBe("");
  });

  it("lists a file once, by its real path if that is inside", async () => {
    const root = createTree("z/a.ts shared/b.ts", "z > a, z/a.ts > b.ts, . > round, ../a > z/back");
    expect(await read(root, "")).toBe("shared/b.ts z/a.ts");
    symlinkSync("../shared", join(root, "z/shared"));
    expect(await read(root, "z")).toBe("z/a.ts z/shared/b.ts");
  });

  it("skips links to skipped folders, outside the root, to missing files and to themselves", async () => {
    const outside = createTree("x.ts");
    const links = `out > one, out/deep > two, out/made.ts > three.ts, ${outside} > four, ${outside}/x.ts > five.ts`;
    const broken = "nowhere > six.ts, seven.ts > seven.ts";
    const root = createTree("out/made.ts out/deep/made.ts a.ts", `${links}, ${broken}`);
    expect(await read(root, "")).toBe("a.ts");
  });

  it("ends if every folder links to every other folder", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const files = names.map((name) => `${name}/a.ts`);
    const links = names.flatMap((from) => names.map((to) => `../${to} > ${from}/to-${to}`));
    expect(await read(createTree(files.join(" "), links.join(", ")), "")).toBe(files.sort().join(" "));
  });
});

describe("readText and readContent", () => {
  it.each([
    ["CRLF line ends", "a\r\nb\n", "a\nb\n", "a\nb\n"],
    ["a byte order mark", "\uFEFFa\r\n", "a\n", "\uFEFFa\n"],
    ["a second byte order mark", "\uFEFF\uFEFFa", "\uFEFFa", "\uFEFF\uFEFFa"],
  ])("normalize %s", async (_, content, text, generated) => {
    const { root } = tempProject({ a: content });
    expect(await readText(join(root, "a"))).toBe(text);
    expect(readContent(join(root, "a"))).toBe(generated);
  });

  it("return null or throw if a file is missing or is a folder", async () => {
    const root = createTree("a");
    for (const path of ["b", "a/b"]) expect(await readText(join(root, path))).toBeNull();
    expect(await readText(join(root, "a"))).toBe("");
    await expect(readText(root)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
