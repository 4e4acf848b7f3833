import { JsonNumber } from "../styles/served-style.ts";

/** Why a text is not JSON. Each platform renders its own message. */
export type JsonProblem = {
  readonly kind: JsonProblemKind;
  /** Where the problem is, in UTF-16 units; the length of the text if it ends too early. */
  readonly at: number;
  /** Where the token with the problem begins. */
  readonly start: number;
};

type JsonProblemKind =
  | "value"
  | "value-or-end"
  | "key"
  | "key-or-end"
  | "colon"
  | "comma-or-brace"
  | "comma-or-bracket"
  | "end"
  | "word"
  | "string-end"
  | "control-character"
  | "escape"
  | "number"
  | "leading-zero"
  | "depth";

/** Deeper values are left to `JSON.parse`. */
const DEEPEST = 2000;

/**
 * Parses JSON like `JSON.parse`, but keeps the first of two equal keys and the digits of numbers that JavaScript
 * cannot hold. Slow: call it only if `JSON.parse` returns a wrong result or throws.
 */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: JsonProblem } {
  const reader = new Reader(text);
  try {
    return { value: reader.document() };
  } catch (error) {
    if (error instanceof Stop) return { problem: error.problem };
    throw error;
  }
}

/** Ends the parsing; caught in this file. */
class Stop extends Error {
  readonly problem: JsonProblem;
  constructor(problem: JsonProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const WORDS: Readonly<Record<string, readonly [word: string, value: unknown]>> = {
  n: ["null", null],
  t: ["true", true],
  f: ["false", false],
};

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value("value");
    if (this.#peek() !== "") this.#stop("end");
    return value;
  }

  /** The next character that is not white space; empty at the end. */
  #peek(): string {
    while (" \n\r\t".includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at++;
    return this.#text.charAt(this.#at);
  }

  #stop(kind: JsonProblemKind, start = this.#at): never {
    throw new Stop({ kind, at: this.#at, start });
  }

  #value(expected: JsonProblemKind): unknown {
    const first = this.#peek();
    if (first === "{") return this.#nested(() => this.#object());
    if (first === "[") return this.#nested(() => this.#array());
    if (first === '"') return this.#string();
    if (first === "-" || isDigit(first)) return this.#number();
    const word = WORDS[first];
    if (word === undefined) return this.#stop(first === "" ? expected : "value");
    return this.#word(...word);
  }

  #nested(read: () => unknown): unknown {
    if (++this.#depth > DEEPEST) this.#stop("depth");
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): Readonly<Record<string, unknown>> {
    const members = new Map<string, unknown>();
    if (this.#peek() === "}") {
      this.#at++;
      return {};
    }
    for (let expected: JsonProblemKind = "key-or-end"; ; expected = "key") {
      if (this.#peek() !== '"') this.#stop(expected);
      const key = this.#string();
      if (this.#peek() !== ":") this.#stop("colon");
      this.#at++;
      const value = this.#value("value");
      if (!members.has(key)) members.set(key, value);
      if (this.#isLast("}", "comma-or-brace")) return Object.fromEntries(members);
    }
  }

  #array(): readonly unknown[] {
    const items: unknown[] = [];
    if (this.#peek() === "]") {
      this.#at++;
      return items;
    }
    for (let expected: JsonProblemKind = "value-or-end"; ; expected = "value") {
      items.push(this.#value(expected));
      if (this.#isLast("]", "comma-or-bracket")) return items;
    }
  }

  #isLast(end: string, expected: JsonProblemKind): boolean {
    const next = this.#peek();
    if (next !== end && next !== ",") this.#stop(expected);
    this.#at++;
    return next === end;
  }

  #word(word: string, value: unknown): unknown {
    const start = this.#at;
    for (const letter of word) {
      if (this.#text.charAt(this.#at) !== letter) this.#stop("word", start);
      this.#at++;
    }
    return value;
  }

  #string(): string {
    const start = this.#at;
    let value = "";
    for (this.#at++; ; this.#at++) {
      const character = this.#text.charAt(this.#at);
      if (character === "") this.#stop("string-end", start);
      if (character < " ") this.#stop("control-character", start);
      if (character === '"') break;
      value += character === "\\" ? this.#escape(start) : character;
    }
    this.#at++;
    return value;
  }

  #escape(start: number): string {
    this.#at++;
    const letter = this.#text.charAt(this.#at);
    if (letter === "") this.#stop("string-end", start);
    if (letter !== "u") return ESCAPED[letter] ?? this.#stop("escape", start);
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#stop("escape", start);
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): number | JsonNumber {
    const start = this.#at;
    if (this.#text.charAt(start) === "-") this.#at++;
    if (this.#text.charAt(this.#at) === "0") {
      this.#at++;
      if (isDigit(this.#text.charAt(this.#at))) this.#stop("leading-zero", start);
    } else {
      this.#digits(start);
    }
    if (this.#text.charAt(this.#at) === ".") {
      this.#at++;
      this.#digits(start);
    }
    if (/^[eE]$/.test(this.#text.charAt(this.#at))) {
      this.#at++;
      if (/^[-+]$/.test(this.#text.charAt(this.#at))) this.#at++;
      this.#digits(start);
    }
    const text = this.#text.slice(start, this.#at);
    return isExact(text) ? Number(text) : new JsonNumber(text);
  }

  #digits(start: number): void {
    if (!isDigit(this.#text.charAt(this.#at))) this.#stop("number", start);
    while (isDigit(this.#text.charAt(this.#at))) this.#at++;
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character !== "";
}

/** Whether a JavaScript number represents this number exactly: all of up to fifteen digits, and some of more. */
function isExact(text: string): boolean {
  const value = Number(text);
  if (String(value) === text) return true;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  return digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === "");
}

/**
 * Parses JSON with the first of two equal keys and with all digits. `JSON.parse` does the work; the slow parser runs
 * only if one of the two may matter.
 */
export function parseFirstKeyWins(
  text: string,
): { readonly value: unknown } | { readonly problem: JsonProblem } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseJson(text);
  }
  if (!MAY_LOSE_DIGITS.test(text) && !mayRepeatKeys(text, value)) return { value };
  const slow = parseJson(text);
  // The slow parser refuses deeper nesting, which is valid JSON.
  return "value" in slow ? slow : { value };
}

/** A number with many digits or an exponent, in the place of a value. */
const MAY_LOSE_DIGITS = /[:[,]\s*-?(?:[0-9.]{16}|[0-9.]+[eE])/;

/** Counts strings before a colon: at least as many as keys, since a string may contain one. */
function mayRepeatKeys(text: string, value: unknown): boolean {
  return (text.match(/"\s*:/g)?.length ?? 0) > countKeys(value);
}

function countKeys(value: unknown): number {
  const open = [value];
  let count = 0;
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) if (typeof member === "object") open.push(member);
  }
  return count;
}

/** Whether a parsed JSON value is an object: not a list, null or `JsonNumber`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}
