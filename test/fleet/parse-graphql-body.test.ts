import { expect, it } from "vitest";
import { parseGraphqlBody } from "../../src/fleet/parse-graphql-body.ts";
import { catchError } from "../support/catch-error.ts";

const parse = (text: string, secrets: readonly string[] = ["canary0123"]) =>
  parseGraphqlBody(new TextEncoder().encode(text), secrets);
const errors = (...messages: readonly unknown[]) => JSON.stringify({ errors: messages });

it("parseGraphqlBody returns the data with its errors, and redacts keys in the errors", () => {
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
])("error: parseGraphqlBody: rejects data that contain a key %s", (_, text) => {
  expect(catchError(() => parse(text))).toMatchObject({ code: "ENDPOINT_ECHOES_KEY" });
});

it.each([
  ["an empty body", "", /an empty body/],
  ["HTML", "<!DOCTYPE html><html></html>", /a web page instead of JSON/],
  ["a cut body", '{"data":{', /is not JSON, or was cut off \(9 bytes\)/],
  ["JSON that is not a result", "[1]", /not a GraphQL result/],
  ["neither data nor errors", "{}", /HTTP 200 with no data: it has neither data nor errors/],
  ["errors", errors({ message: "bad indexers: {}" }), /HTTP 200 with no data: bad indexers/],
  ["an auth error", errors({ message: "auth error: no key" }), /no data: auth error.*check the key/is],
  [
    "disabled introspection",
    errors({ message: "introspection is disabled" }),
    /does not answer introspection/,
  ],
])("error: parseGraphqlBody: %s", (_, text, want) => {
  expect(catchError(() => parse(text)).message).toMatch(want);
});

it.each<[given: unknown[], want: string[]]>([
  [
    ["a", "a", "b", "c", "d"],
    ["a", "b", "c", "2 more errors"],
  ],
  [
    ["a", "a", "b"],
    ["a", "b", "1 more error"],
  ],
  [
    ["x", null, 5],
    ["x", "an error without a message", "1 more error"],
  ],
])(
  "parseGraphqlBody returns at most three different errors and the number of the others: %j",
  (given, want) => {
    const errors = given.map((error) => (typeof error === "string" ? { message: error } : error));
    expect(parse(JSON.stringify({ data: {}, errors })).errors).toEqual(want);
  },
);
