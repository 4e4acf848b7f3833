import { expect, it } from "vitest";
import { endSentence } from "../../src/base/text.ts";

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
