import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import { checkScalars, knownScalars } from "../../src/generate/check-scalars.ts";
import type { Snapshot } from "../../src/workspace/snapshot.ts";

const SDL = "type Query { a: Int } scalar Ours scalar streamcategory enum StreamCategory { A B }";
const SNAPSHOT: Snapshot = {
  ...{ protocol: "auctions", style: "subgraph", variants: [] },
  base: { path: "schema.graphql", text: SDL, hash: "" },
};
const KNOWN = knownScalars(Object.values(styles), [SNAPSHOT]);

const check = (scalar: string, type: string) => checkScalars({ [scalar]: type }, KNOWN);

describe("the configured types of scalars", () => {
  it.each([
    ["BigInt", "string"],
    ["BigInt", "`${bigint}`"],
    ["BigInt", "`0x${string}`"],
    ["BigInt", 'string & { __brand: "x" }'],
    ["BigInt", '{ readonly __brand: "bigint" } & string'],
    ["BigInt", "string & Brand<number>"],
    ["BigInt", "Brand<string, 'wei'>"],
    ["BigInt", "Wei"],
    ["BigInt", "any"],
    ["BigInt", "unknown"],
    ["BigInt", "./wei.js#Wei"],
    ["BigInt", "@scope/wei/types#Wei as Amount"],
    ["BigInt", "#wei#Wei"],
    ["BigInt", "string /* wei */"],
    ["BigInt", "string | number"],
    ["BigInt", "(string)"],
    ["BigInt", '"1" | "2"'],
    ["BigInt", "string extends infer T ? T : never"],
    ["BigInt", "Amounts['wei']"],
    ["Bytes", "Lowercase<string>"],
    ["Int", "1 | 2"],
    ["Int", "number & { __unit: 'seconds' }"],
    ["Boolean", "true | false"],
    ["jsonb", "{ a: number }"],
    ["jsonb", "[string, number]"],
    ["jsonb", "Record<string, unknown> | null"],
    ["streamcategory", '"A" | "B"'],
    ["streamcategory", "StreamCategory"],
    ["Ours", "number"],
    ["Ours", "Anything<at | all>"],
    ["Ours", 'import("wei").Wei'],
    ["Ours", 'typeof import("wei").one'],
    ["Ours", "readonly string[][]"],
    ["Ours", "| 'a' | 'b'"],
    ["Ours", "Wei.Amounts<string>['one'][]"],
    ["Ours", "-1 | 0.5"],
  ])("for %s may be %s", (scalar, type) => {
    expect(() => check(scalar, type)).not.toThrow();
  });

  it.each([
    ["BigInt", "bigint"],
    ["BigInt", "number"],
    ["BigInt", "string | bigint"],
    ["BigInt", "bigint & { __brand: 'wei' }"],
    ["BigInt", "Date"],
    ["BigInt", "5n"],
    ["BigInt", "{ amount: string }"],
    ["BigInt", "string[]"],
    ["BigInt", "Array<string>"],
    ["BigInt", "(value: string) => string"],
    ["BigInt", "null"],
    ["BigInt", "never"],
    ["BigInt", "string & number"],
    ["BigDecimal", "number"],
    ["numeric", "number"],
    ["timestamptz", "Date"],
    ["Timestamp", "number"],
    ["Bytes", "Uint8Array"],
    ["ID", "number"],
    ["Int", "string"],
    ["Int", "bigint"],
    ["Boolean", "0 | 1"],
    ["jsonb", "Map<string, unknown>"],
    ["streamcategory", "number"],
  ])("error: for %s cannot be %s", (scalar, type) => {
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
