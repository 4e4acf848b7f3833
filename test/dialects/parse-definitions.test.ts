import { parse, print } from "graphql";
import { describe, expect, it } from "vitest";
import { parseDefinitions } from "../../src/dialects/parse-sdl.ts";
import { catchError } from "../support/catch-error.ts";
import { readRepositoryFile } from "../support/repository.ts";

/** Longer than the part that is parsed at a time. */
const FILLER = Array.from(
  { length: 34 },
  (_, index) => `# ${"long ".repeat(200)}\ntype Filler${index} {\n  id: ID!\n}`,
).join("\n\n");
const NEXT = FILLER.split("\n").length + 2;

const printed = (text: string) => [...parseDefinitions(text, "a.graphql")].map(print);
const whole = (text: string) => parse(text).definitions.map(print);

describe("parseDefinitions", () => {
  it.each([
    ["a snapshot", readRepositoryFile("generated/schemas/lockup/multichain.graphql")],
    ["long definitions", FILLER],
    [
      "a description with a line that looks like a definition",
      `${FILLER}\n\n"""\nFirst.\n\ntype of a stream\n\ninput\n"""\nscalar A\n\n${FILLER}`,
    ],
    ["an escaped end of a description", `${FILLER}\n\n"""\nA \\""" B\n\ntype C\n"""\nscalar A\n\n${FILLER}`],
    ["a definition without members before an empty line", `${FILLER}\n\ntype A\n\ntype B\n\n${FILLER}`],
    ["an empty line within a definition", `${FILLER}\n\ntype A {\n  a: Int\n\n  type: Int\n\n}\n\n${FILLER}`],
    [
      "a type with the name of a keyword, after an empty line",
      `${FILLER}\n\nunion A =\n\ntype | Filler1\n\n${FILLER}`,
    ],
    ["directives after an empty line", `${FILLER}\n\nscalar A\n\n  @specifiedBy(url: "b")\n\n${FILLER}`],
    ["a comment with quotes", `${FILLER}\n\n# """\n\nscalar A\n\n${FILLER}`],
    ["quotes in a string", `${FILLER}\n\ndirective @a(b: String = "\\"\\"\\"") on FIELD\n\n${FILLER}`],
    ["CRLF line ends", FILLER.replaceAll("\n", "\r\n")],
  ])("returns the same as parsing the whole text: %s", (_, text) => {
    expect(printed(text)).toEqual(whole(text));
  });

  it.each([
    ["in the middle", `${FILLER}\n\ntype {\n\n${FILLER}`, `a.graphql:${NEXT}:6`],
    ["at the end", `${FILLER}\n\ntype A {`, `a.graphql:${NEXT}:9`],
    ["in an empty text", "", "a.graphql:1:1"],
  ])("error: reports the position of a syntax error in the whole text: %s", (_, text, place) => {
    expect(String(catchError(() => printed(text)))).toContain(`${place} is not valid GraphQL`);
  });

  it("error: truncates a long unexpected name", () => {
    const { message } = catchError(() => printed("a".repeat(100_000))) as Error;
    expect(message).toContain('Unexpected Name "aaaa');
    expect(message.length).toBeLessThan(1000);
  });
});
