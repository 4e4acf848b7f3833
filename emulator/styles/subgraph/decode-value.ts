import type { RowValue } from "../read-view.ts";
import { type ErrorEntry, messages, refuse } from "./messages.ts";
import { printQueryValue, type QueryValue } from "./query-value.ts";
import { normalizeDecimal, normalizeInteger, parseBytes } from "./scalars.ts";
import type { Attribute } from "./schema-index.ts";

/**
 * Decodes a coerced filter value to the form of rows. The store parses text as the field's scalar only here, after
 * coercion, so a bad number is an error of the store and not of the argument.
 *
 * @throws QueryError ``Failed to decode `BigInt` value: …``
 */
export function decodeValue(value: QueryValue, attribute: Attribute): RowValue {
  switch (value.kind) {
    case "Null":
      return null;
    case "Boolean":
      return value.value;
    case "Int":
      // Rows hold the id of a reference as text, and `Int8` ids are filtered by `Int`.
      return attribute.valueType === "Int" ? Number(value.value) : String(value.value);
    case "Float":
      return value.value;
    case "Enum":
      return value.value;
    case "String":
      return attribute.kind === "reference" ? value.value : decodeText(attribute.valueType, value.value);
    case "List":
      return value.values.map((item) => decodeValue(item, attribute));
    case "Object":
      return refuse(messages.wrongValueType(printQueryValue(value), attribute.type));
  }
}

/**
 * The ids of a reference, as text.
 *
 * @param late gets the errors of a list, which the store reads when it queries the database.
 */
export function decodeIds(value: RowValue, attribute: Attribute, late: ErrorEntry[]): RowValue {
  if (attribute.kind !== "reference" || attribute.valueType !== "Bytes") return value;
  if (isListValue(value)) return value.map((item) => decodeIds(item, attribute, late));
  if (typeof value !== "string") return value;
  const parsed = attribute.list ? parseBytes(value) : { bytes: decodeId("Bytes", value) };
  if ("bytes" in parsed) return parsed.bytes;
  late.push(messages.store(parsed.reason));
  return value;
}

/** An id as rows hold it, as text. */
export function decodeId(type: string, id: string): string {
  if (type === "Bytes") {
    const parsed = parseBytes(id);
    return "bytes" in parsed ? parsed.bytes : refuse(messages.storeError(parsed.reason));
  }
  if (type !== "Int8") return id;
  const integer = normalizeInteger(id);
  if (integer !== null && BigInt.asIntN(64, BigInt(integer)) === BigInt(integer)) return integer;
  const reason =
    integer === null
      ? integerProblem(id === "" ? "" : "x")
      : "number too " + (integer.startsWith("-") ? "small" : "large") + " to fit in target type";
  return refuse(messages.storeError(`failed to convert \`${id}\` to an Int8: ${reason}`));
}

function integerProblem(text: string): string {
  return /^[+-]?$/.test(text) ? "cannot parse integer from empty string" : "invalid digit found in string";
}

/** The exponent is parsed first. */
function decimalProblem(text: string): string {
  const [, base = "", exponent] = /^([^e]*)(?:e(.*))?$/is.exec(text) ?? [];
  if (exponent !== undefined) {
    const problem = exponentProblem(exponent);
    if (problem !== null) return problem;
  }
  return base === "" ? "Failed to parse empty string" : integerProblem(base.replace(/^([+-]?)\.?$/, "$1"));
}

/** An exponent has 64 bits. */
function exponentProblem(written: string): string | null {
  const text = written.replace(/^\+/, "");
  if (text === "") return "cannot parse integer from empty string";
  if (!/^[+-]?\d+$/.test(text)) return "invalid digit found in string";
  const value = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(64, value) === value) return null;
  return `number too ${value < 0n ? "small" : "large"} to fit in target type`;
}

/** A big number may have underscores after its first digit. */
function joinDigits(text: string): string {
  return text.replace(/^[+-]?\.?\d[\d_.]*/, (digits) => digits.replaceAll("_", ""));
}

/** Decodes text as a scalar. */
function decodeText(type: string, text: string): RowValue {
  switch (type) {
    case "Bytes": {
      const parsed = parseBytes(text);
      return "bytes" in parsed ? parsed.bytes : refuse(messages.undecodable(type, parsed.reason));
    }
    case "BigInt":
      return normalizeInteger(joinDigits(text)) ?? refuse(messages.undecodable(type, integerProblem(text)));
    case "Int8":
    case "Timestamp": {
      const integer = normalizeInteger(text);
      if (integer === null || BigInt.asIntN(64, BigInt(integer)) !== BigInt(integer)) {
        return refuse(messages.undecodable(type, text));
      }
      return integer;
    }
    case "BigDecimal":
      return normalizeDecimal(joinDigits(text)) ?? refuse(messages.undecodable(type, decimalProblem(text)));
    default:
      return text;
  }
}

export type ValueTest = (stored: RowValue) => boolean;

export function isListValue(value: RowValue | undefined): value is readonly RowValue[] {
  return Array.isArray(value);
}

/** A stored decimal in normal form. */
export function decimalOf(stored: RowValue): RowValue {
  return stored === null ? null : (normalizeDecimal(String(stored)) ?? stored);
}

/** A stored value in the notation of messages. */
export function showStored(value: RowValue): string {
  return isListValue(value) ? `[${value.map(showStored).join(", ")}]` : String(value);
}

/** The ids that a stored reference, or list of references, holds. */
export function idsOf(value: RowValue | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return isListValue(value) ? value.map(String) : [String(value)];
}

/** Whether a stored value equals another, or is a list with it. */
export function holdsValue(stored: RowValue | undefined, value: RowValue): boolean {
  return stored !== undefined && isListValue(stored) ? stored.includes(value) : stored === value;
}
