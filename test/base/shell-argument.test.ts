import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellArgument } from "../../src/base/text.ts";

it.each([
  ["main", "main"],
  ["entities/a-b.graphql", "entities/a-b.graphql"],
  ["text,json=report.json", "text,json=report.json"],
  ["a b", "'a b'"],
  ["$(rm -rf x)", "'$(rm -rf x)'"],
  ["it's", "'it'\\''s'"],
  ["", "''"],
])("shellArgument quotes only if a shell needs it: %s", (text, want) => {
  expect(shellArgument(text)).toBe(want);
  expect(execFileSync("sh", ["-c", `printf %s ${want}`], { encoding: "utf8" })).toBe(text);
});
