import { JsonNumber } from "../../styles/served-style.ts";
import { isObject, type JsonProblem, parseJson } from "../parse-json.ts";

/** Parses JSON as the library of node and gateway does, which refuses lone surrogates and deep nesting. */
export function parseBody(text: string): { readonly value: unknown } | { readonly problem: string } {
  const deep = findDeep(text);
  let value: unknown;
  try {
    value = MAY_LOSE_DIGITS.test(text) ? parseWithDigits(text) : JSON.parse(text);
  } catch {
    return { problem: describeProblem(text, deep) };
  }
  const problem = findHalf(text) ?? (deep === null ? null : placed(END_WORDS.depth, text, deep));
  return problem === null ? { value } : { problem };
}

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

/** Returns where the first level too many begins. */
function findDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > DEEPEST) return index;
  }
  return null;
}

/** Returns the message for the first escape of a lone surrogate, with the position where the library notices it. */
function findHalf(text: string): string | null {
  if (!/\\u[dD]/.test(text)) return null;
  for (const { 0: found, index } of text.matchAll(/\\(?:u[dD][89abAB]..(?:\\u.{4}|\\.|.)|u.{4}|.)/gs)) {
    const [first = 0, second] = [...found.matchAll(/\\u(.{4})/g)].map(([, hex]) =>
      Number.parseInt(hex ?? "", 16),
    );
    if (first < 0xd800 || first > 0xdfff || (first < 0xdc00 && second !== undefined && second >> 10 === 0x37))
      continue;
    const words =
      first < 0xdc00 && second === undefined
        ? "unexpected end of hex escape"
        : "lone leading surrogate in hex escape";
    return placed(words, text, index + found.length - 1);
  }
  return null;
}

/** Returns the message for a text that is not JSON: lines from one, and bytes of the line up to the unexpected one. */
function describeProblem(text: string, deep: number | null): string {
  const parsed = parseJson(text);
  if ("value" in parsed || (deep !== null && deep < parsed.problem.at)) {
    return placed(END_WORDS.depth, text, deep ?? text.length);
  }
  const { kind, at, start } = parsed.problem;
  const isAtEnd = at >= text.length;
  // A text that does not begin like JSON gets the generic message (C.2).
  if (kind === "word" && !isAtEnd && text.slice(0, start).trim() === "") {
    return placed(WORDS.value, text, start);
  }
  const words = isAtEnd ? END_WORDS[kind] : wordsAt(parsed.problem, text);
  return placed(words, text, at);
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

/** Appends the position, with the byte at `at` as the last one read, unless the text ends there. */
function placed(words: string, text: string, at: number): string {
  const isLineFeed = text.charAt(at) === "\n";
  const lines = text.slice(0, isLineFeed ? at + 1 : at).split("\n");
  const column = Buffer.byteLength(lines.at(-1) ?? "") + (isLineFeed || at >= text.length ? 0 : 1);
  return `${words} at line ${lines.length} column ${column}`;
}
