import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLines } from "../../../../src/tasks/ask/export/growing-file.ts";
import { tempProject } from "../../../support/temp-project.ts";

const MEGABYTE = 1 << 20;

describe("readLines", () => {
  it.each<[name: string, text: string, lines: readonly string[]]>([
    ["an empty file", "", []],
    ["a last line without an end", "a\nb", ["a", "b"]],
    ["empty lines", "a\n\nb\n\n", ["a", "", "b", ""]],
    [
      "a letter of several bytes at the end of a chunk",
      `${"x".repeat(MEGABYTE - 1)}ü\nb\n`,
      [`${"x".repeat(MEGABYTE - 1)}ü`, "b"],
    ],
    ["a line as long as a chunk", `${"x".repeat(MEGABYTE)}\nb\n`, ["x".repeat(MEGABYTE), "b"]],
    ["a line of several chunks", `a\n${"x".repeat(3 * MEGABYTE)}\nb`, ["a", "x".repeat(3 * MEGABYTE), "b"]],
    [
      "a line end as the last byte of a chunk",
      `${"x".repeat(MEGABYTE - 1)}\nb\n`,
      ["x".repeat(MEGABYTE - 1), "b"],
    ],
  ])("reads %s", (_, text, lines) => {
    const path = join(tempProject().root, "lines");
    writeFileSync(path, `${text}and more`);
    const read = [...readLines(path, Buffer.byteLength(text))].flat();
    expect(read.length).toBe(lines.length);
    expect(read.every((line, at) => line === lines[at])).toBe(true);
  });
});
