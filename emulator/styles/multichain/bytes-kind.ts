import { utf8 } from "../../../src/base/bytes.ts";
import { type ColumnKind, defineKind, type Reading, textOf } from "./kinds.ts";
import { messages, type QueryError } from "./messages.ts";
import type { TypedValue } from "./query-value.ts";

/**
 * The kind of a `bytea` column, which rows hold as `0x…` in lower case. Digits in lower case have the order of their
 * bytes.
 */
export const BYTES_KIND: ColumnKind = defineKind({
  key: (value) => String(value).slice(2),
  operand: (reading, input) => readDigits(reading, input),
  stored: (key) => `0x${key}`,
  serialize: (value) => `\\x${String(value).slice(2)}`,
});

/** Returns the hex digits of a value, in lower case. */
function readDigits(reading: Reading, input: TypedValue): string | null {
  const text = textOf(input.value);
  if (text === null) throw messages.stringExpected(input.path, "bytea");
  const parsed = text.startsWith("\\x") ? parseHex(text.slice(2)) : parseEscaped(text);
  if (typeof parsed === "string") return parsed;
  reading.postpone(parsed);
  return null;
}

/** Parses digits like Postgres: white space may stand between two bytes. */
function parseHex(text: string): string | QueryError {
  const bytes: string[] = [];
  for (const [byte] of text.matchAll(/[^ \t\n\r][\s\S]?/gu)) {
    const wrong = /[^\da-f]/iu.exec(byte);
    if (wrong) return messages.hexDigitInvalid(wrong[0]);
    if (byte.length < 2) return messages.hexDigitsOdd();
    bytes.push(byte);
  }
  return bytes.join("").toLowerCase();
}

/** Parses the older form: text stands for its bytes, also `0x00ff`; a backslash for itself or before three octal digits. */
function parseEscaped(text: string): string | QueryError {
  const bytes: number[] = [];
  for (const [part, octal] of text.matchAll(/\\([0-3][0-7]{2})|\\\\|\\|[^\\]+/g)) {
    if (part === "\\") return messages.byteaSyntax();
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else for (const byte of utf8(part === "\\\\" ? "\\" : part)) bytes.push(byte);
  }
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
