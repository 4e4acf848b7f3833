import { describe, expect, it } from "vitest";
import { findStartingPrograms, findThorough, ONLY_THOROUGH, readSuiteFiles, TAKES_LONG } from "./suites.ts";

describe("the suites", () => {
  const files = readSuiteFiles();
  const starting = findStartingPrograms(files);

  it("in the lists exist and are listed once", () => {
    const named = [...TAKES_LONG, ...ONLY_THOROUGH];
    expect(named.filter((path, at) => files[path] === undefined || named.indexOf(path) !== at)).toEqual([]);
  });

  it("that start programs are found", () => {
    expect(starting).toContain("test/generated-types.test.ts");
    expect(starting.length).toBeGreaterThan(10);
  });

  it("that try more in check:packages are found", () => {
    const found = findThorough({
      "test/a.test.ts": "runs(1, 20)",
      "test/b.test.ts": "runs(20)",
      "test/c.test.ts": "IS_THOROUGH",
      "test/packages/d.test.ts": "",
      "test/support/e.ts": "IS_THOROUGH",
    });
    expect(found).toEqual(["test/a.test.ts", "test/c.test.ts", "test/packages/d.test.ts"]);
    expect(findThorough(files)).toEqual(expect.arrayContaining([...ONLY_THOROUGH]));
  });

  it.each([
    ["a process", 'import { spawn } from "node:child_process";', true],
    ["a compiler", 'import ts from "typescript";', true],
    ["a type alone", 'import type { Emulator } from "../emulator/index.ts";', false],
    ["a helper", 'import {\n  a,\n  b,\n} from "./support/helper.ts";', true],
    ["a helper of a helper", 'export { a } from "./support/outer.ts";', true],
    // Split, so that this suite is not detected as one.
    ["a late import", `const vite = await ${"import"}("vite");`, true],
    ["a helper that only parses text", 'import { c } from "./support/quiet.ts";', false],
    ["only a string", 'const name = "node:child_process";', false],
  ])("are detected if they start programs: %s", (_, text, want) => {
    const given = {
      "test/a.test.ts": text,
      "test/support/helper.ts":
        'import { x } from "./outer.ts";\nimport { execFile } from "node:child_process";',
      "test/support/outer.ts": 'import { y } from "./helper.ts";',
      "test/support/quiet.ts": 'import { parseSync } from "rolldown/utils";',
    };
    expect(findStartingPrograms(given)).toEqual(want ? ["test/a.test.ts"] : []);
  });
});
