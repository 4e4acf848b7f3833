import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { endSentence, shellArgument } from "../../src/base/text.ts";

it.each([
  ["a column does not exist", "a column does not exist."],
  ["Store error: relation is missing ", "Store error: relation is missing."],
  ["It has an end.", "It has an end."],
  ["Has it?", "Has it?"],
  ['Did you mean "a"?', 'Did you mean "a"?'],
  ['It is called "a"', 'It is called "a".'],
  ['It says "no."', 'It says "no."'],
  ["what was cut off…", "what was cut off…"],
  ["(an aside)", "(an aside)."],
  ["", ""],
])("endSentence(%j) is %j", (given, want) => {
  expect(endSentence(given)).toBe(want);
});

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
