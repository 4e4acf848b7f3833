import { describe, expect, test } from "vitest";
import { asker, idsFor, messagesOf } from "./support.ts";

const ask = asker(
  `type _Schema_ @fulltext(name: "search", language: en, algorithm: rank, include: [{ entity: "Song", fields: [{ name: "title" }, { name: "words" }] }])
    @fulltext(name: "byTitle", language: en, algorithm: rank, include: [{ entity: "Song", fields: [{ name: "title" }] }])
   type Song @entity { id: ID!  title: String!  words: [String!]  rank: Int }`,
  {
    Song: [
      { id: "s4", title: "Red Moon", words: ["moonlight", "Sonata"], rank: 4 },
      { id: "s1", title: "Blue moon", words: null, rank: 1 },
      { id: "s2", title: "Moon, moon, moon!", words: [], rank: 2 },
      { id: "s3", title: "The sun", words: ["red"], rank: 3 },
    ],
  },
);
const found = (text: string, more = "") => idsFor(ask, "search", `text: ${JSON.stringify(text)}${more}`);

describe("B.10 fulltext", () => {
  const rows: readonly [text: string, ids: readonly string[]][] = [
    ["moon", ["s1", "s4", "s2"]],
    ["MOON", ["s1", "s4", "s2"]],
    ["blue & moon", ["s1"]],
    ["blue | sun", ["s1", "s3"]],
    ["moon & !blue", ["s4", "s2"]],
    ["!moon", ["s3"]],
    ["red <-> moon", ["s4"]],
    ["moon <-> red", []],
    ["red <2> moonlight", ["s4"]],
    ["'blue moon'", ["s1"]],
    ["moonl:*", ["s4"]],
    ["(blue | red) & !sun", ["s1", "s4"]],
    ["nothing", []],
    ["", []],
  ];
  test.each(rows)("%j", (text, ids) => expect(found(text)).toEqual(ids));

  test("only the fields that the search names", () => {
    expect(found("moonlight")).toEqual(["s4"]);
    expect(idsFor(ask, "byTitle", 'text: "moonlight"')).toEqual([]);
    expect(idsFor(ask, "byTitle", 'text: "sun"')).toEqual(["s3"]);
  });

  test("range and filter", () => {
    expect(found("moon", ", first: 1, skip: 1")).toEqual(["s4"]);
    expect(found("moon", ", where: { rank_gt: 1 }")).toEqual(["s4", "s2"]);
    expect(messagesOf(ask('{ search(text: "x", first: 0) { id } }'))).toEqual([
      "The `first` argument must be between 0 and 1000, but is 0",
    ]);
  });
  test.each(["blue moon", "moon &", "(moon", "moon)", "&", "<->", "'"])("%j is refused", (text) => {
    expect(messagesOf(ask(`{ search(text: ${JSON.stringify(text)}) { id } }`))).toEqual([
      `Invalid fulltext search query syntax. Error: syntax error in tsquery: "${text}". Hint: Search terms with spaces need to be enclosed in single quotes`,
    ]);
  });
  test("text is required", () => {
    expect(messagesOf(ask("{ search { id } }"))).toEqual(["No value provided for required argument: `text`"]);
  });
});
