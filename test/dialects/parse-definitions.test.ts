import { parse, print } from "graphql";
import { describe, expect, it } from "vitest";
import { parseDefinitions } from "../../src/dialects/parse-sdl.ts";
import { catchError } from "../support/catch-error.ts";
import { readRepositoryFile } from "../support/repository.ts";

/** More than is parsed at a time. */
const FILLER = Array.from({ length: 1400 }, (_, index) => `type Filler${index} {\n  id: ID!\n}`).join("\n\n");

const printed = (text: string) => [...parseDefinitions(text, "a.graphql")].map(print);
const whole = (text: string) => parse(text).definitions.map(print);

describe("parseDefinitions", () => {
  it.each([
    ["a snapshot", readRepositoryFile("generated/schemas/lockup/multichain.graphql")],
    ["much that is alike", FILLER],
    [
      "what begins like a definition in a description",
      `${FILLER}\n\n"""\nFirst.\n\ntype of a stream\n\ninput\n"""\nscalar A\n\n${FILLER}`,
    ],
    ["an escaped end of a description", `${FILLER}\n\n"""\nA \\""" B\n\ntype C\n"""\nscalar A\n\n${FILLER}`],
    ["a definition without members before an empty line", `${FILLER}\n\ntype A\n\ntype B\n\n${FILLER}`],
    ["an empty line within a definition", `${FILLER}\n\ntype A {\n  a: Int\n\n  type: Int\n\n}\n\n${FILLER}`],
    [
      "a type named as what begins one, after an empty line",
      `${FILLER}\n\nunion A =\n\ntype | Filler1\n\n${FILLER}`,
    ],
    ["directives after an empty line", `${FILLER}\n\nscalar A\n\n  @specifiedBy(url: "b")\n\n${FILLER}`],
    ["a comment with quotes in it", `${FILLER}\n\n# """\n\nscalar A\n\n${FILLER}`],
    ["quotes in a string", `${FILLER}\n\ndirective @a(b: String = "\\"\\"\\"") on FIELD\n\n${FILLER}`],
    ["other line ends", FILLER.replaceAll("\n", "\r\n")],
  ])("gives the same as to parse all of it: %s", (_, text) => {
    expect(printed(text)).toEqual(whole(text));
  });

  it.each([
    ["in the middle", `${FILLER}\n\ntype {\n\n${FILLER}`, "a.graphql:5601:6"],
    ["at the end", `${FILLER}\n\ntype A {`, "a.graphql:5601:9"],
    ["of nothing", "", "a.graphql:1:1"],
  ])("error: says where in all of the text it does not parse, %s", (_, text, place) => {
    expect(String(catchError(() => printed(text)))).toContain(`${place} is not valid GraphQL`);
  });

  it("error: shows no more than the beginning of a word that is wrong", () => {
    const { message } = catchError(() => printed("a".repeat(100_000))) as Error;
    expect(message).toContain('Unexpected Name "aaaa');
    expect(message.length).toBeLessThan(1000);
  });
});
