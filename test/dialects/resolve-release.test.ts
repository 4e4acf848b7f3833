import { describe, expect, it } from "vitest";
import { resolveRelease } from "../../src/dialects/platform.ts";

const RELEASES = ["0.34", "0.40", "0.40.2", "0.41", "0.44"];

describe("resolveRelease", () => {
  it.each([
    ["0.34", "0.34"],
    ["node-0.34", "0.34"],
    ["0.35", "0.34"],
    ["0.40", "0.40"],
    ["0.40.0", "0.40"],
    ["0.40.1", "0.40"],
    ["0.40.2", "0.40.2"],
    ["0.40.3", "0.40.2"],
    ["0.40.10", "0.40.2"],
    ["0.41.2", "0.41"],
    ["0.43", "0.41"],
    ["0.44.7", "0.44"],
    ["0.45", null],
    ["1", null],
    ["0.33.9", null],
    ["0.4", null],
    ["other-0.44", null],
    ["node-", null],
    ["0.44-rc1", null],
    ["latest", null],
    ["", null],
  ])("%j resolves to %j", (name, want) => {
    expect(resolveRelease(name, { name: "node", releases: RELEASES })).toBe(want);
  });
});
