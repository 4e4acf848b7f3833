/** A character that stands for itself in a JavaScript pattern, in a class as well. */
export function literalSource(character: string): string {
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** What belongs to a word, written for a class. */
export const WORD_MEMBERS = "\\p{L}\\p{N}_";

/** Named classes of POSIX, written for a class. */
export const NAMED_CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "\\p{L}\\p{N}"],
  ["alpha", "\\p{L}"],
  ["ascii", "\\x00-\\x7f"],
  ["blank", " \\t"],
  ["cntrl", "\\p{Cc}"],
  ["digit", "0-9"],
  ["graph", "!-~\\p{L}\\p{N}"],
  ["lower", "\\p{Ll}"],
  ["print", " -~\\p{L}\\p{N}"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\s"],
  ["upper", "\\p{Lu}"],
  ["word", WORD_MEMBERS],
  ["xdigit", "0-9A-Fa-f"],
]);

/** Classes with a letter of their own, written for a class, and whether the letter means all else. */
export const LETTER_CLASSES: Readonly<Record<string, readonly [members: string, negated: boolean]>> = {
  d: ["0-9", false],
  D: ["0-9", true],
  s: ["\\s", false],
  S: ["\\s", true],
  w: [WORD_MEMBERS, false],
  W: [WORD_MEMBERS, true],
};

/** Characters that are written with a backslash and a letter. */
export const LETTER_CHARACTERS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  B: "\\",
  e: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
