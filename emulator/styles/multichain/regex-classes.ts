import { createContext, Script } from "node:vm";
import type { Budget } from "../served-style.ts";
import { messages } from "./messages.ts";

/** Escapes a character for a JavaScript pattern, also inside a class. */
export function literalSource(character: string): string {
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const ALNUM = "\\p{Alphabetic}\\p{Nd}";

/** Word characters, for use in a class. */
export const WORD_MEMBERS = `${ALNUM}_`;

/** White space without non-breaking characters. */
const SPACE = "\\t-\\r\\p{Zl}\\p{Zp}[\\p{Zs}--[\\u00a0\\u2007\\u202f]]";

const GRAPH = `[\\P{Cn}--[\\p{Cc}\\p{Cs}${SPACE}]]`;

/** POSIX classes, for use in a class; beyond ASCII like the C library in UTF-8. */
export const NAMED_CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", ALNUM],
  ["alpha", `[[${ALNUM}]--[0-9]]`],
  ["ascii", "\\x00-\\x7f"],
  ["blank", " \\t"],
  ["cntrl", "\\p{Cc}"],
  ["digit", "0-9"],
  ["graph", GRAPH],
  ["lower", "\\p{Lowercase}\\p{Lt}"],
  ["print", `${GRAPH}\\p{Zs}`],
  ["punct", `[${GRAPH}--[${ALNUM}]]`],
  ["space", SPACE],
  ["upper", "\\p{Uppercase}\\p{Lt}"],
  ["word", WORD_MEMBERS],
  ["xdigit", "0-9A-Fa-f"],
]);

/** Escapes of classes, for use in a class, and whether the escape negates it. */
export const LETTER_CLASSES: Readonly<Record<string, readonly [members: string, negated: boolean]>> = {
  d: ["0-9", false],
  D: ["0-9", true],
  s: [SPACE, false],
  S: [SPACE, true],
  w: [WORD_MEMBERS, false],
  W: [WORD_MEMBERS, true],
};

/** Escapes of single characters. */
export const LETTER_CHARACTERS: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", B: "\\", e: "\u001b" },
  ...{ f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
};

/** Lower-cases each character like the database: one letter never becomes two. */
export function lowerText(text: string): string {
  return BEYOND_ASCII.test(text) ? Array.from(text, lowerCharacter).join("") : text.toLowerCase();
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The character and its upper and lower case, the only variants for the database. */
export function caseVariants(character: string): ReadonlySet<string> {
  return new Set([character, lowerCharacter(character), alone(character.toUpperCase(), character)]);
}

function lowerCharacter(character: string): string {
  return character === "İ" ? "i" : alone(character.toLowerCase(), character);
}

function alone(mapped: string, character: string): string {
  return mapped.length > 1 && [...mapped].length > 1 ? character : mapped;
}

const UNITS_A_MILLISECOND = 2000;

/** Shorter texts are fast even with backtracking. */
const SHORT = 12;

/** In shorter texts, a search for one repetition from every position is fast. */
const LONG = 2000;

/**
 * Creates a test of texts that is limited by the request's budget. The database does not backtrack, but JavaScript
 * does: a pattern as short as `(a+)+$` may run forever.
 */
export function createRegexTest(regex: RegExp, budget: Budget): (text: string) => boolean {
  const { source } = regex;
  // Only patterns with several ways to repeat can be slow.
  const repetitions = source.match(/\)[*+?{]|\\[1-9]/g)?.length ?? 0;
  const harmlessUpTo =
    repetitions === 0 ? Number.POSITIVE_INFINITY : repetitions > 1 || source.includes("|") ? SHORT : LONG;
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

type Box = { regex: RegExp; text: string };

const TEST = new Script("regex.test(text)");
let box: Box | undefined;

/** A timeout of `vm` is the only way to stop a match. It costs a tenth of a millisecond. */
function testInTime(regex: RegExp, text: string, budget: Budget): boolean {
  box ??= createContext(Object.create(null)) as Box;
  Object.assign(box, { regex, text });
  const startedAt = performance.now();
  try {
    const timeout = Math.max(1, Math.ceil(budget.left() / UNITS_A_MILLISECOND));
    return TEST.runInContext(box, { timeout }) as boolean;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw messages.databaseFailed();
    throw error;
  } finally {
    budget.spend((performance.now() - startedAt) * UNITS_A_MILLISECOND);
  }
}
