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
