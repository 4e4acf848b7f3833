import { likeEscapeDangling } from "./messages.ts";
import { compilePosix, type Matcher } from "./posix-regex.ts";
import { literalSource } from "./regex-classes.ts";

/**
 * Compiles a LIKE pattern: `%` any text, `_` one character, a backslash takes the next character as it is. A
 * backslash at the end fails, but only with a text that gets as far.
 */
export function compileLike(pattern: string, ignoreCase: boolean): Matcher {
  const tokens = likeTokens(pattern);
  if (tokens.at(-1) === DANGLING) return compileDangling(tokens);
  const source = tokens
    .map((token) => (token === ANY ? ".*" : token === ONE ? "." : literalSource(String(token))))
    .join("");
  const compiled = new RegExp(`^${source}$`, ignoreCase ? "siu" : "su");
  return (text) => compiled.test(text);
}

/** Compiles a SQL regular expression: LIKE with `|`, `*`, `+`, `?`, `{m,n}`, groups and classes. */
export function compileSimilar(pattern: string): Matcher {
  return compilePosix(`^(?:${posixOfSimilar(pattern)})$`, false);
}

/** Compiles a POSIX regular expression, which matches anywhere in the text. */
export function compileRegex(pattern: string, ignoreCase: boolean): Matcher {
  return compilePosix(pattern, ignoreCase);
}

const ANY = Symbol("%");
const ONE = Symbol("_");
const DANGLING = Symbol("\\");

type LikeToken = string | typeof ANY | typeof ONE | typeof DANGLING;

function likeTokens(pattern: string): readonly LikeToken[] {
  const tokens: LikeToken[] = [];
  const characters = [...pattern];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? "";
    if (character === "\\") tokens.push(characters[++index] ?? DANGLING);
    else tokens.push(character === "%" ? ANY : character === "_" ? ONE : character);
  }
  return tokens;
}

/** Matches character by character as the database does, to fail where it fails; it never succeeds. */
function compileDangling(tokens: readonly LikeToken[]): Matcher {
  function match(characters: readonly string[], at: number, token: number): void {
    for (; at < characters.length; at++, token++) {
      const expected = tokens[token];
      if (expected === DANGLING) throw likeEscapeDangling();
      if (expected === ANY) {
        for (let from = at; from < characters.length; from++) match(characters, from, token + 1);
        return;
      }
      if (expected !== ONE && expected !== characters[at]) return;
    }
  }
  return (text) => {
    match([...text], 0, 0);
    return false;
  };
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
