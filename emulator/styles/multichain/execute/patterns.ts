import type { Budget } from "../../budget.ts";
import { compilePosix, type Matcher } from "./posix-regex.ts";

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
