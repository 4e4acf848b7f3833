import { describe, expect, it } from "vitest";
import { readOwnFile } from "../../src/base/own-package.ts";

describe("readOwnFile", () => {
  it("reads from the nearest folder above that holds a package.json", () => {
    expect(JSON.parse(readOwnFile("package.json"))).toMatchObject({ name: "lockflow" });
  });

  it("error: there is no package.json above", () => {
    expect(() => readOwnFile("package.json", "file:///lockflow/dist/cli.js")).toThrow(
      /There is no package\.json/,
    );
  });
});
