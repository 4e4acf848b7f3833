import fc from "fast-check";
import type { Column, Kind } from "./facts.ts";

/** A stored value, in the form of rows. */
export type Value = string | number | boolean;

/**
 * Generates values of a column: few different ones, so that conditions match and rows tie, and values with unusual
 * sorting, case folding or formatting.
 */
export function valuesOf({ kind, members }: Column): fc.Arbitrary<Value> {
  return kind === "enum" ? fc.constantFrom(...members) : VALUES[kind];
}

const DIGITS = "123456789012345678901234567890";

const TEXTS: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("", "a", "A", "b", "ab", "AB", "aB", "abc", "b a", "10", "9") },
  // Characters above U+FFFF, which UTF-16 and UTF-8 sort differently, and the wildcards of patterns.
  {
    weight: 2,
    arbitrary: fc.constantFrom("ﬀ", "😀", "é", 'say "a"', "a_b", "a%b", "a\\b", "line\nbreak"),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom("a", "B", "c", "_", "%", "😀"), maxLength: 5 }) },
);

const IDS: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 25 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom("x-1", "X-1", "x-10", "x-2", "é", "😀", "ﬀ") },
);

const HEX: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("0x", "0x00", "0xab", "0xabcd", "0xcd", "0x12ab", "0xff") },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 3 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
  },
);

const VALUES: Readonly<Record<Exclude<Kind, "enum">, fc.Arbitrary<Value>>> = {
  ID: IDS,
  String: TEXTS,
  Int: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31))),
  BigInt: fc.oneof(
    fc.integer({ min: -3, max: 12 }).map(String),
    fc.constantFrom("100", "99", DIGITS, `-${DIGITS}`, `${DIGITS}1`, "9007199254740993", "9007199254740992"),
  ),
  BigDecimal: fc.oneof(
    fc.integer({ min: -3, max: 12 }).map(String),
    fc.constantFrom("1.5", "1.50", "0.1", "0.10", "-0.5", "10.0", "0.00000001", `${DIGITS}.5`, "100"),
  ),
  Bytes: HEX,
  Boolean: fc.boolean(),
  // Before 1970 only whole seconds: subgraphs accept no fractions there.
  Timestamp: fc.constantFrom(
    "0",
    "1",
    "-1000000",
    "1700000000000000",
    "1700000000000001",
    "1700000000100000",
    "1700000001000000",
    "999999999999999",
    "4102444800000000",
  ),
};
