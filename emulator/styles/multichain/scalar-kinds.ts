import { compareText } from "../compare.ts";
import { JsonNumber } from "../served-style.ts";
import { BYTES_KIND } from "./bytes-kind.ts";
import { type Decimal, integerDecimal } from "./decimal.ts";
import { type Json, plainJson, storedJson } from "./jsonb.ts";
import { type ColumnKind, defineKind, fillVariables, textOf, textOperand } from "./kinds.ts";
import { messages } from "./messages.ts";
import { compareNumerals, decimalKind, decimalOf, floatKind, integerKind } from "./number-kinds.ts";
import { jsonTypeName, type QueryValue, type TypedValue } from "./query-value.ts";

export const TEXT_KIND: ColumnKind = defineKind({
  key: String,
  compare: (a, b) => compareText(String(a), String(b)),
  operand: (_reading, input) => textOperand(input),
  stored: String,
});

/** The kinds of the platform's scalars by API name. Any other scalar is an enum. */
export const SCALAR_KINDS: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ["Boolean", booleanKind()],
  ["Float", floatKind("float4")],
  ["Int", integerKind()],
  ["String", TEXT_KIND],
  ["bigint", decimalKind("bigint")],
  ["bytea", BYTES_KIND],
  ["float8", floatKind("float8")],
  ["jsonb", jsonKind()],
  ["numeric", decimalKind("numeric")],
  ["timestamp", timestampKind(false)],
  ["timestamptz", timestampKind(true)],
]);

/**
 * The kind of an enum column.
 *
 * @param members in the order of their declaration, which is the order of their values; null when they are not
 *   known, and then any text is accepted.
 */
export function enumKind(postgresName: string, members: readonly string[] | null): ColumnKind {
  const positions = new Map(members?.map((member, index) => [member, index]));
  const text = (input: TypedValue): string => {
    const member = textOf(input.value);
    if (member === null) throw messages.stringExpected(input.path, postgresName);
    return member;
  };
  if (members === null) {
    return defineKind({ ...TEXT_KIND, operand: (_reading, input) => text(input) });
  }
  return defineKind({
    key: (value) => positions.get(String(value)) ?? -1,
    operand: (reading, input) => {
      const member = text(input);
      const position = positions.get(member);
      if (position === undefined) reading.postpone(messages.enumMemberUnknown(postgresName, member));
      return position ?? null;
    },
    stored: (key) => members[Number(key)],
  });
}

function booleanKind(): ColumnKind {
  return defineKind({
    key: Number,
    operand: (reading, input) => {
      const { value, path } = input;
      if (value.kind === "boolean") return Number(value.value);
      const written = textOf(value);
      if (written === null) throw messages.boolExpected(path, jsonTypeName(value));
      const text = written.trim().toLowerCase();
      if (TRUE_TEXTS.has(text)) return 1;
      if (!FALSE_TEXTS.has(text)) reading.postpone(messages.inputSyntax("boolean", written));
      return 0;
    },
    stored: (key) => key === 1,
  });
}

const TRUE_TEXTS = new Set(["t", "tr", "tru", "true", "y", "ye", "yes", "on", "1"]);
const FALSE_TEXTS = new Set(["f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0"]);

function timestampKind(withZone: boolean): ColumnKind {
  const name = withZone ? "timestamp with time zone" : "timestamp";
  return defineKind({
    key: (value) => decimalOf(String(value)),
    compare: compareNumerals,
    operand: (reading, input) => {
      const text = textOperand(input, withZone ? "UTCTime" : "LocalTime");
      const parsed = parseTimestamp(text, withZone);
      if (typeof parsed === "object") return parsed;
      reading.postpone(parsed === "malformed" ? messages.inputSyntax(name, text) : TIME_FAULTS[parsed](text));
      return null;
    },
    stored: (key) => ((key as Decimal).rank === 0 ? (key as Decimal).units.toString() : undefined),
    serialize: (value) => formatTimestamp(BigInt(String(value)), withZone),
  });
}

const TIME_FAULTS = {
  "out of range": messages.timeOutOfRange,
  "bad zone": messages.zoneOutOfRange,
  "too far": messages.timestampOutOfRange,
};

/** Rows hold JSON as text; a text that is not JSON stands for itself. */
function jsonKind(): ColumnKind {
  return defineKind({
    key: (value) => ({ json: storedJson(value) }),
    operand: (reading, input) => {
      return { json: inputJson(fillVariables(reading, input.value)) };
    },
    serialize: (value) => plainJson(storedJson(value)),
  });
}

function inputJson(input: QueryValue): Json {
  switch (input.kind) {
    case "integer":
    case "float":
      return String(Number(input.text)) === input.text ? Number(input.text) : new JsonNumber(input.text);
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

const MICROSECONDS = 1_000_000n;

/** Microseconds since 1970 or an infinity, or the reason for a refusal. */
type ParsedTimestamp = Decimal | "malformed" | "out of range" | "bad zone" | "too far";

/**
 * Parses a timestamp like Postgres with session time zone UTC: a date in one of many forms, an optional time, and any
 * offset, which is ignored for columns without a zone.
 */
function parseTimestamp(text: string, withZone: boolean): ParsedTimestamp {
  const trimmed = text.trim();
  const special = SPECIAL.get(trimmed.toLowerCase());
  if (special) return special;
  const plain = trimmed.replace(/\s*\b(?:ad|bc)$/i, "");
  const match = PARTS.exec(plain);
  const date = parseDate(match?.groups?.["date"] ?? "", /bc$/i.test(trimmed));
  if (!match || !date) return "malformed";
  const { hour = "0", minute = "0", second = "0", fraction = "", half, zone, zone2 } = match.groups ?? {};
  const offset = zoneSeconds((zone ?? zone2 ?? "").trim());
  if (offset === null) return "malformed";
  const time = hours(Number(hour), half) * 3600 + Number(minute) * 60 + Number(second);
  if (!date.exists || Number(minute) > 59 || Number(second) > 60 || time > 86_400 || Number.isNaN(time)) {
    return "out of range";
  }
  if (Math.abs(offset) >= 16 * 3600) return "bad zone";
  const seconds = BigInt(date.days * 86_400 + time - (withZone ? offset : 0));
  const micros = seconds * MICROSECONDS + BigInt(Math.round(Number(`0.${fraction || "0"}`) * 1_000_000));
  return micros >= LATEST ? "too far" : integerDecimal(micros);
}

const SPECIAL: ReadonlyMap<string, Decimal> = new Map([
  ["epoch", integerDecimal(0n)],
  ["infinity", { units: 0n, scale: 0, rank: 1 }],
  ["-infinity", { units: 0n, scale: 0, rank: -1 }],
]);

/** The year 294277, beyond Postgres' range. */
const LATEST = 9_224_318_016_000_000_000n;

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.(?<fraction>\d*))?)?\s*(?<half>am|pm)?`;
const OFFSET = String.raw`[+-]\d{1,2}(?::?\d{2}(?::?\d{2})?)?`;
const PARTS = new RegExp(
  String.raw`^(?<date>.*?\d)(?:(?:\s*T\s*|\s+)${TIME}\s*(?<zone>[a-z]{1,4}|${OFFSET})?|\s*(?<zone2>[a-z]{1,4}|\s${OFFSET}))?$`,
  "is",
);

/** On a 12-hour clock, twelve comes before one. */
function hours(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour > 12) return /pm/i.test(half) ? hour : Number.NaN;
  return (hour % 12) + (/pm/i.test(half) ? 12 : 0);
}

type ParsedDate = { readonly days: number; readonly exists: boolean };

/** Parses `2024-01-15`, `20240115`, `01/15/2024`, `15 Jan 2024`, `Jan 15, 2024` and similar forms. */
function parseDate(text: string, isBefore: boolean): ParsedDate | null {
  const plain = text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i, "");
  for (const [form, order] of FORMS) {
    const match = form.exec(plain);
    if (!match) continue;
    const [year, month, day] = order.map((group) => match[group] ?? "");
    const number = /^\d/.test(month ?? "") ? Number(month) : monthOf(month ?? "");
    if (number === 0 && !/^0/.test(month ?? "")) return null;
    const date = civilDate(isBefore ? 1 - Number(year) : Number(year), number, Number(day));
    return { ...date, exists: date.exists && Number(year) > 0 };
  }
  return null;
}

/** Date formats, with the positions of year, month and day. */
const FORMS: readonly (readonly [RegExp, readonly [number, number, number]])[] = [
  [/^(\d{4,6})[-/.](\d{1,2})[-/.](\d{1,2})$/, [1, 2, 3]],
  [/^(\d{4})(\d{2})(\d{2})$/, [1, 2, 3]],
  [/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/, [3, 1, 2]],
  [/^(\d{1,2})[-\s]([a-z]+)[-,\s]+(\d{4,6})$/i, [3, 2, 1]],
  [/^([a-z]+)\s+(\d{1,2}),?\s+(\d{4,6})$/i, [3, 1, 2]],
  [/^(\d{4,6})[-\s]([a-z]+)[-\s](\d{1,2})$/i, [1, 2, 3]],
];

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function monthOf(name: string): number {
  return name.length < 3 ? 0 : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/** The days from 1970 to a Gregorian date. The calendar repeats every 400 years, which extends JavaScript's range. */
function civilDate(year: number, month: number, day: number): ParsedDate {
  const cycles = Math.floor((year - 2000) / 400);
  const within = year - cycles * 400;
  const date = new Date(Date.UTC(within, month - 1, day));
  const exists = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return { days: date.getTime() / 86_400_000 + cycles * 146_097, exists };
}

/** The milliseconds of 400 years. */
const CYCLE = 12_622_780_800_000n;

/**
 * Formats a time: `2024-01-15T12:34:56.1+00:00`. The fraction has no trailing zeros and may be absent; a `timestamp`
 * has no offset.
 */
function formatTimestamp(microseconds: bigint, withZone: boolean): string {
  const fraction = ((microseconds % MICROSECONDS) + MICROSECONDS) % MICROSECONDS;
  const milliseconds = (microseconds - fraction) / 1000n;
  // JavaScript's calendar ends before Postgres' does.
  const cycles = milliseconds / CYCLE;
  const date = new Date(Number(milliseconds - cycles * CYCLE));
  const year = date.getUTCFullYear() + Number(cycles) * 400;
  const text = `${String(year).padStart(4, "0")}${date.toISOString().slice(-20, -5)}`;
  const decimals = fraction === 0n ? "" : `.${fraction.toString().padStart(6, "0").replace(/0+$/, "")}`;
  return `${text}${decimals}${withZone ? "+00:00" : ""}`;
}

/** The offsets of zone abbreviations, in hours. */
const ZONES: Readonly<Record<string, number>> = {
  "": 0,
  z: 0,
  utc: 0,
  gmt: 0,
  cet: 1,
  cest: 2,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** Null for an unknown zone. */
function zoneSeconds(zone: string): number | null {
  const match = /^([+-])(\d{1,2}):?(\d{2})?:?(\d{2})?$/.exec(zone);
  if (!match) {
    const offset = ZONES[zone.toLowerCase()];
    return offset === undefined ? null : offset * 3600;
  }
  const [, sign, hour, minute = 0, second = 0] = match;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return sign === "-" ? -seconds : seconds;
}
