import { describe, expect, test } from "vitest";
import { compareIntegers, compareText } from "../../../../emulator/styles/compare.ts";
import type { RowValue } from "../../../../emulator/styles/read-view.ts";
import { compareDecimals, normalizeDecimal } from "../../../../emulator/styles/subgraph/scalars.ts";
import { asker, bands, messagesOf, readMarks } from "./support.ts";

describe("scalars in responses", () => {
  test.each<[type: string, stored: RowValue, json: unknown]>([
    ["Boolean", false, false],
    ["Int", -5, -5],
    ["Int8", "9007199254740993", "9007199254740993"],
    ["BigInt", "100000000000000000000", "100000000000000000000"],
    ["BigInt", "-0", "0"],
    ["BigInt", 7, "7"],
    ["BigDecimal", "1.50", "1.5"],
    ["BigDecimal", "0.0", "0"],
    ["BigDecimal", "1e3", "1000"],
    ["BigDecimal", "-1.2E-7", "-0.00000012"],
    ["BigDecimal", "1.2345678901234567890123456789012345678", "1.234567890123456789012345678901235"],
    ["Bytes", "0xABcd", "0xabcd"],
    ["Timestamp", "1700000000000000", "1700000000000000"],
    ["String", "Ünïcode", "Ünïcode"],
    ["Genre", "ROCK", "ROCK"],
    ["[Genre!]", ["ROCK"], ["ROCK"]],
    ["[Bytes!]", ["0xAB"], ["0xab"]],
    ["[[Int]]", [[1, null]], [[1, null]]],
    ["BigInt", null, null],
  ])("%s %j", (type, stored, json) => {
    const ask = asker(`enum Genre { ROCK } type A @entity { id: ID!  v: ${type} }`, {
      A: [{ id: "1", v: stored }],
    });
    expect(ask("{ as { v } }")).toEqual({ data: { as: [{ v: json }] } });
  });

  test.each<[type: string, stored: RowValue, kind: string, more: string]>([
    ["BigInt", "x", "scalar", ""],
    ["Boolean", "true", "scalar", ""],
    ["Genre", "POLKA", "enum", ". Possible values are: ROCK, JAZZ"],
  ])("a stored %s %j returns an error", (type, stored, kind, more) => {
    const ask = asker(`enum Genre { ROCK JAZZ } type A @entity { id: ID!  v: ${type} }`, {
      A: [{ id: "1", v: stored }],
    });
    const { query, locations } = readMarks("{ as { ¦v } }");
    const message = `Failed to coerce value \`"${stored}"\` of field \`v\` to ${kind} type \`${type}\`${more}`;
    expect(ask(query)).toEqual({ errors: [{ locations, message }] });
  });
});

describe("lookups by id", () => {
  const ask = bands();
  test.each<[query: string, data: unknown]>([
    ['{ city(id: "0x0a") { id } }', { city: { id: "0x0a" } }],
    ['{ city(id: "0A") { id } }', { city: { id: "0x0a" } }],
    ['{ city(id: "0x0x0a") { id } }', { city: { id: "0x0a" } }],
    ['{ city(id: "ff") { id } }', { city: null }],
    ["{ label(id: 10) { id } }", { label: { id: "10" } }],
    ['{ label(id: "010") { id } }', { label: { id: "10" } }],
    ['{ band(id: "b1") { id } }', { band: { id: "b1" } }],
    ['{ band(id: "B1") { id } }', { band: null }],
  ])("%s", (query, data) => expect(ask(query)).toEqual({ data }));

  test.each<[query: string, reason: string]>([
    ['{ city(id: "xyz") { id } }', "Odd number of digits"],
    ['{ city(id: "ä\\\\") { id } }', "Odd number of digits"],
    ['{ city(id: "ää") { id } }', "Invalid character 'Ã' at position 0"],
    ['{ city(id: "a\\\\") { id } }', "Invalid character '\\\\' at position 1"],
    ['{ label(id: "x") { id } }', "failed to convert `x` to an Int8: invalid digit found in string"],
    [
      '{ label(id: "9223372036854775808") { id } }',
      "failed to convert `9223372036854775808` to an Int8: number too large to fit in target type",
    ],
  ])("%s: %s", (query, reason) => {
    expect(messagesOf(ask(query))).toEqual([`Store error: store error: ${reason}`]);
  });
});

describe("comparing", () => {
  const sign = (order: number) => Math.sign(order);
  test.each<[a: string, b: string, order: number]>([
    ["9", "10", -1],
    ["-9", "-10", 1],
    ["-1", "1", -1],
    ["0", "0", 0],
    ["9007199254740993", "9007199254740992", 1],
  ])("integers %s and %s", (a, b, order) => {
    expect(sign(compareIntegers(a, b))).toBe(order);
    expect(sign(compareIntegers(b, a))).toBe(order === 0 ? 0 : -order);
  });
  test.each<[a: string, b: string, order: number]>([
    ["1.5", "1.50", 0],
    ["1.05", "1.5", -1],
    ["-1.05", "-1.5", 1],
    ["10.1", "9.9", 1],
    ["1.1", "1.09", 1],
    ["1", "1.0000000000000000000000000001", -1],
    ["0", "-0.1", 1],
  ])("decimals %s and %s", (a, b, order) => {
    expect(sign(compareDecimals(a, b))).toBe(order);
    expect(sign(compareDecimals(b, a))).toBe(order === 0 ? 0 : -order);
  });
  const texts = ["", "A", "Z", "_", "a", "aa", "b", "é", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"];
  test("compareText orders by UTF-8 bytes", () => {
    const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...texts].reverse().sort(compareText)).toEqual(byBytes);
  });
  test.each(["", ".", "1e", "1.2.3", "0x1", "1e99999"])("%j is not a decimal", (text) => {
    expect(normalizeDecimal(text)).toBeNull();
  });
});
