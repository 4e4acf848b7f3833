import { type JsonProblem, parseJson } from "../json/parse-json.ts";

/**
 * What the node's JSON library says of a text that is no JSON. It counts lines from one and bytes of a line,
 * up to and with the one it does not like.
 */
export function describeJsonProblem(text: string): string {
  const parsed = parseJson(text);
  if ("value" in parsed) return placed("recursion limit exceeded", text, text.length);
  const { kind, at, start } = parsed.problem;
  const isAtEnd = at >= text.length;
  // A text that begins like no JSON at all gets the words everybody knows (C.2).
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

/** Says where, with the byte at `at` for the last one read; at the end of a text there is none. */
function placed(words: string, text: string, at: number): string {
  const isLineFeed = text.charAt(at) === "\n";
  const lines = text.slice(0, isLineFeed ? at + 1 : at).split("\n");
  const column = Buffer.byteLength(lines.at(-1) ?? "") + (isLineFeed || at >= text.length ? 0 : 1);
  return `${words} at line ${lines.length} column ${column}`;
}
