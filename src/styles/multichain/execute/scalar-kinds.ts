import { type Decimal, formatDecimal, integerDecimal, parseDecimal } from "./decimal.ts";
import { formatFloat8, shortestFloat4 } from "./float-text.ts";
import { type Input, jsonTypeName } from "./input.ts";
import { type Json, orderKeys, parseJson } from "./jsonb.ts";
import type { Key } from "./keys.ts";
import type { ColumnKind, Stored } from "./kinds.ts";
import {
  enumMemberUnknown,
  floatOutOfRange,
  inputSyntax,
  integerOutside,
  outOfRange,
  parsingFailed,
  timeOutOfRange,
  unexpectedNull,
} from "./messages.ts";
import type { Scope } from "./scope.ts";
import { formatTimestamp, parseTimestamp } from "./timestamp.ts";

/** What most kinds have in common. */
const SIMPLE = {
  arithmetic: null,
  text: false,
  stringified: false,
  stored: () => undefined,
  serialize: (value: Stored): unknown => value,
};

/** The kind of every scalar of the platform, by its API name. Any other scalar is an enum. */
export const SCALAR_KINDS: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ["Boolean", booleanKind()],
  ["Float", floatKind(false)],
  ["Int", integerKind()],
  ["String", textKind()],
  ["bigint", decimalKind("bigint")],
  ["float8", floatKind(true)],
  ["jsonb", jsonKind()],
  ["numeric", decimalKind("numeric")],
  ["timestamp", timestampKind(false)],
  ["timestamptz", timestampKind(true)],
]);

/**
 * The kind of an enum column.
 *
 * @param members in the order of their declaration, which is the order of their values; null when they are not
 *   known, and then any text goes.
 */
export function enumKind(postgresName: string, members: readonly string[] | null): ColumnKind {
  if (members === null) return textKind();
  const positions = new Map(members.map((member, index) => [member, index]));
  return {
    ...SIMPLE,
    key: (value) => positions.get(String(value)) ?? -1,
    operand: (scope, input, type, path) => {
      const text = input.kind === "enum" ? input.value : textOperand(input, type, path);
      const position = positions.get(text);
      if (position === undefined) scope.postpone(enumMemberUnknown(postgresName, text));
      return position ?? null;
    },
    stored: (key) => members[Number(key)],
  };
}

function textKind(): ColumnKind {
  return {
    ...SIMPLE,
    text: true,
    key: String,
    operand: (_scope, input, type, path) => textOperand(input, type, path),
    stored: (key) => String(key),
  };
}

function booleanKind(): ColumnKind {
  return {
    ...SIMPLE,
    key: Number,
    operand: (scope, input, type, path) => {
      refuseNull(input, type, path);
      if (input.kind === "boolean") return Number(input.value);
      if (input.kind !== "string") throw parsingFailed(path, "Bool", "Boolean", jsonTypeName(input));
      const text = input.value.trim().toLowerCase();
      if (TRUE_TEXTS.has(text)) return 1;
      if (!FALSE_TEXTS.has(text)) scope.postpone(inputSyntax("boolean", input.value));
      return 0;
    },
    stored: (key) => key === 1,
  };
}

const TRUE_TEXTS = new Set(["t", "tr", "tru", "true", "y", "ye", "yes", "on", "1"]);
const FALSE_TEXTS = new Set(["f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0"]);

function integerKind(): ColumnKind {
  return {
    ...SIMPLE,
    arithmetic: "exact",
    key: Number,
    operand: (scope, input, type, path) => {
      refuseNull(input, type, path);
      if (input.kind === "string") return integerText(scope, input.value);
      const decimal = numberOperand(input, "Integer", path);
      const value = wholeUnits(decimal);
      if (value === null || !isInt32(value)) throw integerOutside(path, showScientific(decimal));
      return Number(value);
    },
    stored: (key) => Number(key),
    serialize: Number,
  };
}

function integerText(scope: Scope, text: string): Key | null {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) scope.postpone(inputSyntax("integer", text));
  else if (!isInt32(BigInt(text.trim().replace(/^\+/, "")))) scope.postpone(outOfRange("integer", text));
  else return Number(text);
  return null;
}

/** `numeric` and `bigint`. */
function decimalKind(name: "numeric" | "bigint"): ColumnKind {
  return {
    ...SIMPLE,
    arithmetic: "exact",
    stringified: true,
    key: (value) => decimalOf(String(value)),
    operand: (scope, input, type, path) => {
      refuseNull(input, type, path);
      const text =
        input.kind === "string" ? input.value : formatDecimal(numberOperand(input, "Scientific", path));
      const decimal = parseDecimal(text);
      if (decimal === null || (name === "bigint" && wholeUnits(decimal) === null)) {
        scope.postpone(inputSyntax(name, text));
        return null;
      }
      if (name === "bigint" && BigInt.asIntN(64, decimal.units) !== decimal.units) {
        scope.postpone(outOfRange(name, text));
      }
      return decimal;
    },
    stored: (key) => {
      const units = wholeUnits(key as Decimal);
      return units === null ? undefined : units.toString();
    },
    serialize: String,
  };
}

/** `float8`, and `Float`, which is a float4. */
function floatKind(double: boolean): ColumnKind {
  return {
    ...SIMPLE,
    arithmetic: "float",
    stringified: double,
    key: (value) => (double ? Number(value) : Math.fround(Number(value))),
    operand: (scope, input, type, path) => {
      refuseNull(input, type, path);
      const text =
        input.kind === "string" ? input.value : formatDecimal(numberOperand(input, "Scientific", path));
      const decimal = parseDecimal(text);
      if (decimal === null) {
        scope.postpone(inputSyntax(double ? "double precision" : "real", text));
        return null;
      }
      const value = Number(formatDecimal(decimal));
      if (decimal.rank === 0 && !Number.isFinite(value)) scope.postpone(floatOutOfRange(text));
      return double ? value : Math.fround(value);
    },
    serialize: (value) => (double ? formatFloat8(Number(value)) : shortestFloat4(Number(value))),
  };
}

function timestampKind(withZone: boolean): ColumnKind {
  const name = withZone ? "timestamp with time zone" : "timestamp";
  return {
    ...SIMPLE,
    key: (value) => decimalOf(String(value)),
    operand: (scope, input, type, path) => {
      const text = textOperand(input, type, path);
      const parsed = parseTimestamp(text);
      if (typeof parsed === "bigint") return integerDecimal(parsed);
      scope.postpone(parsed === "malformed" ? inputSyntax(name, text) : timeOutOfRange(text));
      return null;
    },
    stored: (key) => (key as Decimal).units.toString(),
    serialize: (value) => formatTimestamp(BigInt(String(value)), withZone),
  };
}

/** Rows hold JSON as its text; a value that is no JSON text stands for itself. */
function jsonKind(): ColumnKind {
  return {
    ...SIMPLE,
    key: (value) => ({ json: storedJson(value) }),
    operand: (_scope, input, type, path) => {
      refuseNull(input, type, path);
      return { json: orderKeys(inputJson(input)) };
    },
    serialize: storedJson,
  };
}

/** The JSON a `jsonb` column holds. */
export function storedJson(value: Stored): Json {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

function inputJson(input: Input): Json {
  switch (input.kind) {
    case "integer":
    case "float":
      return Number(input.text);
    case "boolean":
    case "string":
    case "enum":
      return input.value;
    case "list":
      return input.items.map(inputJson);
    case "object":
      return Object.fromEntries(input.entries.map(([key, value]) => [key, inputJson(value)]));
    default:
      return null;
  }
}

/** Text, and nothing that could be taken for it. */
export function textOperand(input: Input, type: string, path: string): string {
  refuseNull(input, type, path);
  if (input.kind === "string") return input.value;
  throw parsingFailed(path, "Text", "String", jsonTypeName(input));
}

function refuseNull(input: Input, type: string, path: string): void {
  if (input.kind === "null") throw unexpectedNull(path, type);
}

function numberOperand(input: Input, what: string, path: string): Decimal {
  const decimal = input.kind === "integer" || input.kind === "float" ? parseDecimal(input.text) : null;
  if (decimal === null) throw parsingFailed(path, what, "Number", jsonTypeName(input));
  return decimal;
}

function decimalOf(text: string): Decimal {
  // Nearly every number is whole, and for those there is a shorter way.
  return /^-?\d+$/.test(text) ? integerDecimal(BigInt(text)) : (parseDecimal(text) ?? integerDecimal(0n));
}

/** The value of a number without a fraction; null when it has one. */
function wholeUnits({ units, scale, rank }: Decimal): bigint | null {
  const unit = 10n ** BigInt(scale);
  return rank === 0 && units % unit === 0n ? units / unit : null;
}

function isInt32(value: bigint): boolean {
  return BigInt.asIntN(32, value) === value;
}

/** A number as the server shows it in a message: `1.5`, `3.0e9`. */
function showScientific(decimal: Decimal): string {
  const value = Number(formatDecimal(decimal));
  const size = Math.abs(value);
  if (value !== 0 && (size < 0.1 || size >= 1e7)) {
    const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
    return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}e${Number(exponent)}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
