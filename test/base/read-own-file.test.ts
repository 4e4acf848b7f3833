import { describe, expect, it } from "vitest";
import { readOwnFile } from "../../src/base/own-package.ts";

describe("readOwnFile", () => {
  it("reads from the nearest parent folder with a package.json", () => {
    expect(JSON.parse(readOwnFile("package.json"))).toMatchObject({ name: "lockflow" });
  });

  it("error: no parent folder has a package.json", () => {
    expect(() => readOwnFile("package.json", "file:///lockflow/dist/cli.js")).toThrow(
      /There is no package\.json/,
    );
  });
});
