import { messages } from "./messages.ts";
import { literalSource, type Matcher } from "./posix-regex.ts";

/**
 * Compiles a LIKE pattern: `%` any text, `_` one character, a backslash escapes the next character. A trailing
 * backslash fails, but only for a text that gets that far.
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
 * The parts between two `%` have a fixed length, so the first match of each is as good as any other and there is no
 * backtracking: a hostile pattern costs at most length times length.
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
  // An open end needs no match.
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

/** Matches character by character like the database, to fail where it fails; never succeeds. */
function compileDangling(tokens: readonly LikeToken[]): Matcher {
  return (text) => {
    const characters = [...text];
    // A pair of positions needs one attempt only, however it was reached.
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
          // The rest may begin here, or any number of characters later.
          open.push([at + 1, token], [at, token + 1]);
          break;
        }
        if (expected !== ONE && expected !== characters[at]) break;
      }
    }
    return false;
  };
}

/** Lower-cases each character like the database: one letter never becomes two. */
function lowerText(text: string): string {
  return BEYOND_ASCII.test(text) ? Array.from(text, lowerCharacter).join("") : text.toLowerCase();
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function lowerCharacter(character: string): string {
  return character === "İ" ? "i" : alone(character.toLowerCase(), character);
}

function alone(mapped: string, character: string): string {
  return mapped.length > 1 && [...mapped].length > 1 ? character : mapped;
}
