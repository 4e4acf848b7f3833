import { describe, expect, it } from "vitest";
import { findRenames } from "../../src/compare/find-renames.ts";

const field = (name: string, type = "Int", description: string | null = null) => ({
  name,
  type,
  description,
});

const pairs = (gone: ReturnType<typeof field>[], come: ReturnType<typeof field>[], kept = 9) =>
  findRenames(gone, come, kept).map(([a, b]) => `${a.name} → ${b.name}`);

describe("findRenames", () => {
  it.each<[string, string[], string[]]>([
    ["one went, one came", pairs([field("a")], [field("b")]), ["a → b"]],
    ["of another type", pairs([field("a")], [field("b", "Int!")]), []],
    ["two could be meant", pairs([field("a")], [field("b"), field("c")]), []],
    [
      "a word in common tells",
      pairs([field("depositAmount")], [field("amount"), field("count")]),
      ["depositAmount → amount"],
    ],
    [
      "a description tells",
      pairs([field("a", "Int", "What.")], [field("b"), field("c", "Int", "What.")]),
      ["a → c"],
    ],
    [
      "what is told leaves the rest to be told",
      pairs([field("depositAmount"), field("x")], [field("amount"), field("y")]),
      ["depositAmount → amount", "x → y"],
    ],
    ["an entity written anew", pairs([field("a")], [field("b")], 0), []],
  ])("%s", (_, found, want) => {
    expect(found).toEqual(want);
  });
});
