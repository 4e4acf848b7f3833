import { describe, expect, it } from "vitest";
import { checkFiles, checkSubject, findWords } from "../scripts/words.ts";

const wordsOf = (text: string, allowed?: readonly string[]) =>
  findWords(text, allowed).map(({ line, text }) => [line, text]);

describe("findWords", () => {
  it.each([
    ["Nobody serves it.", "Nobody"],
    ["for whoever asks", "whoever"],
    ["what it was told", "told"],
    ['"x.reason" tells why', "tells"],
    ["`celo` is no chain", "is no"],
    ["they are no chains", "are no"],
    ["there is no row that fits", "there is no row that"],
    ["/** What is left of it. */", "What is"],
    ["tables, of which two are empty", "of which"],
    ["at the moment", "moment"],
    ["No strangers.", "strangers"],
  ])("finds the word in %j", (text, word) => {
    expect(wordsOf(text)).toEqual([[1, word]]);
  });

  it.each([
    "There is no chain with this key.",
    "It is no longer served.",
    "A bundle is no larger than 3 kB.",
    "What is a chain?",
    "The body of a request, by whichever client.",
    "a restless momentum, untold",
  ])("accepts %j", (text) => {
    expect(wordsOf(text)).toEqual([]);
  });

  it("finds words across the lines of a comment, with the first line", () => {
    expect(wordsOf("a\n  /**\n   * The chain is\n   * no key.\n   */")).toEqual([[3, "is no"]]);
    expect(wordsOf("// a chain is\n// no key")).toEqual([[1, "is no"]]);
  });

  it("finds words across joined strings", () => {
    expect(wordsOf('say("two, of " +\n  "which one");')).toEqual([[1, "of which"]]);
  });

  it("skips only the allowed literal on a line", () => {
    const text = 'say("x is no y", "z is no y");';
    expect(wordsOf(text, ["x is no y"])).toEqual([[1, "is no"]]);
    expect(wordsOf(text, ["x is no y", "z is no y"])).toEqual([]);
  });
});

it("checkFiles reports a path without files", () => {
  expect(checkFiles(["no/such/folder"])).toEqual(["no/such/folder has no file"]);
});

describe("checkSubject", () => {
  it.each(["client: throw if no chain answered", "a-b/c.d 2: x", `a: ${"x".repeat(69)}`])(
    "accepts %j",
    (subject) => {
      expect(checkSubject(subject)).toBeNull();
    },
  );

  it.each([
    [`a: ${"x".repeat(70)}`, /73 characters/],
    ["Throw if no chain answered", /must have the form/],
    ["Client: throw", /must have the form/],
    ["client:", /must have the form/],
    ["client: tell nobody", /says "nobody" \(name the program/],
  ])("rejects %j", (subject, problem) => {
    expect(checkSubject(subject)).toMatch(problem);
  });
});
