import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takeLock } from "../../../src/ask/export/lock-file.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { tempProject } from "../../support/temp-project.ts";

const createPath = () => join(tempProject({}).root, "lock");

describe("a lock", () => {
  it.each(["", "5f1c", '{"pid":1,"host":"old"}', "\u0000\n"])(
    "that is damaged is replaced: %j",
    (content) => {
      const path = createPath();
      writeFileSync(path, content);
      const release = takeLock(path, "lake");
      expect(readdirSync(join(path, ".."))).toEqual(["lock"]);
      release();
      expect(existsSync(path)).toBe(false);
    },
  );

  it.each(["link to a missing file", "process of another machine"])("that is a %s is refused", (kind) => {
    const path = createPath();
    if (kind.startsWith("link")) symlinkSync(`${path}-missing`, path);
    else writeFileSync(path, "abcdef12 1 1\n");
    expect(() => takeLock(path, "lake")).toThrow(UsageError);
  });
});
