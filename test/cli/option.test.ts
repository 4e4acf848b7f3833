import { describe, expect, it } from "vitest";
import {
  flag,
  flagOf,
  isGiven,
  names,
  number,
  numberOrNone,
  type Option,
  text,
  texts,
} from "../../src/cli/option.ts";
import { OPTIONS } from "../../src/cli/options.ts";

describe("an option", () => {
  it.each<[name: string, option: Option, given: Parameters<Option["parse"]>[0], want: unknown]>([
    ["a flag", flag(""), true, true],
    ["an omitted flag", flag(""), undefined, false],
    ["a text", text("v", ""), "a, b", "a, b"],
    ["an empty text", text("v", ""), "", ""],
    ["an omitted text", text("v", ""), undefined, undefined],
    ["texts", texts("v", ""), ["a", "b"], ["a", "b"]],
    ["omitted texts", texts("v", ""), undefined, []],
    ["names", names("v", ""), " a ,,b", ["a", "b"]],
    ["names without a name", names("v", ""), " , ", []],
    ["a number", number({ least: 0, most: 9 }, ""), "9", 9],
    ["a number with leading zeros", number({ least: 0, most: 9 }, ""), "007", 7],
    ["a number or none", numberOrNone({ least: 0, most: 9 }, ""), "0", 0],
    ["none as a number", numberOrNone({ least: 0, most: 9 }, ""), "none", null],
    ["a choice", OPTIONS.drift.environment, "testing", "testing"],
    ["a choice of three", OPTIONS.check.failOn, "any", "any"],
  ])("reads %s", (_, { parse }, given, want) => {
    expect(parse(given, "--x")).toEqual(want);
  });

  it.each(["", "8", "-1", "1.5", "1e0", "0x1", " 1", "none", "9".repeat(40)])(
    "error: the number %j",
    (given) => {
      expect(() => number({ least: 0, most: 7 }, "").parse(given, "--port")).toThrow(
        `--port must be an integer from 0 to 7; got "${given}".`,
      );
    },
  );

  it.each(["", "error", "operations", "cosmetic", "Any"])("error: --fail-on %j", (given) => {
    expect(() => OPTIONS.check.failOn.parse(given, "--fail-on")).toThrow(
      `--fail-on must be breaking, risky or any; got "${given}".`,
    );
  });

  it("is written with dashes", () => {
    expect(["port", "failOnHealth", "disableBoolFilters"].map(flagOf)).toEqual([
      "port",
      "fail-on-health",
      "disable-bool-filters",
    ]);
  });

  it("is given unless it is omitted, or false", () => {
    expect([undefined, false, true, "", 0, null].map(isGiven)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
