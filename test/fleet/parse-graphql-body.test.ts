import { describe, expect, it } from "vitest";
import { parseGraphqlBody } from "../../src/fleet/parse-graphql-body.ts";
import { catchError } from "../support/catch-error.ts";

const parse = (text: string, secrets: readonly string[] = ["canary0123"]) =>
  parseGraphqlBody(new TextEncoder().encode(text), secrets);

describe("parseGraphqlBody", () => {
  it("returns the data with its errors, and redacts keys in the errors", () => {
    expect(parse('{"data":{"a":1},"errors":[{"message":"canary0123 is slow"}]}')).toEqual({
      data: { a: 1 },
      errors: ["<redacted> is slow"],
    });
  });

  it.each([
    ["in a value", '{"data":{"a":"x canary0123"}}'],
    ["in a name", '{"data":{"canary0123":1}}'],
    ["escaped", '{"data":{"a":"\\u0063anary0123"}}'],
    ["deeply nested", `{"data":{"a":${"[".repeat(200_000)}"canary0123"${"]".repeat(200_000)}}}`],
  ])("error: rejects data that contain a key %s", (_, text) => {
    expect(catchError(() => parse(text))).toMatchObject({ code: "ENDPOINT_ECHOES_KEY" });
  });

  it("returns three different errors and the number of the others", () => {
    const errors = ["a", "a", "b", "c", "d"].map((message) => ({ message }));
    expect(parse(JSON.stringify({ data: {}, errors })).errors).toEqual(["a", "b", "c", "2 more errors"]);
    expect(parse(JSON.stringify({ data: {}, errors: errors.slice(0, 3) })).errors).toEqual([
      "a",
      "b",
      "1 more error",
    ]);
    expect(parse(JSON.stringify({ data: {}, errors: ["x", null, 5] })).errors).toEqual([
      "x",
      "an error without a message",
      "1 more error",
    ]);
  });
});
