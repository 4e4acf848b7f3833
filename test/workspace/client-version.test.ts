import { expect, it } from "vitest";
import { VERSION } from "../../src/base/own-package.ts";
import { isClientVersion } from "../../src/workspace/client-version.ts";

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
