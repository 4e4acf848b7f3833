import type { ErrorEntry } from "./messages.ts";
import { showCharacter, showText } from "./scalars.ts";

/** The kinds of token that the server's parser names in its errors. */
type QueryTokenKind = "Punctuator" | "Name" | "IntValue" | "FloatValue" | "StringValue" | "BlockString";

export type QueryToken = {
  readonly kind: QueryTokenKind;
  /** As written, quotes included. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
};

/** A position without a valid token, and the line of the error with the reason. */
export type LexicalError = {
  readonly kind: "LexicalError";
  readonly unexpected: string | null;
  /** The last line of the error. */
  readonly note: string | null;
  readonly line: number;
  readonly column: number;
};

/** Reads tokens lazily, so that the first error of a text is the reported one. */
type TokenStream = {
  readonly peek: () => QueryToken | LexicalError;
  readonly next: () => QueryToken | LexicalError;
};

/** The nesting limit of brackets of any kind. */
const MAX_NESTING = 50;

/** The columns of a tab. */
const TAB_WIDTH = 8;

/**
 * Creates the tokens of a query as the server's parser reads them. Columns count characters, with eight for a tab; a
 * byte order mark is white space anywhere.
 */
export function createTokenStream(text: string): TokenStream {
  let offset = 0;
  let line = 1;
  let column = 1;
  let depth = 0;
  let ahead: QueryToken | LexicalError | undefined;

  function skipBlank(): void {
    for (; offset < text.length; offset++) {
      switch (text[offset]) {
        case "\uFEFF":
        case "\r":
          break;
        case "\t":
          column += TAB_WIDTH;
          break;
        case "\n":
          line++;
          column = 1;
          break;
        case " ":
        case ",":
          column++;
          break;
        case "#":
          skipComment();
          break;
        default:
          return;
      }
    }
  }

  /** A comment ends at either kind of line end, so one before CRLF counts as two lines; it has no columns. */
  function skipComment(): void {
    COMMENT.lastIndex = offset;
    offset += COMMENT.exec(text)?.[0].length ?? 0;
    if (offset >= text.length) return;
    line++;
    column = 1;
  }

  function read(): QueryToken | LexicalError {
    const first = text[offset];
    if (first === undefined) return lexicalError("end of input");
    switch (first) {
      case "(":
      case "[":
      case "{":
        if (depth >= MAX_NESTING) return { ...lexicalError(null), note: "Recursion limit exceeded" };
        depth++;
        return take("Punctuator", 1);
      case ")":
      case "]":
      case "}":
        depth--;
        return take("Punctuator", 1);
      case ".":
        return text.startsWith("...", offset)
          ? take("Punctuator", 3)
          : lexicalError(`bare dot '.' is not supported, only "..."`);
      case '"':
        return text.startsWith('"""', offset) ? readBlockString() : readString();
    }
    if (PUNCTUATORS.includes(first)) return take("Punctuator", 1);
    const name = matchHere(NAME);
    if (name !== null) return take("Name", name.length);
    const number = matchHere(NUMBER);
    if (number !== null) return readNumber(number);
    return lexicalError(`unexpected character '${showCharacter(text.codePointAt(offset) ?? 0)}'`);
  }

  function readNumber(value: string): QueryToken | LexicalError {
    if (/[.eE]/.test(value)) {
      return FLOAT.test(value)
        ? take("FloatValue", value.length)
        : lexicalError(`unsupported float ${showText(value)}`);
    }
    return INTEGER.test(value)
      ? take("IntValue", value.length)
      : lexicalError(`unsupported integer ${showText(value)}`);
  }

  function readString(): QueryToken | LexicalError {
    for (let end = offset + 1; end < text.length; end++) {
      const character = text[end];
      if (character === '"') return take("StringValue", end + 1 - offset);
      if (character === "\\") end++;
      if (text[end] === "\n") break;
    }
    return lexicalError("unterminated string value");
  }

  /** Ends at the first three quotes without a backslash directly before them. */
  function readBlockString(): QueryToken | LexicalError {
    let end = text.indexOf('"""', offset + 3);
    while (end > offset + 3 && text[end - 1] === "\\") end = text.indexOf('"""', end + 3);
    return end === -1
      ? lexicalError("unterminated block string value")
      : take("BlockString", end + 3 - offset);
  }

  function matchHere(pattern: RegExp): string | null {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0] ?? null;
  }

  function take(kind: QueryTokenKind, length: number): QueryToken {
    const token = {
      kind,
      value: text.slice(offset, offset + length),
      start: offset,
      end: offset + length,
      line,
      column,
    };
    offset += length;
    if (kind === "StringValue") column += [...token.value].length;
    else if (kind === "BlockString") advanceLines(token.value);
    else column += length;
    skipBlank();
    return token;
  }

  function advanceLines(value: string): void {
    const lines = value.split("\n");
    const last = [...(lines.at(-1) ?? "")].length;
    line += lines.length - 1;
    column = lines.length > 1 ? last + 1 : column + last;
  }

  function lexicalError(unexpected: string | null): LexicalError {
    return { kind: "LexicalError", unexpected, note: null, line, column };
  }

  skipBlank();
  return {
    peek: () => {
      ahead ??= read();
      return ahead;
    },
    next: () => {
      const token = ahead ?? read();
      // An error stays: the parser cannot continue after it.
      ahead = token.kind === "LexicalError" ? token : undefined;
      return token;
    },
  };
}

const PUNCTUATORS = "!$:=@|&";
const NAME = /[_A-Za-z]\w*/y;
/** Characters that the parser reads as one number before validating it. */
const NUMBER = /[-0-9][^ \n\r\t,#!$:=@|&()[\]{}]*/y;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
/** An unsigned exponent cannot begin with 0 or 9, and a signed one needs no digits here. */
const FLOAT = /^-?(?:0|[1-9]\d*)(?=[.eE])(?:\.\d+)?(?:[eE](?:[+-]\d*|[1-8]\d*))?$/;
const COMMENT = /#[^\n\r]*/y;

/**
 * An error of the server's parser, one line each: the unexpected token, the tokens that it expected, and a remark.
 * After a whole definition the parser only expects the end of the text, and does not name an unreadable token.
 *
 * @param isChoice several things could begin here: an unreadable token is then also reported as an unexpected end.
 */
export function parseError(
  found: QueryToken | LexicalError,
  expected: readonly string[],
  isChoice: boolean,
): ErrorEntry {
  const lines: string[] = [];
  const isBehind = expected[0] === END;
  if (found.kind !== "LexicalError") lines.push(`Unexpected \`${found.value}[${found.kind}]\``);
  else {
    if (found.unexpected !== null && !isBehind) lines.push(`Unexpected ${found.unexpected}`);
    if (found.unexpected !== END && isChoice) lines.push(`Unexpected ${END}`);
  }
  if (expected.length > 0) lines.push(`Expected ${listWords(expected)}`);
  if (found.kind === "LexicalError" && found.note !== null && !isBehind) lines.push(found.note);
  return { locations: [{ line: found.line, column: found.column }], message: lines.join("\n") };
}

/** If no token can be read, the error names this token. */
const END = "end of input";

function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${last}` : last;
}

/** The text of a string token, or the unexpected part of it. */
type StringReading = { readonly text: string } | { readonly unexpected: string };

/** Decodes a token of kind StringValue, quotes included. Of all escapes, only lone surrogates are refused. */
export function readStringToken(token: string): StringReading {
  const inside = token.slice(1, -1);
  if (!inside.includes("\\")) return { text: inside };
  let text = "";
  for (let index = 0; index < inside.length; index++) {
    const character = inside[index];
    if (character !== "\\") {
      text += character;
      continue;
    }
    index++;
    const escaped = String.fromCodePoint(inside.codePointAt(index) ?? 0);
    const known = ESCAPED_CHARACTERS[escaped];
    if (known !== undefined) text += known;
    else if (escaped === "u") {
      // Four characters are at most eight units; slicing the whole rest would take quadratic time.
      const code = [...inside.slice(index + 1, index + 9)].slice(0, 4).join("");
      if ([...code].length < 4) {
        return { unexpected: `\\u must have 4 characters after it, only found '${code}'` };
      }
      if (!/^[0-9A-Fa-f]{4}$/.test(code) || /^d[89a-f]/i.test(code)) {
        return { unexpected: `${code} is not a valid unicode code point` };
      }
      text += String.fromCharCode(Number.parseInt(code, 16));
      index += 4;
    } else return { unexpected: `bad escaped char '${showCharacter(escaped.codePointAt(0) ?? 0)}'` };
  }
  return { text };
}

const ESCAPED_CHARACTERS: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
