import { messages } from "./messages.ts";
import type { Matcher } from "./posix-regex.ts";
import { literalSource, lowerText } from "./regex-classes.ts";

/**
 * Compiles a LIKE pattern: `%` any text, `_` one character, a backslash takes the next character as it is. A
 * backslash at the end fails, but only with a text that gets as far.
 */
export function compileLike(pattern: string, ignoreCase: boolean): Matcher {
  const tokens = likeTokens(ignoreCase ? lowerText(pattern) : pattern);
  const matches = tokens.at(-1) === DANGLING ? compileDangling(tokens) : compileParts(tokens);
  return ignoreCase ? (text) => matches(lowerText(text)) : matches;
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

/**
 * What stands between two `%` has one length, so that the first place where it fits is as good as any other and
 * nothing is tried twice: a hostile pattern costs no more than length times length.
 */
function compileParts(tokens: readonly LikeToken[]): Matcher {
  const flags = "su";
  const sources = [""];
  for (const token of tokens) {
    if (token === ANY) sources.push("");
    else sources[sources.length - 1] += token === ONE ? "." : literalSource(String(token));
  }
  const [first = "", ...others] = sources;
  const last = others.pop();
  if (last === undefined) {
    const whole = new RegExp(`^${first}$`, flags);
    return (text) => whole.test(text);
  }
  // Where a pattern is open there is nothing to try.
  const start = first === "" ? null : new RegExp(`^${first}`, flags);
  const between = others.filter((source) => source !== "").map((source) => new RegExp(source, `${flags}g`));
  const end = last === "" ? null : new RegExp(`${last}$`, `${flags}g`);
  return (text) => {
    let at = start === null ? 0 : (start.exec(text)?.[0].length ?? -1);
    if (at < 0) return false;
    for (const part of between) {
      part.lastIndex = at;
      if (!part.test(text)) return false;
      at = part.lastIndex;
    }
    if (end === null) return true;
    end.lastIndex = at;
    return end.test(text);
  };
}

/** Matches character by character as the database does, to fail where it fails; it never succeeds. */
function compileDangling(tokens: readonly LikeToken[]): Matcher {
  return (text) => {
    const characters = [...text];
    // The same rest of the pattern fits the same rest of the text in the same way, however it was come by.
    const tried = new Set<number>();
    const open: (readonly [at: number, token: number])[] = [[0, 0]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      let [at, token] = next;
      for (; at < characters.length; at++, token++) {
        const place = at * (tokens.length + 1) + token;
        if (tried.has(place)) break;
        tried.add(place);
        const expected = tokens[token];
        if (expected === DANGLING) throw messages.likeEscapeDangling();
        if (expected === ANY) {
          // Behind it the rest may begin here, or any number of characters later.
          open.push([at + 1, token], [at, token + 1]);
          break;
        }
        if (expected !== ONE && expected !== characters[at]) break;
      }
    }
    return false;
  };
}
