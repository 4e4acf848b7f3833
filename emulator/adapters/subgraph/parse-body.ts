import { JsonNumber } from "../../styles/served-style.ts";
import { isObject, type JsonProblem, parseJson } from "../parse-json.ts";

/** Parses JSON as the library of node and gateway does, which refuses lone surrogates and deep nesting. */
export function parseBody(text: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown;
  let broken: Problem | null = null;
  try {
    value = MAY_LOSE_DIGITS.test(text) ? parseWithDigits(text) : JSON.parse(text);
  } catch {
    broken = findBroken(text);
  }
  const problems = [findHalf(text), broken, findDeep(text)].filter((problem) => problem !== null);
  const [first] = problems.sort((a, b) => a.read - b.read);
  return first === undefined ? { value } : { problem: describeProblem(first, text) };
}

/** An error of the library, and how many bytes it has read before. */
type Problem = { readonly words: string; readonly read: number };

/** A number with more than ten digits, a point or an exponent, in the place of a value. */
const MAY_LOSE_DIGITS = /(?:[:[,]|^)\s*-?\d*(?:\d{10}|\d[.eE])/;

/** Keeps the digits of numbers, with the same marker that the library uses. */
function parseWithDigits(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\w.+-]*/gs, (token) =>
    /^"|^-?\d{1,9}$/.test(token) ? token : `{"${MARK}":${JSON.stringify(token)}}`,
  );
  JSON.parse(text);
  return JSON.parse(marked, (_, value) =>
    isObject(value) && typeof value[MARK] === "string" ? new JsonNumber(value[MARK]) : value,
  );
}

const MARK = "$serde_json::private::Number";

/** The library accepts 127 levels of nesting. */
const DEEPEST = 127;

/** The first level of nesting too many. */
function findDeep(text: string): Problem | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > DEEPEST) return { words: END_WORDS.depth, read: readUpTo(index, text) };
  }
  return null;
}

/** The first escape of a lone surrogate, as far as the library reads to notice it. */
function findHalf(text: string): Problem | null {
  if (!/\\u[dD]/.test(text)) return null;
  for (const { 0: found, 1: high, 2: next = "", 3: only, index } of text.matchAll(ESCAPES)) {
    const second = next.startsWith("\\u") ? Number.parseInt(next.slice(2), 16) : null;
    const words =
      high !== undefined && second === null
        ? "unexpected end of hex escape"
        : "lone leading surrogate in hex escape";
    const isHalf = high === undefined ? /^d[c-f]/i.test(only ?? "") : (second ?? 0) >> 10 !== 0x37;
    if (isHalf) return { words, read: readUpTo(index + found.length - 1, text) };
  }
  return null;
}

/** An escape: the first half of a surrogate pair with what follows it, any other code, or one character. */
const ESCAPES = /\\(?:u([dD][89abAB][\da-fA-F]{2})(\\u[\da-fA-F]{4}|\\[^u]|[^\\])|u([\da-fA-F]{4})|.)/gs;

/** Why a text is not JSON. */
function findBroken(text: string): Problem {
  const parsed = parseJson(text);
  const size = Buffer.byteLength(text);
  if ("value" in parsed) return { words: END_WORDS.depth, read: size };
  const { kind, at, start } = parsed.problem;
  if (at >= text.length) return { words: END_WORDS[kind], read: size };
  // A text that does not begin like JSON gets the generic message.
  if (kind === "word" && text.slice(0, start).trim() === "") {
    return { words: WORDS.value, read: readUpTo(start, text) };
  }
  const read = readUpTo(at, text);
  if (kind !== "escape" || text.charAt(at) !== "u") return { words: wordsAt(parsed.problem, text), read };
  // The library reads all four bytes of a code before it looks at them.
  return read + 4 > size ? { words: END_WORDS.escape, read: size } : { words: WORDS.escape, read: read + 4 };
}

const END_WORDS: Readonly<Record<JsonProblem["kind"], string>> = {
  value: "EOF while parsing a value",
  "value-or-end": "EOF while parsing a list",
  key: "EOF while parsing a value",
  "key-or-end": "EOF while parsing an object",
  colon: "EOF while parsing an object",
  "comma-or-brace": "EOF while parsing an object",
  "comma-or-bracket": "EOF while parsing a list",
  end: "trailing characters",
  word: "EOF while parsing a value",
  "string-end": "EOF while parsing a string",
  "control-character": "EOF while parsing a string",
  escape: "EOF while parsing a string",
  number: "EOF while parsing a value",
  "leading-zero": "invalid number",
  depth: "recursion limit exceeded",
};

const WORDS: Readonly<Record<JsonProblem["kind"], string>> = {
  ...END_WORDS,
  value: "expected value",
  "value-or-end": "expected value",
  key: "key must be a string",
  "key-or-end": "key must be a string",
  colon: "expected `:`",
  "comma-or-brace": "expected `,` or `}`",
  "comma-or-bracket": "expected `,` or `]`",
  word: "expected ident",
  "control-character": "control character (\\u0000-\\u001F) found while parsing a string",
  escape: "invalid escape",
  number: "invalid number",
};

function wordsAt({ kind, at }: JsonProblem, text: string): string {
  const found = text.charAt(at);
  const isTrailing = (kind === "value" && found === "]") || (kind === "key" && found === "}");
  return isTrailing && text.slice(0, at).trimEnd().endsWith(",") ? "trailing comma" : WORDS[kind];
}

/** The number of bytes up to a character, with its first byte. */
function readUpTo(at: number, text: string): number {
  return Buffer.byteLength(text.slice(0, at)) + 1;
}

/** Appends the position: lines from one, and the bytes of the line that were read. */
function describeProblem({ words, read }: Problem, text: string): string {
  const lines = Buffer.from(text).subarray(0, read).toString("latin1").split("\n");
  return `${words} at line ${lines.length} column ${lines.at(-1)?.length ?? 0}`;
}
