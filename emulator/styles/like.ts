/**
 * Compiles a pattern of SQL's `LIKE`: `%` matches any text, `_` one character, and a backslash escapes the next
 * character.
 *
 * @param failAtEnd is called if a match reaches a backslash at the end of the pattern, which the database reports.
 */
export function compileLikePattern(pattern: string, failAtEnd: () => never): (text: string) => boolean {
  const plain = /^(%?)([^%_\\]*)(%?)$/.exec(pattern);
  if (plain) {
    // Most patterns are plain text with open ends, which string functions match.
    const [, before, part = "", after] = plain;
    if (before && after) return (text) => text.includes(part);
    if (before) return (text) => text.endsWith(part);
    if (after) return (text) => text.startsWith(part);
    return (text) => text === part;
  }
  const parts = parsePattern(pattern);
  return (text) => matches(parts, [...text], failAtEnd);
}

const ANY = Symbol("%");
const ONE = Symbol("_");
const END = Symbol("\\");

type Part = string | typeof ANY | typeof ONE | typeof END;

function parsePattern(pattern: string): readonly Part[] {
  return [...pattern.matchAll(/\\(.?)|./gsu)].map(([written, literal]) => {
    if (literal !== undefined) return literal || END;
    return written === "%" ? ANY : written === "_" ? ONE : written;
  });
}

/** Greedy with one backtracking point, so that a hostile pattern costs at most length times length. */
function matches(parts: readonly Part[], text: readonly string[], failAtEnd: () => never): boolean {
  let part = 0;
  let at = 0;
  let returnPart = -1;
  let returnAt = 0;
  while (at < text.length) {
    const current = parts[part];
    if (current === END) return failAtEnd();
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
