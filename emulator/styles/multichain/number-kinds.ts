import { compareIntegers } from "../compare.ts";
import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  formatFloat8,
  integerDecimal,
  parseDecimal,
  rescaleDecimal,
  shortestFloat4,
  showScientific,
} from "./decimal.ts";
import { compareNumbers, type Key } from "./keys.ts";
import { type ColumnKind, defineKind, numberOperand, type Reading, type Stored, textOf } from "./kinds.ts";
import { messages } from "./messages.ts";

/** `Int`. A number is checked in place, a text by the database. */
export function integerKind(): ColumnKind {
  return defineKind({
    arithmetic: "exact",
    key: Number,
    compare: (a, b) => Number(a) - Number(b),
    operand: (reading, input) => {
      const text = textOf(input.value);
      if (text !== null) return integerText(reading, text);
      const decimal = numberOperand(input, "Integer expected for input type: PGInteger");
      const value = wholeUnits(decimal);
      if (value === null || !isInt32(value))
        throw messages.integerOutside(input.path, showScientific(decimal));
      return Number(value);
    },
    stored: (key) => Number(key),
    serialize: Number,
  });
}

function integerText(reading: Reading, text: string): Key | null {
  const value = wholeText(text);
  if (value === null) reading.postpone(messages.inputSyntax("integer", text));
  else if (!isInt32(value)) reading.postpone(messages.outOfRange("integer", text));
  else return Number(value);
  return null;
}

/** An integer in any of its four bases. */
function wholeText(text: string): bigint | null {
  return /^\s*[+-]?(?:0[xob]\w+|[\d_]+)\s*$/i.test(text) ? (parseDecimal(text)?.units ?? null) : null;
}

/** `numeric` and `bigint`. */
export function decimalKind(name: "numeric" | "bigint"): ColumnKind {
  return defineKind({
    arithmetic: "exact",
    stringified: true,
    key: (value) => decimalOf(String(value)),
    compare: compareNumerals,
    operand: (reading, input) => {
      const text = textOf(input.value);
      if (text !== null) return decimalText(reading, name, text);
      const decimal = numberOperand(input, "Scientific");
      if (name === "bigint") {
        const whole = wholeUnits(decimal);
        if (whole === null || !isInt64(whole))
          throw messages.integerOutside(input.path, showScientific(decimal));
      }
      return decimal;
    },
    stored: (key) => wholeUnits(key as Decimal)?.toString(),
    serialize: (value) => (isWhole(String(value)) ? String(value) : formatDecimal(decimalOf(String(value)))),
  });
}

/** A `numeric(p, s)`: written values get exactly `s` decimals. */
export function scaledKind(scale: number): ColumnKind {
  const key = (value: Stored): Decimal => rescaleDecimal(decimalOf(String(value)), scale);
  const { operand } = decimalKind("numeric");
  return defineKind({
    arithmetic: "exact",
    stringified: true,
    key,
    compare: (a, b) => compareDecimals(key(a), key(b)),
    operand,
    serialize: (value) => formatDecimal(key(value)),
  });
}

function decimalText(reading: Reading, name: "numeric" | "bigint", text: string): Key | null {
  const decimal = name === "numeric" || wholeText(text) !== null ? parseDecimal(text) : null;
  if (decimal === null) reading.postpone(messages.inputSyntax(name, text));
  else if (name === "bigint" && !isInt64(decimal.units)) reading.postpone(messages.outOfRange(name, text));
  return decimal;
}

/** `float8`, and `Float`, which is a float4. */
export function floatKind(arithmetic: "float4" | "float8"): ColumnKind {
  const double = arithmetic === "float8";
  const read = double ? Number : (value: Stored) => Math.fround(Number(value));
  return defineKind({
    arithmetic,
    stringified: double,
    key: read,
    compare: (a, b) => compareNumbers(read(a), read(b)),
    operand: (reading, input) => {
      const text = textOf(input.value);
      if (text !== null) return floatText(reading, double, text);
      const decimal = numberOperand(input, "Scientific");
      const value = Number(formatDecimal(decimal));
      const lost = value === 0 && decimal.units !== 0n;
      if (lost || !Number.isFinite(value)) throw messages.floatOutside(input.path, showScientific(decimal));
      return double ? value : Math.fround(value);
    },
    serialize: (value) => (double ? formatFloat8(Number(value)) : finite(shortestFloat4(Number(value)))),
  });
}

function floatText(reading: Reading, double: boolean, text: string): Key | null {
  const name = double ? "double precision" : "real";
  // Floats accept fewer notations than other numbers.
  const decimal = /_|0[bo]/i.test(text) ? null : parseDecimal(text);
  if (decimal === null) {
    reading.postpone(messages.inputSyntax(name, text));
    return null;
  }
  const value = Number(formatDecimal(decimal));
  const lost = value === 0 && decimal.units !== 0n;
  if (decimal.rank === 0 && (lost || !Number.isFinite(value))) {
    reading.postpone(messages.floatOutOfRange(text.trim(), name));
  }
  // -0 equals 0.
  return double ? value : Math.fround(value);
}

/** JSON has no such numbers, so Postgres writes them as strings. */
function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

/** Compares numbers of any size by their texts; whole numbers take a faster path. */
export function compareNumerals(a: Stored, b: Stored): number {
  const [x, y] = [String(a), String(b)];
  return isWhole(x) && isWhole(y) ? compareIntegers(x, y) : compareDecimals(decimalOf(x), decimalOf(y));
}

export function decimalOf(text: string): Decimal {
  return isWhole(text) ? integerDecimal(BigInt(text)) : (parseDecimal(text) ?? integerDecimal(0n));
}

function isWhole(text: string): boolean {
  return /^(?:0|-?[1-9]\d*)$/.test(text);
}

/** The integer value; null with a fraction. */
function wholeUnits({ units, scale, rank }: Decimal): bigint | null {
  const unit = 10n ** BigInt(scale);
  return rank === 0 && units % unit === 0n ? units / unit : null;
}

function isInt32(value: bigint): boolean {
  return BigInt.asIntN(32, value) === value;
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}
