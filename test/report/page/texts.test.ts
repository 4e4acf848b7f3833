import { describe, expect, it } from "vitest";
import { linesOf, textsOf } from "../../../packages/report-page/src/texts.ts";
import type { SourceReport } from "../../../src/report/types.ts";

const text = (file: string, line: number, ...lines: string[]): SourceReport => ({
  file,
  line,
  text: lines.join("\n"),
});

const SOURCES = [
  text("operations/flow/a.graphql", 1, "query A { streams { ...Row } }"),
  text("operations/flow/fragments.graphql", 1, "fragment Row on Stream { id }"),
  text("operations/lockup/a.graphql", 2, "query A {", "  streams { ... Row ... on Stream { id } }", "}"),
  text("operations/lockup/b.graphql", 1, "query B { streams { ...Missing } }"),
  text("operations/lockup/fragments.graphql", 1, "fragment Row on Stream {", "  asset { ...Token }", "}"),
  text("operations/lockup/fragments.graphql", 5, "fragment Token on Asset { id ...Row }"),
];

describe("the texts of an operation", () => {
  it.each([
    [
      "are its own and each fragment of its protocol once",
      "lockup/a",
      3,
      ["lockup/a:2", "lockup/fragments:1", "lockup/fragments:5"],
    ],
    ["are those of its own protocol", "flow/a", 1, ["flow/a:1", "flow/fragments:1"]],
    ["do not include an unknown fragment", "lockup/b", 1, ["lockup/b:1"]],
    ["are empty for a line after its end", "lockup/a", 5, []],
    ["are empty for a file that is not in the report", "lockup/c", 1, []],
  ])("%s", (_, file, line, want) => {
    const texts = textsOf({ file: `operations/${file}.graphql`, line }, SOURCES);
    expect(
      texts.map((source) => `${source.file.slice("operations/".length, -".graphql".length)}:${source.line}`),
    ).toEqual(want);
  });
});

describe("the lines of a text", () => {
  it("keep their indentation, and replace invisible characters", () => {
    const text = "query A {\r\n\ta\n  b\u202e # \u0000x\n}";
    expect(linesOf(text)).toEqual(["query A {", "  a", "  b\ufffd # \ufffdx", "}"]);
  });

  it("are well-formed, at most 5000, and at most 400 characters long", () => {
    expect(linesOf("a\n".repeat(100_000))).toHaveLength(5000);
    expect(linesOf(`\ud800${"a".repeat(1000)}`)).toEqual([`\ufffd${"a".repeat(399)}…`]);
  });
});
