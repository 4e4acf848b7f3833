import type { Budget } from "../served-style.ts";
import { matchInTime } from "./match-in-time.ts";
import { messages } from "./messages.ts";

export type Matcher = (text: string) => boolean;

/**
 * Compiles the common part of Postgres' regular expressions, which match anywhere in the text.
 *
 * @param budget of the request that matches.
 * @throws QueryError for an invalid expression, and for a valid one that the emulator does not support.
 */
export function compilePosix(pattern: string, ignoreCase: boolean, budget: Budget): Matcher {
  if (/^\*\*\*|^\(\?[a-z]+\)/.test(pattern)) throw messages.regexUnsupported(pattern);
  // Postgres compares letters one to one; other letters also fold in JavaScript.
  if (ignoreCase && BEYOND_ASCII.test(pattern)) throw messages.regexUnsupported(pattern);
  const { source, repetitions } = translate(pattern, ignoreCase);
  let regex: RegExp;
  try {
    regex = new RegExp(source, ignoreCase ? "svi" : "sv");
  } catch {
    throw messages.regexInvalid("unbalanced, or a quantifier without an operand");
  }
  const test = createRegexTest(regex, repetitions, budget);
  return ignoreCase ? (text) => test(text.replace(FOLDED_TO_ASCII, OTHER_LETTER)) : test;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Letters that JavaScript takes for `s` and `k`, Postgres does not. */
const FOLDED_TO_ASCII = /[\u017f\u212a]/g;
const OTHER_LETTER = "\u00df";

/** An escape; a class; the start of a group; a quantifier; a character. */
const TOKEN =
  /\\(?<escaped>.)|\[(?<negation>\^?)(?<members>\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]|\((?<kind>\?(?::|<?[=!]))?|(?<sign>[*+?])\??|\{(?<least>\d+)(?<range>,(?<most>\d*))?\}\??|./suy;

const QUANTIFIER = /[*+?]|\{\d/y;

/** Translates a pattern to JavaScript, and counts its quantifiers. */
function translate(
  pattern: string,
  ignoreCase: boolean,
): { readonly source: string; readonly repetitions: number } {
  let source = "";
  let repetitions = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(pattern); match; match = TOKEN.exec(pattern)) {
    const [token] = match;
    const { escaped, negation, members, kind, sign, least, range, most = "" } = match.groups ?? {};
    const edge = WORD_EDGES[escaped ?? ""];
    if (edge !== undefined) source += edge;
    else if (escaped !== undefined) source += escapedSource(escaped, pattern);
    else if (members !== undefined) source += `[${negation}${membersSource(members, pattern, ignoreCase)}]`;
    else if (sign !== undefined || least !== undefined) {
      if (Number(least ?? 0) > MOST_REPEATED || Number(most) > MOST_REPEATED) {
        throw messages.regexInvalid("invalid repetition count(s)");
      }
      source += sign ?? `{${least}${range ?? ""}}`;
      repetitions++;
    } else if (token.startsWith("(")) source += `(${kind ?? "?:"}`;
    else if (
      token === "\\" ||
      token === "[" ||
      (token === "{" && /\d/.test(pattern.charAt(match.index + 1)))
    ) {
      throw messages.regexInvalid("brackets or escape not complete");
    } else source += "^$.|)".includes(token) ? token : literalSource(token);
    // JavaScript would accept these.
    QUANTIFIER.lastIndex = TOKEN.lastIndex;
    if ((edge ?? sign ?? least) !== undefined && QUANTIFIER.test(pattern)) {
      throw messages.regexInvalid("a quantifier without an operand");
    }
  }
  return { source, repetitions };
}

const MOST_REPEATED = 255;

function escapedSource(character: string, pattern: string): string {
  const members = CLASS_ESCAPES[character];
  if (members !== undefined) return `[${members}]`;
  if (/[A-Za-z0-9]/.test(character)) throw messages.regexUnsupported(pattern);
  return literalSource(character);
}

const MEMBER = /\[:(?<name>\w+):\]|\\(?<escaped>.)|(?<from>[^\\])-(?<to>[^\\])|./suy;

function membersSource(members: string, pattern: string, ignoreCase: boolean): string {
  // A collating element, the old notation of a word's edge, or a range with an escape or a class at one end.
  if (/\[[.=]|\[:\W|.-\\|(?:\\.|:\])-./s.test(members)) throw messages.regexUnsupported(pattern);
  let source = "";
  MEMBER.lastIndex = 0;
  for (let match = MEMBER.exec(members); match; match = MEMBER.exec(members)) {
    const { name, escaped, from, to } = match.groups ?? {};
    if (name !== undefined) {
      const named = CLASSES.get(ignoreCase && /^(?:low|upp)er$/.test(name) ? "alpha" : name);
      if (named === undefined) throw messages.regexUnsupported(pattern);
      source += named;
    } else if (escaped !== undefined) source += escapedSource(escaped, pattern);
    else if (from !== undefined && to !== undefined) {
      const rest = members.slice(MEMBER.lastIndex);
      if (to === "[" || (rest.startsWith("-") && rest !== "-")) throw messages.regexUnsupported(pattern);
      source += `${literalSource(from)}-${literalSource(to)}`;
    } else source += literalSource(match[0]);
  }
  return source;
}

/** Escapes a character for a JavaScript pattern, also inside a class. */
function literalSource(character: string): string {
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const ALNUM = "\\p{Alphabetic}\\p{Nd}";

/** White space without non-breaking characters. */
const SPACE = "\\t-\\r\\p{Zl}\\p{Zp}[\\p{Zs}--[\\u00a0\\u2007\\u202f]]";

/** For use in a class; beyond ASCII like the C library in UTF-8. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", ALNUM],
  ["alpha", `[[${ALNUM}]--[0-9]]`],
  ["digit", "0-9"],
  ["lower", "\\p{Lowercase}\\p{Lt}"],
  ["punct", `[\\P{Cn}--[\\p{Cc}\\p{Cs}${SPACE}${ALNUM}]]`],
  ["space", SPACE],
  ["upper", "\\p{Uppercase}\\p{Lt}"],
]);

const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  d: "0-9",
  D: "[^0-9]",
  s: SPACE,
  S: `[^${SPACE}]`,
  w: `${ALNUM}_`,
  W: `[^${ALNUM}_]`,
};

const IN_WORD = `[${ALNUM}_]`;
const START = `(?<!${IN_WORD})(?=${IN_WORD})`;
const END = `(?<=${IN_WORD})(?!${IN_WORD})`;

const WORD_EDGES: Readonly<Record<string, string>> = { m: START, M: END, y: `(?:${START}|${END})` };

const UNITS_A_MILLISECOND = 2000;

/** Shorter texts are fast even with backtracking. */
const SHORT = 12;

/** In shorter texts, a search for one repetition from every position is fast. */
const LONG = 2000;

/**
 * Creates a test of texts that is limited by the request's budget. The database does not backtrack, but JavaScript
 * does: a pattern as short as `(a+)+$` may run forever.
 *
 * @param repetitions the number of quantifiers.
 */
function createRegexTest(regex: RegExp, repetitions: number, budget: Budget): Matcher {
  // Only patterns with several ways to repeat can be slow.
  const harmlessUpTo =
    repetitions === 0
      ? Number.POSITIVE_INFINITY
      : repetitions > 1 || regex.source.includes("|")
        ? SHORT
        : LONG;
  return (text) => {
    budget.spend(1 + text.length / 64);
    try {
      return text.length < harmlessUpTo ? regex.test(text) : testInTime(regex, text, budget);
    } catch (error) {
      // Postgres reports these errors late too.
      if (error instanceof SyntaxError) throw messages.regexInvalid("regular expression is too complex");
      throw error;
    }
  };
}

function testInTime(regex: RegExp, text: string, budget: Budget): boolean {
  const startedAt = performance.now();
  try {
    const isMatch = matchInTime(regex, text, Math.max(1, Math.ceil(budget.left() / UNITS_A_MILLISECOND)));
    if (isMatch === null) throw messages.databaseFailed();
    return isMatch;
  } finally {
    budget.spend((performance.now() - startedAt) * UNITS_A_MILLISECOND);
  }
}
