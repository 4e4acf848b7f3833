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

describe("fulltext", () => {
  test.each<[text: string, ids: readonly string[]]>([
    ["moon", ["s1", "s4", "s2"]],
    ["MOON", ["s1", "s4", "s2"]],
    ["blue & moon", ["s1"]],
    ["blue | sun", ["s1", "s3"]],
    ["moon & !blue", ["s2", "s4"]],
    ["!moon", ["s3"]],
    ["red <-> moon", ["s4"]],
    ["moon <-> red", []],
    ["red <2> moonlight", ["s4"]],
    ["'blue moon'", ["s1"]],
    ["moonl:*", ["s4"]],
    ["(blue | red) & !sun", ["s1", "s4"]],
    ["nothing", []],
    ["", []],
  ])("%j", (text, ids) => expect(found(text)).toEqual(ids));

  test("searches only the included fields", () => {
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
  test.each(["blue moon", "''", "moon:x", "moon<sun", "(moon", "moon)", "&", "<->", "'"])(
    "%j is refused",
    (text) => {
      expect(messagesOf(ask(`{ search(text: ${JSON.stringify(text)}) { id } }`))).toEqual([
        `Invalid fulltext search query syntax. Error: syntax error in tsquery: "${text}". Hint: Search terms with spaces need to be enclosed in single quotes`,
      ]);
    },
  );
  test("text is required", () => {
    expect(messagesOf(ask("{ search { id } }"))).toEqual(["No value provided for required argument: `text`"]);
  });

  test.each<[text: string, message: string]>([
    ["moon &", 'no operand in tsquery: "moon &"'],
    ["moon \0", 'invalid byte sequence for encoding "UTF8": 0x00'],
    ["moon\\", 'there is no escaped character: "moon\\"'],
    [
      "moon <16385> sun",
      "distance in phrase operator must be an integer value between zero and 16384 inclusive",
    ],
    [`${"!".repeat(33)}moon`, "tsquery stack too small"],
    ["(".repeat(100_000), "stack depth limit exceeded"],
    ["a & ".repeat(100_000), "stack depth limit exceeded"],
  ])("%#: database errors other than syntax errors", (text, message) => {
    expect(messagesOf(ask(`{ search(text: ${JSON.stringify(text)}) { id } }`))).toEqual([
      `Failed to get entities from store: ${message}`,
    ]);
  });
});

/** Results of PostgreSQL 16 in their order. */
describe("rank", () => {
  const fulltext = (name: string, language: string, algorithm: string) =>
    `@fulltext(name: "${name}", language: ${language}, algorithm: ${algorithm}, include: [{ entity: "Song", fields: [{ name: "title" }, { name: "text" }] }])`;
  const askSongs = asker(
    `type _Schema_ ${fulltext("byRank", "simple", "rank")} ${fulltext("nearest", "simple", "proximityRank")} ${fulltext("english", "en", "rank")}
     type Song @entity { id: ID! title: String! text: String }`,
    {
      Song: [
        { id: "1", title: "sun red red moon", text: null },
        { id: "2", title: "moon sun", text: "deep moon" },
        { id: "3", title: "the moon", text: "of the deep deep red sun" },
        { id: "4", title: "moon, MOON and moon", text: "" },
        { id: "5", title: "ÄB moonbeam", text: "x17 日本" },
        { id: "6", title: "", text: "" },
      ],
    },
  );
  test.each<[text: string, byRank: string, nearest: string, english: string]>([
    ["moon", "1 3 2 4", "1 3 2 4", "1 3 2 4"],
    ["moon | sun", "4 1 3 2", "1 3 2 4", "4 1 3 2"],
    ["moon & sun", "3 1 2", "3 1 2", "3 1 2"],
    ["sun & moon & red", "3 1", "3 1", "3 1"],
    ["moon:*", "1 3 5 2 4", "1 3 5 2 4", "1 3 5 2 4"],
    ["moon:* & sun", "3 1 2", "3 1 2", "3 1 2"],
    ["!moon", "5 6", "5 6", "5 6"],
    ["!moon & !blue", "6 5", "5 6", "6 5"],
    ["!deep <-> moon", "1 4 3 2", "1 2 3 4", "1 4 3 2"],
    ["moon & !(deep <-> red)", "4 1 2", "1 2 4", "4 1 2"],
    ["(sun | deep) <-> (red | moon)", "1 2 3", "1 2 3", "1 2 3"],
    ["the", "", "", ""],
    ["the & moon", "1 3 2 4", "1 3 2 4", "1 3 2 4"],
    ["moon <-> the <-> deep", "2", "2", "2"],
    ["'moon of the deep'", "3", "3", "3"],
    ["äb", "", "", ""],
    ["moon:A", "", "", ""],
    ["moon:A | sun", "1 3 2", "1 2 3", "1 3 2"],
    ["moon,sun", "2", "2", "2"],
  ])("%j", (text, ...ids) => {
    const found = ["byRank", "nearest", "english"].map((search) =>
      idsFor(askSongs, search, `text: ${JSON.stringify(text)}`).join(" "),
    );
    expect(found).toEqual(ids);
  });
});
