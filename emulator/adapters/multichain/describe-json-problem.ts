import type { JsonProblem } from "../json/parse-json.ts";

/** What the platform's JSON library says of a text that is no JSON: what it found, and what it expected (D.3). */
export function describeJsonProblem({ kind, at, start }: JsonProblem, text: string): string {
  switch (kind) {
    case "string-end":
      return "Unexpected end-of-input while parsing string literal";
    case "control-character":
      // Sic.
      return "Unespected control character while parsing string literal";
    case "leading-zero":
      return "Number literal with leading zero";
    case "number":
      return at >= text.length
        ? "Unexpected end-of-input while parsing number literal"
        : `Unexpected ${quote(text.charAt(at))} while parsing number literal`;
    case "end":
      return "Trailing garbage";
    case "key":
      return at >= text.length
        ? unexpected("", "key literal")
        : unexpected(text.slice(text.lastIndexOf(",", at)), "key literal");
    case "value-or-end":
      return unexpected("", "JSON value or ]");
    case "key-or-end":
      return unexpected(text.slice(at), "record key literal or }");
    case "colon":
      return unexpected(text.slice(at), ":");
    case "comma-or-brace":
      return unexpected(text.slice(at), ", or }");
    case "comma-or-bracket":
      return unexpected(text.slice(at), ", or ]");
    case "value":
    case "word":
    case "escape":
    case "depth":
      return unexpected(text.slice(start), "JSON value");
  }
}

function unexpected(rest: string, expected: string): string {
  return `Unexpected ${rest === "" ? "end-of-input" : quote(rest)}, expecting ${expected}`;
}

/** Bytes in quotes, as the platform's language shows them: what is not ASCII as decimal numbers. */
function quote(text: string): string {
  let shown = "";
  let isAfterNumber = false;
  for (const byte of Buffer.from(text)) {
    const isDigit = byte >= 0x30 && byte <= 0x39;
    const isNumber = SHOWN[byte] === undefined && (byte < 0x20 || byte > 0x7e);
    // A digit after a number would belong to it.
    if (isAfterNumber && isDigit) shown += "\\&";
    shown += isNumber ? `\\${byte}` : (SHOWN[byte] ?? String.fromCharCode(byte));
    isAfterNumber = isNumber;
  }
  return `"${shown}"`;
}

const SHOWN: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
  127: "\\DEL",
};
