import { type ConstValueNode, parseValue } from "graphql";
import { describe, expect, it } from "vitest";
import { printValue } from "../../src/dialects/values.ts";

describe("printValue", () => {
  it.each([
    ["null", "null"],
    ["true", "true"],
    ["-12", "-12"],
    ["RED", "RED"],
    ["1.50", "1.5"],
    ["1.0", "1"],
    ["-2.5e3", "-2500"],
    ["1.5e21", "1500000000000000000000"],
    ["2.5e-9", "0.0000000025"],
    ['"a\\"b"', '"a\\"b"'],
    ["[1,2 , [ ]]", "[1, 2, []]"],
    ["{b:1 a:{c:2}}", "{a: {c: 2}, b: 1}"],
    ["{}", "{}"],
  ])("%s is printed as %s", (text, want) => {
    expect(printValue(parseValue(text) as ConstValueNode)).toBe(want);
  });
});
