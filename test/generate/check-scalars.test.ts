import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/base/errors.ts";
import { checkScalars, knownScalars } from "../../src/generate/check-scalars.ts";
import type { Snapshot } from "../../src/workspace/snapshot.ts";

const SDL = "type Query { a: Int } scalar Ours scalar streamcategory enum StreamCategory { A B }";
const SNAPSHOT: Snapshot = {
  protocol: "auctions",
  style: "subgraph",
  variants: [],
  base: { path: "schema.graphql", text: SDL, hash: "" },
};
const KNOWN = knownScalars([SNAPSHOT]);

const check = (scalar: string, type: string) => checkScalars({ [scalar]: type }, KNOWN);

/** Types of scalars, as pairs of a scalar and a type. */
const pairsOf = (types: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(types).flatMap(([scalar, all]) => all.map((type) => [scalar, type] as const));

describe("the configured types of scalars", () => {
  it.each(
    pairsOf({
      BigInt: [
        "string",
        "`${bigint}`",
        "`0x${string}`",
        'string & { __brand: "x" }',
        '{ readonly __brand: "bigint" } & string',
        "string & Brand<number>",
        "Brand<string, 'wei'>",
        "Wei",
        "any",
        "unknown",
        "./wei.js#Wei",
        "@scope/wei/types#Wei as Amount",
        "#wei#Wei",
        "string /* wei */",
        "string | number",
        "(string)",
        '"1" | "2"',
        "string extends infer T ? T : never",
        "Amounts['wei']",
      ],
      Bytes: ["Lowercase<string>"],
      Int: ["1 | 2", "number & { __unit: 'seconds' }"],
      Boolean: ["true | false"],
      jsonb: ["{ a: number }", "[string, number]", "Record<string, unknown> | null"],
      streamcategory: ['"A" | "B"', "StreamCategory"],
      Ours: [
        "number",
        "Anything<at | all>",
        'import("wei").Wei',
        'typeof import("wei").one',
        "readonly string[][]",
        "| 'a' | 'b'",
        "Wei.Amounts<string>['one'][]",
        "-1 | 0.5",
      ],
    }),
  )("for %s may be %s", (scalar, type) => {
    expect(() => check(scalar, type)).not.toThrow();
  });

  it.each(
    pairsOf({
      BigInt: [
        "bigint",
        "number",
        "string | bigint",
        "bigint & { __brand: 'wei' }",
        "Date",
        "5n",
        "{ amount: string }",
        "string[]",
        "Array<string>",
        "(value: string) => string",
        "null",
        "never",
        "string & number",
      ],
      BigDecimal: ["number"],
      numeric: ["number"],
      timestamptz: ["Date"],
      Timestamp: ["number"],
      Bytes: ["Uint8Array"],
      ID: ["number"],
      Int: ["string", "bigint"],
      Boolean: ["0 | 1"],
      jsonb: ["Map<string, unknown>"],
      streamcategory: ["number"],
    }),
  )("error: for %s cannot be %s", (scalar, type) => {
    expect(() => check(scalar, type)).toThrow(ConfigError);
    expect(() => check(scalar, type)).toThrow(
      `The configuration's "scalars.${scalar}", ${JSON.stringify(type)}, does not match the JSON: ${scalar} arrives `,
    );
  });

  it.each([
    "string[",
    "{ a: 1",
    "`0x",
    '"',
    "Array<string",
    "",
    "   ",
    "string }",
    "0x${string}",
    "a string",
    "string;",
    "string // wei",
    "string = 1",
    "string | ",
    "Wei, Ether",
    "string {}",
  ])("error: cannot be a text that is not a type: %j", (type) => {
    expect(() => check("Ours", type)).toThrow("is not a TypeScript type");
  });

  it("error: have a hint if they do not match the JSON", () => {
    expect(() => check("BigInt", "bigint")).toThrow(
      'BigInt arrives as a string, and nothing converts it.\nHint: leave it a string, give the string a brand, as in `string & { readonly __scalar: "BigInt" }`, and convert where you calculate: `BigInt(value)`.',
    );
    expect(() => check("Int", "string")).toThrow("as a number, and nothing converts it.");
    expect(() => check("Int", "string")).toThrow("remove the entry: the type is `number`.");
  });

  it.each([
    ["Bigint", '"BigInt" or "bigint"'],
    ["BigInts", '"BigInt" or "bigint"'],
    ["Adress", null],
    ["Byte", '"Bytes"'],
    ["StreamCategory", '"streamcategory"'],
    ["timestmptz", '"timestamptz"'],
  ])("error: cannot be for an unknown scalar: %s", (scalar, nearest) => {
    expect(() => check(scalar, "string")).toThrow(
      `The configuration's "scalars.${scalar}" does not name a scalar.`,
    );
    expect(() => check(scalar, "string")).toThrow(
      nearest === null ? "known scalars: " : `did you mean ${nearest}?`,
    );
  });
});
