import { utf8 } from "../../../src/base/bytes.ts";
import { compareIntegers, compareText } from "../compare.ts";
import type { RowValue } from "../read-view.ts";

/** Compares two non-null values of one scalar. Big numbers compare exactly, whatever their size. */
export function compareValues(type: string, a: RowValue, b: RowValue): number {
  switch (type) {
    case "Int":
    case "Float":
      return Number(a) - Number(b);
    case "Boolean":
      return Number(a === true) - Number(b === true);
    case "BigInt":
    case "Int8":
    case "Timestamp":
      return compareIntegers(String(a), String(b));
    case "BigDecimal":
      return compareDecimals(String(a), String(b));
    default:
      // Lower-case hex sorts like its bytes.
      return compareText(String(a), String(b));
  }
}

/** Compares decimal numbers in any notation, exactly. */
export function compareDecimals(a: string, b: string): number {
  const left = normalizeDecimal(a) ?? a;
  const right = normalizeDecimal(b) ?? b;
  if (left === right) return 0;
  const negative = left.startsWith("-");
  if (negative !== right.startsWith("-")) return negative ? -1 : 1;
  const [leftWhole = "", leftFraction = ""] = left.replace("-", "").split(".");
  const [rightWhole = "", rightFraction = ""] = right.replace("-", "").split(".");
  const order =
    leftWhole.length - rightWhole.length ||
    compareText(leftWhole, rightWhole) ||
    compareText(leftFraction, rightFraction);
  return negative ? -order : order;
}

/** An integer in plain decimal (`"+007"` gives `"7"`); null if the text is not an integer. */
export function normalizeInteger(text: string): string | null {
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")).toString() : null;
}

/**
 * A decimal in plain notation without trailing zeros and with at most 34 significant digits; null if the text is not a
 * number.
 */
export function normalizeDecimal(text: string): string | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  if (whole === "" && fraction === "") return null;
  let digits = (whole + fraction).replace(/^0+/, "");
  let scale = fraction.length - Number(exponent);
  if (digits.length > MAX_DIGITS) {
    scale -= digits.length - MAX_DIGITS;
    const half = digits.charAt(MAX_DIGITS) >= "5" ? 1n : 0n;
    digits = (BigInt(digits.slice(0, MAX_DIGITS)) + half).toString();
  }
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  scale -= digits.length - significant.length;
  const prefix = sign === "-" ? "-" : "";
  if (scale <= 0) return prefix + significant + "0".repeat(-scale);
  const padded = significant.padStart(scale + 1, "0");
  return `${prefix}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const MAX_DIGITS = 34;

/** Parses bytes to `0x` and lower-case hex. Any number of leading `0x` is dropped. */
export function parseBytes(text: string): { readonly bytes: string } | { readonly reason: string } {
  const hex = text.replace(/^(?:0x)+/, "");
  const wrong = hex.search(/[^0-9a-fA-F]/);
  // The library counts digits as bytes, and prints a byte as if it were a character.
  const bytes = utf8(hex);
  if (bytes.length % 2 === 1) return { reason: "Odd number of digits" };
  if (wrong >= 0) {
    return { reason: `Invalid character '${showCharacter(bytes[wrong] ?? 0)}' at position ${wrong}` };
  }
  return { bytes: `0x${hex.toLowerCase()}` };
}

/** A stored value as JSON; undefined if it does not fit its type. */
export function serializeScalar(type: string, value: RowValue): unknown {
  switch (type) {
    case "Boolean":
      return typeof value === "boolean" ? value : undefined;
    case "Int":
    case "Float": {
      const number = typeof value === "string" && value !== "" ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) ? number : undefined;
    }
    case "BigInt":
    case "Int8":
    case "Timestamp":
      return (isText(value) ? normalizeInteger(String(value)) : null) ?? undefined;
    case "BigDecimal":
      return (isText(value) ? normalizeDecimal(String(value)) : null) ?? undefined;
    case "Bytes": {
      const parsed = typeof value === "string" ? parseBytes(value) : null;
      return parsed !== null && "bytes" in parsed ? parsed.bytes : undefined;
    }
    default:
      return isText(value) ? String(value) : undefined;
  }
}

function isText(value: RowValue): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** A character in quotes, in Rust's notation. */
function showCharacter(code: number): string {
  const character = String.fromCodePoint(code);
  if (character === "'") return "\\'";
  return character === '"' ? character : escapeCharacter(character);
}

/** A text in quotes, in Rust's notation. */
export function showText(text: string): string {
  return `"${[...text].map(escapeCharacter).join("")}"`;
}

function escapeCharacter(character: string): string {
  const escaped = ESCAPES[character];
  if (escaped !== undefined) return escaped;
  return character !== " " && /[\p{C}\p{Z}\p{Grapheme_Extend}]/u.test(character)
    ? `\\u{${character.codePointAt(0)?.toString(16)}}`
    : character;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\0": "\\0",
};
