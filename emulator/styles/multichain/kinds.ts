import type { RowValue } from "../read-view.ts";
import { type Decimal, parseDecimal } from "./decimal.ts";
import { compareKeys, type Key } from "./keys.ts";
import { messages, type QueryError } from "./messages.ts";
import type { QueryValue, TypedValue } from "./query-value.ts";

/** The behaviour of a column's values: one kind for every scalar, and one for lists of each. */
export type ColumnKind = {
  /** The arithmetic of numeric operators; null for columns without numbers. */
  readonly arithmetic: "exact" | "float4" | "float8" | null;
  /** Whether numbers are serialized as JSON strings. */
  readonly stringified: boolean;
  /** The comparable form of a stored value. */
  readonly key: (value: Stored) => Key;
  readonly compare: (a: Stored, b: Stored) => number;
  /** Reads an operand. Returns null if the database refuses it: that error is postponed, and the result is unused. */
  readonly operand: (reading: Reading, input: TypedValue) => Key | null;
  /** The only stored value that equals this operand; undefined if several can, as `1.0` and `1`. */
  readonly stored: (key: Key) => Stored | undefined;
  readonly serialize: (value: Stored) => unknown;
};

export type Stored = Exclude<RowValue, null>;

/** Completes a kind with the common members. No kind has an operand that is null. */
export function defineKind(kind: Pick<ColumnKind, "key" | "operand"> & Partial<ColumnKind>): ColumnKind {
  const { key, operand } = kind;
  return {
    arithmetic: null,
    stringified: false,
    compare: (a, b) => compareKeys(key(a), key(b)),
    stored: () => undefined,
    serialize: (value) => value,
    ...kind,
    operand: (reading, input) => {
      refuseNull(input);
      return operand(reading, input);
    },
  };
}

/** The context for reading the values of a request. */
export type Reading = {
  readonly variables: ReadonlyMap<string, Variable>;
  /**
   * Postpones an error of the database. Validation of the whole request comes first, so the first postponed
   * error is thrown after planning.
   */
  readonly postpone: (error: QueryError) => void;
};

export type Variable = {
  readonly name: string;
  /** The declared type. */
  readonly type: string;
  /** Whether it has a non-null default. */
  readonly hasDefault: boolean;
  /** Null without a value and default. */
  readonly value: QueryValue;
};

/**
 * Replaces variables inside a value that a column reads. The inside of such a value is untyped, so the declared types
 * of variables are not checked.
 */
export function fillVariables(reading: Reading, input: QueryValue): QueryValue {
  switch (input.kind) {
    case "variable":
      return reading.variables.get(input.name)?.value ?? { kind: "null" };
    case "list":
      return input.json
        ? input
        : { ...input, items: input.items.map((item) => fillVariables(reading, item)) };
    case "object":
      return input.json
        ? input
        : {
            ...input,
            entries: input.entries.map(([key, value]) => [key, fillVariables(reading, value)] as const),
          };
    default:
      return input;
  }
}

/** A text operand, strictly; a bare enum value is also text. */
export function textOperand(input: TypedValue, parsed = "Text"): string {
  refuseNull(input);
  const text = textOf(input.value);
  if (text === null) throw messages.parsingFailed(input, parsed, "String");
  return text;
}

/** The text of an operand for the database; null if it is not text. */
export function textOf(input: QueryValue): string | null {
  return input.kind === "string" || input.kind === "enum" ? input.value : null;
}

export function numberOperand(input: TypedValue, parsed: string): Decimal {
  const { value } = input;
  const decimal = value.kind === "integer" || value.kind === "float" ? parseDecimal(value.text) : null;
  if (decimal === null) throw messages.parsingFailed(input, parsed, "Number");
  return decimal;
}

function refuseNull(input: TypedValue): void {
  if (input.value.kind === "null") throw messages.unexpectedNull(input);
}
