import { describe, expect, it } from "vitest";
import { compileSimilar } from "../../../../emulator/styles/multichain/column-filter.ts";
import { compileLike } from "../../../../emulator/styles/multichain/patterns.ts";
import { compilePosix } from "../../../../emulator/styles/multichain/posix-regex.ts";
import { createBudget } from "../../../../emulator/styles/served-style.ts";

const BUDGET = createBudget(Number.POSITIVE_INFINITY, () => {
  throw new Error("there is no end to it");
});

/** Returns the matching texts in order. */
const matching = (matcher: (text: string) => boolean, texts: string): string =>
  texts.split(" ").filter(matcher).join(" ");

describe("POSIX regular expressions", () => {
  it.each([
    ["matches anywhere", "b", "abc b a", "abc b"],
    ["alternatives with an empty one", "^(?:a||c)$", "a b c", "a c"],
    ["bounds", "^a{2,3}$", "a aa aaa aaaa", "aa aaa"],
    ["a brace without a digit is literal", "^a{,2}$", "a a{,2}", "a{,2}"],
    ["named classes", "^[[:upper:][:digit:]]+$", "A1 a1 AB", "A1 AB"],
    ["a bracket at the start of a class is literal", "^[]a]+$", "]a ]] b", "]a ]]"],
    ["a bracket at the start of a negated class is literal", "^[^]a]$", "] a b", "b"],
    ["a hyphen at the end of a class", "^[a-]+$", "a-a ab", "a-a"],
    ["class escapes", "^\\d\\w$", "1a a1 1-", "1a"],
    ["class escapes inside a class", "^[\\d_]+$", "1_ a_", "1_"],
    ["the start and the end of a word", "^\\mab\\M", "ab abc ab-c", "ab ab-c"],
    ["word boundaries and non-boundaries", "\\yb\\Y", "ab bc a-bc", "bc a-bc"],
    ["the start and the end of the text", "\\Aa\\Z", "a ab ba", "a"],
    ["code points", "^\\u0061\\x62$", "ab ba", "ab"],
    ["a backslash", "^a\\Bb$", "a\\b ab", "a\\b"],
    ["a back reference", "^(.)\\1$", "aa ab", "aa"],
    ["a negative lookahead", "^a(?!b)", "ab ac a", "ac a"],
    ["a non-greedy quantifier", "^a+?$", "a aa b", "a aa"],
    ["collating elements", "^[[.a.][=b=]]+$", "ab c", "ab"],
    ["letters of any script", "^\\w+$", "é-é éé", "éé"],
    ["an option", "(?i)^A$", "a A b", "a A"],
    ["a negated class escape inside a class", "^[\\Wa]+$", "a- ab", "a-"],
    ["the older notation for the start and the end of a word", "^[[:<:]]a[[:>:]]", "a-b ab", "a-b"],
    ["digits of other scripts are letters, fractions are not", "^[[:alpha:]]$", "a 1 ٣ Ⅷ ½", "a ٣ Ⅷ"],
    ["a non-breaking space is not a space", "^[[:space:]]$", "\u00a0 \u3000", "\u3000"],
    ["a non-boundary is never inside a surrogate pair", "^\\Y|\\Y$|a\\Y", "𐐀 a", ""],
    ["a literal", "***=a.b", "a.b axb", "a.b"],
    ["an expanded expression", "(?x)^ a b $ # both", "ab a", "ab"],
  ])("%s", (_name, pattern, texts, want) => {
    expect(matching(compilePosix(pattern, false, BUDGET), texts)).toBe(want);
  });

  it.each([
    ["a letter matches its upper and lower case", "^s$", "s S ſ", "s S"],
    ["a letter with the lower case of another letter", "^İ$", "İ i I ı", "İ i"],
    ["the ends of a range", "^[a-k]$", "A K \u212a l", "A K"],
    ["a class of one case matches both", "^[[:upper:]]+$", "a A é 1", "a A é"],
    ["a back reference", "^(a)\\1$", "aA ab", "aA"],
  ])("ignoring case, %s", (_name, pattern, texts, want) => {
    expect(matching(compilePosix(pattern, true, BUDGET), texts)).toBe(want);
  });

  it("a dot matches a newline unless the newline-sensitive mode is on", () => {
    expect(compilePosix("^a.b$", false, BUDGET)("a\nb")).toBe(true);
    expect(compilePosix("(?n)^a.b$", false, BUDGET)("a\nb")).toBe(false);
    expect(compilePosix("(?n)^b$", false, BUDGET)("a\nb")).toBe(true);
    expect(compilePosix("^b$", false, BUDGET)("a\nb")).toBe(false);
  });

  it.each([
    ["(a", "parentheses () not balanced"],
    ["a)", "parentheses () not balanced"],
    ["[a", "brackets [] not balanced"],
    ["a{2", "braces {} not balanced"],
    ["*a", "quantifier operand invalid"],
    ["a**", "quantifier operand invalid"],
    ["^*", "quantifier operand invalid"],
    ["a{3,2}", "invalid repetition count(s)"],
    ["a{256}", "invalid repetition count(s)"],
    ["[b-a]", "invalid character range"],
    ["[[:nope:]]", "invalid character class"],
    ["[[.ab.]]", "invalid collating element"],
    ["\\q", "invalid escape \\ sequence"],
    ["a\\", "invalid escape \\ sequence"],
    ["\\1", "invalid backreference number"],
  ])("%s: %s", (pattern, reason) => {
    expect(() => compilePosix(pattern, false, BUDGET)).toThrow(`invalid regular expression: ${reason}`);
  });
});

describe("SQL regular expressions", () => {
  it.each([
    ["matches the whole text", "a|b", "a ab b", "a b"],
    ["wildcards", "a%_", "a ab abc", "ab abc"],
    ["dots and anchors are literal", "a.^$", "a.^$ ab", "a.^$"],
    ["repetition", "a{2}(b|c)+", "aab aabc ab", "aab aabc"],
    ["classes", "[a-c%]", "a d %", "a %"],
    ["a bracket at the start of a class is literal", "[]a]", "] a b", "] a"],
    ["an escaped wildcard", "a\\%", "a% ab", "a%"],
  ])("%s", (_name, pattern, texts, want) => {
    expect(matching(compileSimilar(pattern, BUDGET), texts)).toBe(want);
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

  it.each([
    ["a trailing backslash that is never reached", "b\\", "a", false],
    ["a trailing backslash at the end of a text", "a\\", "a", false],
    ["a trailing backslash with an empty text", "\\", "", false],
  ])("%s does not throw", (_name, pattern, text, want) => {
    expect(compileLike(pattern, false)(text)).toBe(want);
  });

  it.each([
    ["a\\", "ab"],
    ["\\", "a"],
    ["%\\", "abc"],
    ["a%c\\", "abcd"],
  ])("%s fails with %s", (pattern, text) => {
    expect(() => compileLike(pattern, false)(text)).toThrow(
      "LIKE pattern must not end with escape character",
    );
  });
});
