import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readContent, readText, readTree } from "../../src/base/read-files.ts";
import { catchError } from "../support/catch-error.ts";
import { tempProject } from "../support/temp-project.ts";

describe("readTree", () => {
  it("lists files by extension in code-unit order", async () => {
    const { root } = tempProject({ "b.gql": "", "B.gql": "", "a/z.gql": "", "a.gql": "", "a/c.txt": "" });
    expect(readTree(root, [".gql"])).toEqual(["B.gql", "a.gql", "a/z.gql", "b.gql"]);
    expect(readTree(join(root, "none"), [".gql"])).toEqual([]);
    expect(readTree(join(root, "a.gql"), [".gql"])).toEqual([]);
  });

  it("does not enter skipped folders", async () => {
    const { root } = tempProject({ "a.gql": "", "skip/b.gql": "", "deep/skip/c.gql": "", "deep/d.gql": "" });
    expect(readTree(root, [".gql"], (name) => name === "skip")).toEqual(["a.gql", "deep/d.gql"]);
  });

  it("follows links to files and folders, and lists a folder once per link", async () => {
    const { root } = tempProject({ "out/x/1.gql": "", "out/2.txt": "", "in/own.gql": "" });
    symlinkSync("../out/x", join(root, "in/one"));
    symlinkSync(join(root, "out/x"), join(root, "in/two"));
    symlinkSync("../out/2.txt", join(root, "in/named.gql"));
    expect(readTree(join(root, "in"), [".gql"])).toEqual(["named.gql", "one/1.gql", "own.gql", "two/1.gql"]);
  });

  it("does not follow links to a folder that contains them", async () => {
    const { root } = tempProject({ "in/a/1.gql": "", "other/2.gql": "" });
    symlinkSync("..", join(root, "in/a/up"));
    symlinkSync(".", join(root, "in/a/self"));
    symlinkSync("../..", join(root, "in/a/above"));
    symlinkSync("../other", join(root, "in/there"));
    symlinkSync("../in", join(root, "other/back"));
    expect(readTree(join(root, "in"), [".gql"])).toEqual(["a/1.gql", "there/2.gql"]);
  });

  it("reads a folder that is a link itself", async () => {
    const { root } = tempProject({ "real/a.gql": "" });
    symlinkSync("real", join(root, "link"));
    expect(readTree(join(root, "link"), [".gql"])).toEqual(["a.gql"]);
  });

  it.each([
    ["to nowhere", "gone", "lost"],
    ["to itself", "lost", "lost"],
  ])("error: a link %s", async (_, target, name) => {
    const { root } = tempProject({ "deep/a.gql": "" });
    symlinkSync(target, join(root, "deep", name));
    expect(catchError(() => readTree(root, [".gql"]))).toMatchObject({
      code: "FILE_UNREADABLE",
      sentence: `${join(root, "deep", name)} is a broken link.`,
    });
  });

  it("ignores the lock link of an editor", async () => {
    const { root } = tempProject({ "a.gql": "" });
    symlinkSync("user@host.1:2", join(root, ".#a.gql"));
    expect(readTree(root, [".gql"])).toEqual(["a.gql"]);
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
    const { root } = tempProject({ a: "" });
    expect(await readText(join(root, "b"))).toBeNull();
    expect(await readText(join(root, "a/b"))).toBeNull();
    expect(await readText(join(root, "a"))).toBe("");
    await expect(readText(root)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
