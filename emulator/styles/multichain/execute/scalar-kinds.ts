import { JsonNumber } from "../../json-number.ts";
import { compareText } from "./compare-text.ts";
import type { Decimal } from "./decimal.ts";
import { type Json, plainJson, storedJson } from "./jsonb.ts";
import { type ColumnKind, defineKind } from "./kinds.ts";
import { messages } from "./messages.ts";
import { compareNumerals, decimalKind, decimalOf, floatKind, integerKind } from "./number-kinds.ts";
import { refuseNull, textOf, textOperand } from "./operands.ts";
import { jsonTypeName, type QueryValue } from "./query-value.ts";
import { fillVariables } from "./reading.ts";
import { formatTimestamp, parseTimestamp } from "./timestamp.ts";

/** Any text, by bytes. */
export const TEXT_KIND: ColumnKind = defineKind({
  key: String,
  compare: (a, b) => compareText(String(a), String(b)),
  operand: (_reading, input, type, path) => textOperand(input, type, path),
  stored: String,
});

/** The kind of every scalar of the platform, by its API name. Any other scalar is an enum. */
export const SCALAR_KINDS: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ["Boolean", booleanKind()],
  ["Float", floatKind("float4")],
  ["Int", integerKind()],
  ["String", TEXT_KIND],
  ["bigint", decimalKind("bigint")],
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
 *   known, and then any text goes.
 */
export function enumKind(postgresName: string, members: readonly string[] | null): ColumnKind {
  const positions = new Map(members?.map((member, index) => [member, index]));
  const text = (input: QueryValue, type: string, path: string): string => {
    refuseNull(input, type, path);
    const given = textOf(input);
    if (given === null) throw messages.stringExpected(path, postgresName);
    return given;
  };
  if (members === null) {
    return { ...TEXT_KIND, operand: (_reading, input, type, path) => text(input, type, path) };
  }
  return defineKind({
    key: (value) => positions.get(String(value)) ?? -1,
    operand: (reading, input, type, path) => {
      const given = text(input, type, path);
      const position = positions.get(given);
      if (position === undefined) reading.postpone(messages.enumMemberUnknown(postgresName, given));
      return position ?? null;
    },
    stored: (key) => members[Number(key)],
  });
}

function booleanKind(): ColumnKind {
  return defineKind({
    key: Number,
    operand: (reading, input, type, path) => {
      refuseNull(input, type, path);
      if (input.kind === "boolean") return Number(input.value);
      const given = textOf(input);
      if (given === null) throw messages.boolExpected(path, jsonTypeName(input));
      const text = given.trim().toLowerCase();
      if (TRUE_TEXTS.has(text)) return 1;
      if (!FALSE_TEXTS.has(text)) reading.postpone(messages.inputSyntax("boolean", given));
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
    operand: (reading, input, type, path) => {
      const text = textOperand(input, type, path, withZone ? "UTCTime" : "LocalTime");
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

/** Rows hold JSON as its text; a value that is no JSON text stands for itself. */
function jsonKind(): ColumnKind {
  return defineKind({
    key: (value) => ({ json: storedJson(value) }),
    operand: (reading, input, type, path) => {
      refuseNull(input, type, path);
      return { json: inputJson(fillVariables(reading, input)) };
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
