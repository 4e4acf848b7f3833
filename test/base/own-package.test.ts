import { expect, it } from "vitest";
import { readOwnFile } from "../../src/base/own-package.ts";

it("readOwnFile reads from the nearest parent folder with a package.json, or throws", () => {
  expect(JSON.parse(readOwnFile("package.json"))).toMatchObject({ name: "lockflow" });
  const read = () => readOwnFile("package.json", "file:///lockflow/dist/cli.js");
  expect(read).toThrow(/There is no package\.json/);
});
