import { createContext, Script } from "node:vm";
import type { Budget } from "../served-style.ts";
import { messages } from "./messages.ts";

/** A character that stands for itself in a JavaScript pattern, in a class as well. */
export function literalSource(character: string): string {
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Letters and digits of any script. */
const ALNUM = "\\p{Alphabetic}\\p{Nd}";

/** What belongs to a word, written for a class. */
export const WORD_MEMBERS = `${ALNUM}_`;

/** Blanks that a line may break at. */
const SPACE = "\\t-\\r\\p{Zl}\\p{Zp}[\\p{Zs}--[\\u00a0\\u2007\\u202f]]";

const GRAPH = `[\\P{Cn}--[\\p{Cc}\\p{Cs}${SPACE}]]`;

/** Named classes of POSIX, written for a class; beyond ASCII as the C library has them in UTF-8. */
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

/** Classes with a letter of their own, written for a class, and whether the letter means all else. */
export const LETTER_CLASSES: Readonly<Record<string, readonly [members: string, negated: boolean]>> = {
  d: ["0-9", false],
  D: ["0-9", true],
  s: [SPACE, false],
  S: [SPACE, true],
  w: [WORD_MEMBERS, false],
  W: [WORD_MEMBERS, true],
};

/** Characters that are written with a backslash and a letter. */
export const LETTER_CHARACTERS: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", B: "\\", e: "\u001b" },
  ...{ f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
};

/** A text in lower case, character by character, as the database has it: no letter becomes two (C.4). */
export function lowerText(text: string): string {
  return BEYOND_ASCII.test(text) ? Array.from(text, lowerCharacter).join("") : text.toLowerCase();
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The character and what it is in either case, which is all that the database takes for it. */
export function caseVariants(character: string): ReadonlySet<string> {
  return new Set([character, lowerCharacter(character), alone(character.toUpperCase(), character)]);
}

function lowerCharacter(character: string): string {
  return character === "İ" ? "i" : alone(character.toLowerCase(), character);
}

function alone(mapped: string, character: string): string {
  return mapped.length > 1 && [...mapped].length > 1 ? character : mapped;
}

/** What a millisecond costs. */
const UNITS_A_MILLISECOND = 2000;

/** Texts of fewer characters are tried in no time, however a pattern goes back and forth. */
const SHORT = 12;

/** Texts of fewer characters are searched for one repetition from every place in no time. */
const LONG = 2000;

/**
 * A test of texts that takes no more time than a request has left. The database matches without trying every way,
 * and JavaScript does not: a pattern as short as `(a+)+$` may keep it busy for ever.
 */
export function createRegexTest(regex: RegExp, budget: Budget): (text: string) => boolean {
  const { source } = regex;
  // Only what can be repeated in more than one way is tried in more than a few.
  const repetitions = source.match(/\)[*+?{]|\\[1-9]/g)?.length ?? 0;
  const harmlessUpTo =
    repetitions === 0 ? Number.POSITIVE_INFINITY : repetitions > 1 || source.includes("|") ? SHORT : LONG;
  return (text) => {
    budget.spend(1 + text.length / 64);
    try {
      return text.length < harmlessUpTo ? regex.test(text) : testInTime(regex, text, budget);
    } catch (error) {
      // What is read late is refused late.
      if (error instanceof SyntaxError) throw messages.regexInvalid("regular expression is too complex");
      throw error;
    }
  };
}

type Box = { regex: RegExp; text: string };

const TEST = new Script("regex.test(text)");
let box: Box | undefined;

/** Only the engine itself can be told to stop a match, and only this way. It costs a tenth of a millisecond. */
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
