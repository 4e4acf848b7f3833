import { messages, refuse } from "./messages.ts";

/**
 * SQL's `LIKE`: `%` matches any text, `_` one character, and a backslash escapes the next character. Values of filters
 * are patterns because the server never escapes them.
 */
export function matchesLike(pattern: string): (text: string) => boolean {
  const plain = /^(%?)([^%_\\]*)(%?)$/.exec(pattern);
  if (plain) {
    // Most patterns are plain text with open ends, which string functions match.
    const [, before, text = "", after] = plain;
    if (before && after) return (given) => given.includes(text);
    if (before) return (given) => given.endsWith(text);
    if (after) return (given) => given.startsWith(text);
    return (given) => given === text;
  }
  const parts = parsePattern(pattern);
  return (text) => matches(parts, [...text]);
}

/** Compiles a comparison of text with a value, which is a pattern. */
export function likeTest(
  kind: "contains" | "starts_with" | "ends_with",
  value: string,
  nocase: boolean,
): (text: string) => boolean {
  const pattern =
    kind === "contains" ? containsPattern(value) : kind === "starts_with" ? `${value}%` : `%${value}`;
  if (!nocase) return matchesLike(pattern);
  const matches = matchesLike(foldAscii(pattern));
  return (text) => matches(foldAscii(text));
}

/** The pattern of "contains": a value with its own `%` at either end stays unchanged. */
function containsPattern(value: string): string {
  return value.startsWith("%") || value.endsWith("%") ? value : `%${value}%`;
}

/** Lower-cases ASCII letters only, like `ILIKE` in the `C` locale. */
export function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const ANY = Symbol("%");
const ONE = Symbol("_");
/** A trailing backslash escapes nothing, which the database reports when it gets there. */
const NOTHING = Symbol("\\");

type Part = string | typeof ANY | typeof ONE | typeof NOTHING;

function parsePattern(pattern: string): readonly Part[] {
  return [...pattern.matchAll(/\\(.?)|./gsu)].map(([written, literal]) => {
    if (literal !== undefined) return literal || NOTHING;
    return written === "%" ? ANY : written === "_" ? ONE : written;
  });
}

/** Greedy with one backtracking point, so that a hostile pattern costs at most length times length. */
function matches(parts: readonly Part[], text: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let returnPart = -1;
  let returnAt = 0;
  while (at < text.length) {
    const current = parts[part];
    if (current === NOTHING) return refuse(messages.store(DANGLING));
    if (current === ANY) {
      returnPart = ++part;
      returnAt = at;
    } else if (current === ONE || (current !== undefined && current === text[at])) {
      part++;
      at++;
    } else if (returnPart >= 0) {
      part = returnPart;
      at = ++returnAt;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === ANY);
}

const DANGLING = "LIKE pattern must not end with escape character";
