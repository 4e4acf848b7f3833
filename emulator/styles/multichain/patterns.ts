import { compileLikePattern } from "../like.ts";
import type { Budget } from "../served-style.ts";
import { messages } from "./messages.ts";
import { compilePosix, type Matcher } from "./posix-regex.ts";

/** Compiles a LIKE or ILIKE pattern. One that ends with a backslash fails on some rows, and is not supported. */
export function compileLike(pattern: string, ignoreCase: boolean): Matcher {
  const fail = (): never => {
    throw messages.likeUnsupported(pattern);
  };
  if (/^(?:[^\\]|\\.)*\\$/s.test(pattern)) fail();
  if (!ignoreCase) return compileLikePattern(pattern, fail);
  const matches = compileLikePattern(lowerText(pattern), fail);
  return (text) => matches(lowerText(text));
}

/** Lower-cases each character like the database: one letter never becomes two. */
function lowerText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return Array.from(text, (character) => (character === "İ" ? "i" : character.toLowerCase())).join("");
}

/** Compiles a SQL regular expression: LIKE with `|`, `*`, `+`, `?`, `{m,n}`, groups and classes. */
export function compileSimilar(pattern: string, budget: Budget): Matcher {
  return compilePosix(`^(?:${posixOfSimilar(pattern)})$`, false, budget);
}

function posixOfSimilar(pattern: string): string {
  let source = "";
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? "";
    if (character === "\\") {
      const next = pattern[++index];
      if (next !== undefined) source += `\\${next}`;
    } else if (inClass) {
      inClass = character !== "]";
      source += character;
    } else if (character === "[") {
      const start = /^\[\^?\]?/.exec(pattern.slice(index))?.[0] ?? "[";
      inClass = true;
      source += start;
      index += start.length - 1;
    } else if (character === "%") source += ".*";
    else if (character === "_") source += ".";
    else if (character === "(") source += "(?:";
    else source += ".^$".includes(character) ? `\\${character}` : character;
  }
  return source;
}
