import { describe, expect, it } from "vitest";
import { compileLike, compileSimilar } from "../../../../emulator/styles/multichain/patterns.ts";
import { compilePosix, type Matcher } from "../../../../emulator/styles/multichain/posix-regex.ts";
import { createBudget } from "../../../../emulator/styles/served-style.ts";

const BUDGET = createBudget(() => {
  throw new Error("there is no end to it");
}, Number.POSITIVE_INFINITY);

function compile(operator: string, pattern: string): Matcher {
  return operator === "_similar"
    ? compileSimilar(pattern, BUDGET)
    : compilePosix(pattern, operator === "_iregex", BUDGET);
}

/** Returns the matching texts in order. */
const matching = (matcher: (text: string) => boolean, texts: string): string =>
  texts.split(" ").filter(matcher).join(" ");

describe("regular expressions", () => {
  it.each([
    ["_regex", "b", "abc b", "ac"],
    ["_regex", "^(?:a||c)$", "a c", "b"],
    ["_regex", "^a{2,3}$", "aa aaa", "a aaaa"],
    ["_regex", "^a{,2}$", "a{,2}", "a aa"],
    ["_regex", "^[[:upper:][:digit:]]+$", "A1 AB", "a1"],
    ["_regex", "^[^[:lower:]]$", "A 1", "a"],
    ["_regex", "^[]a]+$", "]a ]]", "b"],
    ["_regex", "^[^]a]$", "b", "] a"],
    ["_regex", "^[a-]+$", "a-a", "ab"],
    ["_regex", "^[a-c-]$", "b -", "d"],
    ["_regex", "^\\d\\w$", "1a", "a1 1-"],
    ["_regex", "^[-\\d_]+$", "1_ -", "a_"],
    ["_regex", "^[\\Wa]+$", "a-", "ab"],
    ["_regex", "^a(?!b)", "ac a", "ab"],
    ["_regex", "^a+?$", "a aa", "b"],
    ["_regex", "^a\\.\\[$", "a.[", "ab["],
    ["_regex", "^\\w+$", "éé", "é-é"],
    ["_regex", "^[[:alpha:]]$", "a ٣ Ⅷ", "1 ½"],
    ["_regex", "^[[:space:]]$", "\u3000", "\u00a0"],
    ["_regex", "\\mab\\M", "ab ab-c", "abc"],
    ["_regex", "\\yb", "b a-b", "ab"],
    ["_regex", "^a.b$", "a\nb", "ab"],
    ["_iregex", "^s$", "s S", "ſ"],
    ["_iregex", "^[a-k]$", "A K", "\u212a l"],
    ["_iregex", "^[[:upper:]]+$", "a A é", "1"],
    ["_similar", "a|b", "a b", "ab"],
    ["_similar", "a%_", "ab abc", "a"],
    ["_similar", "a.^$", "a.^$", "ab"],
    ["_similar", "a{2}(b|c)+", "aab aabc", "ab"],
    ["_similar", "[a-c%]", "a %", "d"],
    ["_similar", "[]a]", "] a", "b"],
    ["_similar", "a\\%", "a%", "ab"],
  ])("%s %s matches %j, not %j", (operator, pattern, matched, others) => {
    const matches = compile(operator, pattern);
    expect([matching(matches, matched), matching(matches, others)]).toEqual([matched, ""]);
  });

  it.each(["(a", "a)", "[a", "a{2", "*a", "a**", "a+??", "^*", "\\y*", "a{3,2}", "a{256}", "[b-a]", "a\\"])(
    "%s is invalid",
    (pattern) => {
      expect(() => compile("_regex", pattern)).toThrow("invalid regular expression: ");
    },
  );

  it.each([
    ...["(?i)^A$", "***=a.b", "(.)\\1", "a\\Y", "\\Aa\\Z", "\\x41", "\\q"],
    ...["[[.a.]]", "[[=b=]]", "[[:<:]]a", "[[:print:]]", "[[:nope:]]", "[a-\\d]", "[\\.-z]", "[a-b-c]"],
    ...["[a-[:digit:]]", "[[:alpha:]-z]"],
  ])("%s is not supported", (pattern) => {
    const message = `the emulator does not support the regular expression ${JSON.stringify(pattern)}`;
    expect(() => compile("_regex", pattern)).toThrow(message);
  });

  it("letters beyond ASCII are not supported if case is ignored", () => {
    expect(() => compile("_iregex", "é")).toThrow("the emulator does not support");
  });
});

describe("LIKE", () => {
  it.each([
    ["any text and one character", "a%c_", "abcd acd abc", "abcd acd"],
    ["an escaped wildcard", "a\\_b", "a_b axb", "a_b"],
    ["one character above U+FFFF", "_", "𝄞 ab", "𝄞"],
  ])("%s", (_name, pattern, texts, want) => {
    expect(matching(compileLike(pattern, false), texts)).toBe(want);
  });

  it.each([
    ["in lower case, letter by letter", "Σ", "Σ σ ς", "Σ σ"],
    ["without other letters of the same upper case", "s%", "S ſ", "S"],
    ["by their single lower-case letter", "İ", "i İ ı", "i İ"],
  ])("ignoring case, texts are compared %s", (_name, pattern, texts, want) => {
    expect(matching(compileLike(pattern, true), texts)).toBe(want);
  });

  it.each(["a\\", "\\", "%\\", "a\\\\\\"])("%s, which ends with a backslash, is not supported", (pattern) => {
    const message = `the emulator does not support a LIKE pattern that ends with a backslash: ${JSON.stringify(pattern)}`;
    expect(() => compileLike(pattern, false)).toThrow(message);
  });
});
