import { expect, it } from "vitest";
import { isClientVersion, readOwnFile, VERSION } from "../../src/base/own-package.ts";

it.each([
  [VERSION, true],
  ["0.1.7", true],
  ["0.1.1-beta.2", true],
  ["0.2.0", false],
  ["0.0.9", false],
  ["1.1.0", false],
  ["", false],
  ["next", false],
])("isClientVersion(%j) is %s", (version, want) => {
  expect(isClientVersion(version)).toBe(want);
});

it("readOwnFile reads from the nearest parent folder with a package.json, or throws", () => {
  expect(JSON.parse(readOwnFile("package.json"))).toMatchObject({ name: "lockflow" });
  const read = () => readOwnFile("package.json", "file:///lockflow/dist/cli.js");
  expect(read).toThrow(/There is no package\.json/);
});
