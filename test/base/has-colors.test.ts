import { expect, it } from "vitest";
import { hasColors } from "../../src/base/has-colors.ts";

it.each<[name: string, env: Record<string, string>, isTerminal: boolean | undefined, want: boolean]>([
  ["a terminal", {}, true, true],
  ["a pipe", {}, undefined, false],
  ["a file", {}, false, false],
  ["a terminal without colours", { TERM: "dumb" }, true, false],
  ["a terminal with NO_COLOR", { NO_COLOR: "1" }, true, false],
  ["a terminal with NO_COLOR=0, which is set", { NO_COLOR: "0" }, true, false],
  ["a terminal with an empty NO_COLOR", { NO_COLOR: "" }, true, true],
  ["a pipe with FORCE_COLOR", { FORCE_COLOR: "1" }, undefined, true],
  ["a pipe with an empty FORCE_COLOR", { FORCE_COLOR: "" }, undefined, true],
  ["a terminal with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
  ["a terminal with FORCE_COLOR=false", { FORCE_COLOR: "false" }, true, false],
  ["a dumb terminal with FORCE_COLOR", { TERM: "dumb", FORCE_COLOR: "3" }, true, true],
  ["a pipe with both", { NO_COLOR: "1", FORCE_COLOR: "1" }, undefined, false],
])("hasColors for %s", (_, env, isTerminal, want) => {
  expect(hasColors(env, isTerminal)).toBe(want);
});
