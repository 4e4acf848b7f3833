import type { JsonProblem } from "./parse-json.ts";

/**
 * Renders a JSON problem in the words of aeson 2.2, the library with which Hasura decodes request bodies.
 *
 * @param body the text with the problem.
 */
export function describeJsonProblem({ kind, at, start }: JsonProblem, body: string): string {
  switch (kind) {
    case "end":
      return "Trailing garbage";
    case "string-end":
      return "Unexpected end-of-input while parsing string literal";
    case "control-character":
      // As the library spells it.
      return "Unespected control character while parsing string literal";
    case "escape":
      return NOT_UTF8;
    case "leading-zero":
      return "Number literal with leading zero";
    case "number":
      return `Unexpected ${describeDigit(body, start, at)} while parsing number literal`;
    case "key":
      // The text is shown from the comma before it.
      return unexpected(body, at === body.length ? at : body.lastIndexOf(",", at - 1), EXPECTED.key);
    default:
      return unexpected(body, start, EXPECTED[kind]);
  }
}

/** Text is decoded as UTF-8, which has no lone surrogates. */
export const NOT_UTF8 = "Cannot decode input: Data.Text.Internal.Encoding.decodeUtf8: Invalid UTF-8 stream";

const EXPECTED = {
  value: "JSON value",
  word: "JSON value",
  depth: "JSON value",
  "value-or-end": "JSON value or ]",
  key: "key literal",
  "key-or-end": "record key literal or }",
  colon: ":",
  "comma-or-brace": ", or }",
  "comma-or-bracket": ", or ]",
} as const;

const SHOWN_BYTES = 30;

function unexpected(body: string, from: number, expected: string): string {
  const rest = Buffer.from(body.slice(from, from + SHOWN_BYTES)).subarray(0, SHOWN_BYTES);
  const found = rest.length === 0 ? "end-of-input" : `"${showBytes(rest)}"`;
  return `Unexpected ${found}, expecting ${expected}`;
}

/** In an exponent a character is shown, elsewhere the number of a byte. */
function describeDigit(body: string, start: number, at: number): string {
  const [byte] = Buffer.from(body.slice(at, at + 1));
  if (byte === undefined) return "end-of-input";
  if (!/[eE][+-]?$/.test(body.slice(start, at))) return String(byte);
  return byte === QUOTE ? "'\\''" : `'${showBytes(Buffer.of(byte)).replace('\\"', '"')}'`;
}

const QUOTE = 39;

/** Shows bytes as Haskell shows a string. */
function showBytes(bytes: Buffer): string {
  let shown = "";
  let needsEnd = /$^/;
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    const part = ESCAPES.get(byte) ?? (byte >= 127 ? `\\${byte === 127 ? "DEL" : byte}` : character);
    // An escape would continue with the next characters.
    shown += needsEnd.test(part) ? `\\&${part}` : part;
    needsEnd = byte > 127 ? /^\d/ : byte === 14 ? /^H/ : /$^/;
  }
  return shown;
}

const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US";

/** By byte. */
const ESCAPES: ReadonlyMap<number, string> = new Map([
  ...CONTROLS.split(" ").map((name, byte) => [byte, `\\${name}`] as const),
  [34, '\\"'],
  [92, "\\\\"],
]);
